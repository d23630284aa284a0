import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { open, type Orch } from '../../../src/app/orch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { startMcpHttp } from '../../../src/server/mcp/http.ts';
import { deskFor } from '../../../src/server/mcp/mcp.ts';
import { sharedFolder } from '../../helpers/folders.ts';
import { shareOwnProcesses } from '../../helpers/shared-workers.ts';

export const token = 'the-token';

export interface Served {
  readonly url: string;
  readonly connect: (given?: string) => Promise<Client>;
}

/** An open library for the tests of a file, and MCP servers on it, each with its own folder. */
export function mcpServers() {
  const shared = sharedFolder();
  let orch: Orch;
  let unshare: () => void;
  beforeAll(async () => {
    unshare = shareOwnProcesses();
    const ledger = path.join(shared, 'ledger.db');
    orch = await open({ settings: { lean: 'embedded', num_procs: 1, ledger } });
  });
  afterAll(async () => {
    await orch.close();
    unshare();
  });
  const serve = async (folders: string | readonly string[], clientCpu = 600): Promise<Served> => {
    const desks = [folders].flat().map((folder) => deskFor(orch, folder, systemClock));
    const server = await startMcpHttp({ desks, port: 0, token, clientCpu });
    onTestFinished(async () => await server.close());
    return { url: server.url, connect: async (given = token) => await connected(server.url, given) };
  };
  return { serve, shared, orch: () => orch };
}

async function connected(url: string, given: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { Authorization: `Bearer ${given}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(async () => await client.close());
  return client;
}

/** A client waits 60 seconds unless asked to wait longer, which is too short on a busy machine. */
const timeout = 600_000;

/** The answer of a tool as data. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args }, undefined, {
    timeout,
  });
  if (structuredContent) return structuredContent as Record<string, unknown>;
  const [first] = content as { text: string }[];
  return JSON.parse(first?.text ?? 'null') as Record<string, unknown>;
}
