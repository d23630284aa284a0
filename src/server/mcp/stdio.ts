import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { mcpServer } from './mcp.ts';
import type { Desk } from './tool.ts';

/** JSON-RPC's word for a line that is no message. */
const invalidRequest = -32_600;
const largestLine = 4 << 20;

/** MCP on two streams, until the client closes its end. A line that is no message is answered, not passed over. */
export async function serveStdio(
  desk: Desk,
  clientCpu: number,
  input: Readable,
  output: Writable,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = mcpServer(desk, clientCpu);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: largestLine });
  const onerror = ({ message }: Error): void => {
    const error = { code: invalidRequest, message: message.split('\n', 1)[0] ?? 'not a message' };
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
  };
  // the SDK's servers have one listener each, and no addEventListener
  Object.assign(server.server, { onerror, onclose: resolve });
  input.once('end', () => void server.close());
  input.once('close', () => void server.close());
  output.once('error', () => void server.close());
  await server.connect(transport);
  await ended;
}
