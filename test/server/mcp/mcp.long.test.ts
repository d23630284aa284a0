import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as z from 'zod';
import { packageRoot } from '../../../src/config/package.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { open } from '../../../src/app/orch.ts';
import { deskFor } from '../../../src/server/mcp/mcp.ts';
import { serveStdio } from '../../../src/server/mcp/stdio.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { call } from './served.ts';

test('an answer never uses an old version of a changed module', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('lakefile.toml', 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n[[lean_lib]]\nname = "Base"\n');
  write('Base.lean', 'def answer : Nat := 42\n');
  write('Demo.lean', 'import Base\ntheorem t : answer = 42 := rfl\n');
  await using orch = await open({
    project: folder,
    settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') },
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio([deskFor(orch, folder, systemClock)], 600, input, output);
  const answers = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const verdict = async (id: number): Promise<string> => {
    const params = { name: 'lean_verify', arguments: { file_path: 'Demo.lean', theorem_name: 't' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    const { value } = await answers.next();
    return String(value);
  };
  expect(await verdict(1)).toContain('"verdict":"accepted"');
  write('Base.lean', 'def answer : Nat := 41\n');
  expect(await verdict(2)).toContain('"verdict":"rejected"');
  input.end();
  await ended;
});

const Goals = z.object({
  goals: z.array(z.object({ file: z.string(), line: z.number(), declaration: z.string() })),
});
const Proved = z.object({ solved: z.boolean(), proof: z.string().nullish() });
const Proofs = z.array(z.object({ goal: z.string(), proofs: z.array(z.object({ proof: z.string() })) }));

test('an agent with a script proves three open goals of the sample project through MCP alone, on a server with two projects', async () => {
  const folder = temporaryFolder();
  for (const name of ['sums', 'sorting'])
    cpSync(path.join(packageRoot, 'examples', name), path.join(folder, name), { recursive: true });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(packageRoot, 'bin', 'orch.js'), 'mcp', '--project', 'sums', 'sorting'],
    cwd: folder,
    env: { ...process.env, ORCH_LEAN: 'embedded', ORCH_NUM_PROCS: '1' },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  // the check for processes left alive comes before what runs at the end of a test
  await using _ended = { [Symbol.asyncDispose]: async (): Promise<void> => await client.close() };
  const openGoals = async (): Promise<z.infer<typeof Goals>['goals']> =>
    Goals.parse(await call(client, 'lean_goals', { project: 'sums' })).goals;
  const solved: string[] = [];
  const first = await openGoals();
  for (const { declaration } of first) {
    if (solved.length === 3) break;
    // an example has no name to verify
    if (declaration.endsWith('example')) continue;
    // earlier proofs have moved the lines
    const goal = (await openGoals()).find((one) => one.declaration === declaration);
    if (!goal) throw new Error(`${declaration} is gone`);
    const place = { project: 'sums', file_path: goal.file, line: goal.line };
    const { solved: isSolved, proof } = Proved.parse(
      await call(client, 'lean_prove', { ...place, cpu_seconds: 20, timeout_s: 600 }),
    );
    if (!isSolved) continue;
    expect(await call(client, 'lean_submit', { ...place, proof })).toMatchObject({ written: true });
    const name = { project: 'sums', file_path: goal.file, theorem_name: declaration, timeout_s: 600 };
    expect(await call(client, 'lean_verify', name)).toMatchObject({ verdicts: [{ verdict: 'accepted' }] });
    solved.push(declaration);
  }
  expect(solved.length).toBe(3);
  expect((await openGoals()).length).toBe(first.length - 3);

  // the other project is untouched, and each has its own ledger
  const others = await call(client, 'lean_goals', {
    file_path: path.join(folder, 'sorting/Sorting/Insert.lean'),
  });
  const { goals } = Goals.parse(others);
  expect(others).toMatchObject({ project: 'sorting' });
  expect(goals.length).toBe(6);
  expect(new Set(goals.map(({ file }) => file))).toEqual(new Set(['Sorting/Insert.lean']));
  const runs = await client.readResource({ uri: 'orch://runs?project=sorting' });
  expect(runs.contents).toMatchObject([{ text: '[]' }]);
  const { resources } = await client.listResources();
  const listed = resources.map(({ uri }) => uri).filter((uri) => uri.includes('/proofs?project=sums'));
  const proofs = await Promise.all(
    listed.map(async (uri) => {
      const [content] = (await client.readResource({ uri })).contents;
      return Proofs.parse(JSON.parse(content && 'text' in content ? content.text : ''));
    }),
  );
  expect(proofs.flat().length).toBe(3);
});
