import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { Problem } from '../problems.ts';
import { ownAddressOnly, protectiveHeaders, tokenOnly } from '../security.ts';
import { listen } from '../listen.ts';
import { mcpServer } from './mcp.ts';
import type { Desk } from './tool.ts';

export interface McpHttpOptions {
  readonly desks: readonly Desk[];
  /** 0: any free port. */
  readonly port: number;
  readonly token: string;
  /** CPU-seconds of each client. */
  readonly clientCpu: number;
}

export interface McpHttp {
  readonly url: string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Clients that disconnect without notice are forgotten once this many newer ones have connected. */
const maxSessions = 64;
const largestBody = 4 << 20;

/** MCP over streamable HTTP, on loopback, with a token; one session per client. */
export async function startMcpHttp({ desks, port, token, clientCpu }: McpHttpOptions): Promise<McpHttp> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: largestBody,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions;
        if (sessions.size > maxSessions && oldest) void oldest[1].close();
      },
    });
    const forget = (): void => {
      for (const [id, one] of sessions) if (one === transport) sessions.delete(id);
    };
    // the SDK's transports have one listener each, and no addEventListener
    Object.assign(transport, { onclose: forget });
    await mcpServer(desks, clientCpu).connect(transport);
    return transport;
  };

  const app = new Hono();
  app.use(
    protectiveHeaders,
    ownAddressOnly,
    tokenOnly(token, 'Send "Authorization: Bearer TOKEN" with the token that `orch mcp --http` printed.'),
  );
  app.all('/mcp', async ({ req }) => {
    const id = req.header('mcp-session-id');
    const known = id === undefined ? undefined : sessions.get(id);
    if (id !== undefined && !known) throw new Problem(404, 'no-session', 'there is no such session');
    const transport = known ?? (await begin());
    const gone = req.method === 'POST' ? req.raw.signal : new AbortController().signal;
    const authInfo = { token: '', clientId: id ?? 'new', scopes: [], extra: { gone } };
    return await transport.handleRequest(req.raw, { authInfo });
  });
  app.onError((error) => {
    const problem = error instanceof Problem ? error : new Problem(500, 'bug', 'something went wrong');
    if (!(error instanceof Problem)) process.emitWarning(error);
    return problem.response();
  });
  const listener = await listen(app.fetch, port);
  const close = async (): Promise<void> => {
    await Promise.all([...sessions.values()].map(async (transport) => await transport.close()));
    await listener.close();
  };
  return { url: `${listener.url}/mcp`, close, [Symbol.asyncDispose]: close };
}
