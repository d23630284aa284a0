import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { proveThroughMcp, writeProject, type Exchange } from '../test/server/mcp/agent.ts';

/** Writes docs/MCP-SESSION.md: what a script says and hears that knows nothing but MCP. The same script is a test. */
const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const page = fileURLToPath(new URL('MCP-SESSION.md', import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-session-'));
writeProject(folder);
const client = new Client({ name: 'script', version: '1' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    cwd: folder,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  }),
);
const exchanges = await proveThroughMcp(client);
await client.close();
rmSync(folder, { recursive: true });
writeFileSync(page, pageOf(exchanges));

function pageOf(all: readonly Exchange[]): string {
  const parts = all.map(
    ({ tool, arguments: args, answer }) =>
      `### ${tool}\n\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`,
  );
  return `# A session through MCP alone

Recorded by \`npm run docs:mcp-session\` from \`orch mcp\` on stdin and stdout: a script finds a sorry, tries tactics, has orch prove it, writes the proof in
its place, has it verified, and sees the blueprint advance. \`test/server/mcp/agent.ts\` is the script, and a test.

${parts.join('\n')}`;
}
