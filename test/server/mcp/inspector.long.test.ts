import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { packageRoot } from '../../../src/config/package.ts';
import { writeProject } from '../../../src/server/mcp/self-test.ts';
import { sharedFolder } from '../../helpers/folders.ts';
import { run, type Finished } from '../../helpers/orch.ts';
import { expectPeer } from '../../helpers/peers.ts';

/** The official inspector, installed now and never kept. */
const version = '2.12.0';
const orch = [process.execPath, path.join(packageRoot, 'bin', 'orch.js')] as const;

const checked = new Set<string>();
const tools = sharedFolder();
const project = sharedFolder();

/** Runs one method against a server: its command, or its address. */
async function inspect(server: readonly string[], ...method: string[]): Promise<Finished> {
  checked.add(method[0] ?? '');
  const program = path.join(tools, 'node_modules', '.bin', 'mcp-inspector');
  const env = { ORCH_LEAN: 'embedded', MCP_CATALOG_PATH: path.join(tools, 'servers.json') };
  const args = [program, '--cli', ...server, '--method', ...method];
  return await run(process.execPath, args, { cwd: project, env });
}

async function answerOf(server: readonly string[], ...method: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await inspect(server, ...method);
  if (code !== 0) throw new Error(`${method.join(' ')}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

async function checkServer(server: readonly string[]): Promise<void> {
  const listed = await inspect(server, 'tools/list', '--strict');
  expect(listed).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/warning|error/i) as unknown });
  expect(JSON.parse(listed.stdout)).toMatchObject({ tools: expect.any(Array) as unknown });
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
    await answerOf(server, method);
  const prompt = ['prompts/get', '--prompt-name', 'explain_goal', '--prompt-args', 'goal=swap'];
  expect(JSON.stringify(await answerOf(server, ...prompt))).toContain('swap');
  const runs = await answerOf(server, 'resources/read', '--uri', 'orch://runs');
  expect(runs).toMatchObject({ contents: [{ text: '[]' }] });
  const goals = await answerOf(server, 'tools/call', '--tool-name', 'lean_goals');
  expect(goals).toMatchObject({ structuredContent: { goals: [{ file: 'Demo.lean', line: 4 }] } });
  // an error of a tool is one for the inspector too
  const lost = ['tools/call', '--tool-name', 'lean_goal', '--tool-arg', 'file_path=No.lean', 'line=1'];
  const refused = await inspect(server, ...lost);
  expect(refused.stdout + refused.stderr).toContain('no-file');
}

test('the MCP inspector finds nothing to complain about, over stdio and over HTTP with a token', async () => {
  const install = [
    'install',
    '--prefix',
    tools,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `@modelcontextprotocol/inspector@${version}`,
  ];
  expect(await run('npm', install, { cwd: tools })).toMatchObject({ code: 0 });
  writeProject(project);
  await checkServer([...orch, 'mcp']);

  const args = [orch[1], 'mcp', '--http', '--port', '0', '--token', 'secret'];
  const child = spawn(orch[0], args, {
    cwd: project,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value } = await lines.next();
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(value ?? ''));
    await checkServer([url, '--transport', 'http', '--header', 'Authorization: Bearer secret']);
    const wrong = await inspect(
      [url, '--transport', 'http', '--header', 'Authorization: Bearer x'],
      'tools/list',
    );
    expect(wrong.code).not.toBe(0);
    const cases = ['stdio', 'streamable HTTP'].flatMap((transport) =>
      [...checked].map((method) => `${method} over ${transport}`),
    );
    expectPeer('inspector', { peer: 'MCP inspector', version }, cases, {});
  } finally {
    child.kill('SIGINT');
    await ended;
  }
});
