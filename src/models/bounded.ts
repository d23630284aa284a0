/** The longest answer that is read from any server. */
const mostBytes = 64 << 20;

/** `fetch` that stops reading an answer above the limit with an error. */
export async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  if (answer.body === null) return answer;
  let read = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > mostBytes) controller.error(new Error(`the answer has more than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  const copy = new Response(answer.body.pipeThrough(bounded), { status, statusText, headers });
  // a new Response has no URL, but the SDK clients read it
  Object.defineProperty(copy, 'url', { value: answer.url });
  return copy;
}

/** Length of the text in a piece of an answer, whatever the type of the piece. */
export function contentLength(piece: unknown): number {
  if (typeof piece === 'string') return piece.length;
  if (typeof piece !== 'object' || piece === null) return 0;
  return Object.values(piece).reduce((sum: number, part) => sum + contentLength(part), 0);
}
