import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { LineSplitter } from '../../io/lines.ts';
import { mcpServer } from './mcp.ts';
import type { Desk } from './tool.ts';

/** JSON-RPC's code for a line that is not a message. */
const invalidRequest = -32_600;
const largestLine = 4 << 20;

/** MCP over two streams, until the client closes its end. A line that is too long or not a message gets an error reply. */
export async function serveStdio(
  desks: readonly Desk[],
  clientCpu: number,
  input: Readable,
  output: Writable,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = mcpServer(desks, clientCpu);
  const refuse = (message: string): void => {
    const error = { code: invalidRequest, message };
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
  };
  const lines = shortLines(() => refuse(`the line is longer than ${largestLine} bytes`));
  // the SDK ends the session when its buffer is full, so it never sees a line that could fill it
  const transport = new StdioServerTransport(input.pipe(lines), output, { maxBufferSize: 2 * largestLine });
  const onerror = ({ message }: Error): void => {
    const [first = ''] = message.split('\n', 1);
    // zod's message is a list in JSON
    refuse(first === '[' ? 'not a JSON-RPC message' : first);
  };
  // the SDK's servers have one listener each, and no addEventListener
  Object.assign(server.server, { onerror, onclose: resolve });
  input.once('end', () => void server.close());
  input.once('close', () => void server.close());
  output.once('error', () => void server.close());
  await server.connect(transport);
  await ended;
}

/** Passes on complete lines; a line that is too long is dropped. */
function shortLines(onTooLong: () => void): Transform {
  const splitter = new LineSplitter(largestLine);
  return new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
      for (const line of splitter.push(chunk))
        if (line.kind === 'line') this.push(`${line.text}\n`);
        else onTooLong();
      done();
    },
  });
}
