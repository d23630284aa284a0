import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import * as z from 'zod';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { messageOf, fieldOf } from '../../core/errors.ts';
import { LineSplitter } from '../../io/lines.ts';
import { mcpServer } from './mcp.ts';
import type { Desk } from './tool.ts';

/** JSON-RPC's codes for a line that is no JSON, and for JSON that is no message. */
const parseError = -32_700;
const invalidRequest = -32_600;
const largestLine = 4 << 20;

/**
 * MCP over two streams, until the client closes its end. A line that is too long or not a message gets an error reply. Blank lines,
 * a byte order mark, unknown fields and batches (a list of messages, in an earlier version of MCP) are accepted.
 */
export async function serveStdio(
  desks: readonly Desk[],
  clientCpu: number,
  input: Readable,
  output: Writable,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = mcpServer(desks, clientCpu);
  const refuse = ({ id, code, message }: Refusal): void => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  };
  const lines = messageLines(refuse);
  // the SDK ends the session when its buffer is full, so it never sees a line that could fill it
  const transport = new StdioServerTransport(input.pipe(lines), output, { maxBufferSize: 2 * largestLine });
  const onerror = ({ message }: Error): void => refuse({ id: null, code: invalidRequest, message });
  // the SDK's servers have one listener each, and no addEventListener
  Object.assign(server.server, { onerror, onclose: resolve });
  input.once('end', () => void server.close());
  input.once('close', () => void server.close());
  output.once('error', () => void server.close());
  await server.connect(transport);
  await ended;
}

interface Refusal {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

/** Passes on one message per line; everything else is refused. */
function messageLines(refuse: (refusal: Refusal) => void): Transform {
  const splitter = new LineSplitter(largestLine);
  return new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
      for (const line of splitter.push(chunk))
        if (line.kind === 'line')
          for (const message of messagesOf(line.text, refuse)) this.push(`${message}\n`);
        else
          refuse({ id: null, code: invalidRequest, message: `the line is longer than ${largestLine} bytes` });
      done();
    },
  });
}

function messagesOf(line: string, refuse: (refusal: Refusal) => void): string[] {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '') return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    refuse({ id: null, code: parseError, message: messageOf(error) });
    return [];
  }
  const isBatch = Array.isArray(parsed) && parsed.length > 0;
  return (isBatch ? (parsed as unknown[]) : [parsed]).flatMap((one) => {
    const message = Message.safeParse(one);
    const written = message.success ? lineOf(message.data) : undefined;
    if (written !== undefined) return written;
    const { data: id = null } = Id.safeParse(fieldOf(one, 'id'));
    refuse({ id, code: invalidRequest, message: 'not a JSON-RPC message' });
    return [];
  });
}

/** Undefined for a message that is nested too deeply to be written. */
function lineOf(message: object): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}

const Id = z.union([z.string(), z.int()]);
/** Passed on as it is. */
const data = z.custom<object>((value) => typeof value === 'object' && value !== null);
/** The fields that JSON-RPC knows; others are dropped, because the SDK refuses them. */
const Message = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: Id.optional(),
    method: z.string().optional(),
    params: data.optional(),
    result: data.optional(),
    error: data.optional(),
  })
  .refine(({ method, result, error }) => [method, result, error].some((part) => part !== undefined));
