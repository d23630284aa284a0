/** The longest answer that is read from any server, whatever it consists of. */
const mostBytes = 64 << 20;

/** `fetch` whose answers end with an error when they do not end by themselves. */
export async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  if (answer.body === null) return answer;
  let read = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > mostBytes) controller.error(new Error(`an answer of more than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  const copy = new Response(answer.body.pipeThrough(bounded), { status, statusText, headers });
  // a new Response has no address, and the clients of the services look at it
  Object.defineProperty(copy, 'url', { value: answer.url });
  return copy;
}

/** How much text a piece of an answer carries, of whatever kind the piece is. */
export function contentLength(piece: unknown): number {
  if (typeof piece === 'string') return piece.length;
  if (typeof piece !== 'object' || piece === null) return 0;
  return Object.values(piece).reduce((sum: number, part) => sum + contentLength(part), 0);
}
