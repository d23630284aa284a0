import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Behaviour of a service for one request. */
export type Reply =
  | { readonly say: string; readonly reason?: string; readonly tookTokens?: number }
  | { readonly tool: string; readonly reason?: string }
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly cutAfter: string }
  | { readonly refusal: string }
  /** `as`: pieces other than the answer, such as thoughts or a refusal. */
  | { readonly endless: string; readonly as?: 'refusal' | 'reasoning_content' | 'thinking' }
  | { readonly echoesKey: number }
  | { readonly silent: true }
  | { readonly outputs: readonly unknown[] };

export interface Service {
  readonly url: string;
  readonly asked: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: Body;
  }[];
  /** Stops answering. */
  readonly close: () => void;
}

export interface Body {
  readonly model: string;
  readonly n?: number;
  readonly max_tokens: number;
  readonly stop?: string[];
  readonly stop_sequences?: string[];
  readonly tools?: { name: string }[];
  readonly response_format?: unknown;
  readonly input?: string[];
  /** The request of a chat. */
  readonly messages?: readonly { readonly content: string | readonly { readonly text: string }[] }[];
}

/** A local server with the protocols of both services; `replyTo` chooses the reply to each request, by its text or its place. */
export async function serveReplies(replyTo: (body: Body, turn: number) => Reply): Promise<Service> {
  const asked: Service['asked'] = [];
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const body = JSON.parse(raw) as Body;
      const reply = replyTo(body, asked.length);
      asked.push({ path: request.url ?? '', headers: request.headers, body });
      if ('echoesKey' in reply) echo(response, request, reply.echoesKey);
      else answer(response, request.url ?? '', body, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

/** As careless servers do: the request's header in the error and in the answer. */
function echo(response: ServerResponse, { headers }: IncomingMessage, status: number): void {
  const key = String(headers.authorization ?? headers['x-api-key']);
  if (status === 200) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    openAiStream(response, 1, {
      say: `{"plan": "${key}", "encoded": "${Buffer.from(key.slice(7)).toString('base64')}"}`,
    });
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'x-echo': key });
  response.end(JSON.stringify({ error: { message: `bad key ${key}`, type: key } }));
}

function answer(
  response: ServerResponse,
  path: string,
  body: Body,
  reply: Exclude<Reply, { echoesKey: number }>,
): void {
  if ('silent' in reply) return;
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'not now' } }));
    return;
  }
  if ('outputs' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ outputs: reply.outputs }));
    return;
  }
  if (path.endsWith('/embeddings')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const data = (body.input ?? []).map((one, index) => ({
      object: 'embedding',
      index,
      embedding: [one.length, index],
    }));
    response.end(
      JSON.stringify({
        object: 'list',
        model: body.model,
        data: data.reverse(),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (path.endsWith('/messages')) anthropicStream(response, reply);
  else openAiStream(response, body.n ?? 1, reply);
}

type Streamed = Exclude<
  Reply,
  { status: number } | { silent: true } | { outputs: readonly unknown[] } | { echoesKey: number }
>;

function anthropicStream(response: ServerResponse, reply: Streamed): void {
  const event = (type: string, data: object): boolean =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 100, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  event('message_start', { message });
  const isTool = 'tool' in reply;
  const block = isTool
    ? { type: 'tool_use', id: 't1', name: 'answer', input: {} }
    : { type: 'text', text: '' };
  event('content_block_start', { index: 0, content_block: block });
  if ('endless' in reply) {
    forEver(response, () =>
      event('content_block_delta', {
        index: 0,
        delta:
          reply.as === undefined
            ? { type: 'text_delta', text: reply.endless }
            : { type: 'thinking_delta', thinking: reply.endless },
      }),
    );
    return;
  }
  for (const part of pieces(textOf(reply)))
    event('content_block_delta', {
      index: 0,
      delta: isTool ? { type: 'input_json_delta', partial_json: part } : { type: 'text_delta', text: part },
    });
  if ('cutAfter' in reply) {
    response.destroy();
    return;
  }
  event('content_block_stop', { index: 0 });
  const reason =
    'refusal' in reply
      ? 'refusal'
      : (('reason' in reply ? reply.reason : undefined) ?? (isTool ? 'tool_use' : 'end_turn'));
  event('message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  event('message_stop', {});
  response.end();
}

function openAiStream(response: ServerResponse, count: number, reply: Streamed): void {
  const chunk = (choices: object[], usage: object | null = null): boolean =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, usage })}\n\n`,
    );
  if ('endless' in reply) {
    forEver(response, () =>
      chunk([{ index: 0, delta: { [reply.as ?? 'content']: reply.endless }, finish_reason: null }]),
    );
    return;
  }
  for (let index = 0; index < count; index++) {
    for (const part of pieces(textOf(reply)))
      chunk([
        { index, delta: 'refusal' in reply ? { refusal: part } : { content: part }, finish_reason: null },
      ]);
    if ('cutAfter' in reply) {
      response.destroy();
      return;
    }
    const reason = ('reason' in reply ? reply.reason : undefined) ?? 'stop';
    chunk([{ index, delta: {}, finish_reason: reason }]);
  }
  const took = ('tookTokens' in reply ? reply.tookTokens : undefined) ?? 20;
  chunk([], { prompt_tokens: 100, completion_tokens: took, total_tokens: 100 + took });
  response.end('data: [DONE]\n\n');
}

/** Keeps writing until the client disconnects. */
function forEver(response: ServerResponse, write: () => boolean): void {
  const more = (): void => {
    while (!response.destroyed && write());
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function textOf(reply: Streamed): string {
  if ('say' in reply) return reply.say;
  if ('tool' in reply) return reply.tool;
  if ('refusal' in reply) return reply.refusal;
  return 'cutAfter' in reply ? reply.cutAfter : reply.endless;
}

/** In pieces of at least five characters, so that no client mistakes a piece for the whole. */
function pieces(whole: string): string[] {
  const length = Math.max(5, Math.ceil(whole.length / 10_000));
  return Array.from({ length: Math.ceil(whole.length / length) }, (_, index) =>
    whole.slice(index * length, (index + 1) * length),
  );
}
