import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { GitHubServer } from '../helpers/github-server.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { sharedPostgres } from '../helpers/postgres.ts';
import { Formalisation } from './formalisation.ts';

const cli = path.resolve('src/cli.ts');

let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());

const files: Readonly<Record<string, string>> = {
  'lakefile.toml': 'name = "small"\ndefaultTargets = ["Small"]\n\n[[lean_lib]]\nname = "Small"\n',
  'lean-toolchain': 'leanprover/lean4:v4.28.0\n',
  'Small.lean': `namespace Small

inductive Tree where
  | leaf
  | node (left : Tree) (key : Nat) (right : Tree)

def Tree.flat : Tree → List Nat
  | .leaf => []
  | .node l k r => l.flat ++ k :: r.flat

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l k r => .node r.mirror k l.mirror

theorem flat_mirror (t : Tree) : t.mirror.flat = t.flat.reverse := by
  sorry

theorem other (t : Tree) : t.mirror.flat.length = t.flat.length := by
  sorry

theorem flat_twice (t : Tree) : t.mirror.mirror.flat = t.flat := by
  sorry

end Small
`,
  'blueprint/src/content.tex': String.raw`\begin{definition}\label{def:t}\lean{Small.Tree.flat}\leanok Flat.\end{definition}
\begin{lemma}\label{lem:m}\lean{Small.flat_mirror}\leanok\uses{def:t} Reversed.\end{lemma}
\begin{lemma}\label{lem:o}\lean{Small.other}\leanok\uses{def:t} As long.\end{lemma}
\begin{theorem}\label{thm:t}\lean{Small.flat_twice}\leanok\uses{lem:m} The same.\end{theorem}
`,
};

test('stuck goals are worked on by remote workers, with larger limits there, and come back as requests with their cost', async () => {
  const example = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(example, name)), { recursive: true });
    writeFileSync(path.join(example, name), text);
  }
  const clone = new Formalisation(example, server);
  const url = await (await sharedPostgres()).database();
  const tiny = ['--goal-cpu', '0.3', '--ledger', url, '--cpu-target', '1', '--reporter', 'plain'];
  const sweep = ['sweep', '--repo', 'o/r', ...tiny];
  expect((await clone.orch(...sweep)).code).toBe(1);
  expect(clone.report().goals_solved).toBe(0);

  // the worker has the same small limit of its own
  const flags = ['worker', '--ledger', url, '--name', 'far', '--project', clone.folder, '--num-procs', '1'];
  const worker = spawn(process.execPath, [cli, ...flags, '--goal-cpu', '0.3', '--cpu-target', '1'], {
    cwd: temporaryFolder(),
    stdio: 'ignore',
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const stuck = await clone.orch(...sweep, '--stuck', '--relax', '100', '--workers', 'remote', '--ship');
  worker.kill('SIGTERM');
  await once(worker, 'exit');

  expect(stuck.stderr).not.toContain('nothing is stuck');
  // the goal that nothing waits for is not worked on
  // one that is tried again after a proof was written above it has a second row: `NAME (2)`
  const last = clone
    .report()
    .goals.map(({ goal, status }) => [goal.replace(/ \(\d+\)$/, ''), status] as const);
  expect(Object.fromEntries(last)).toEqual({
    'Small.flat_mirror': 'solved',
    'Small.flat_twice': 'solved',
  });
  expect(stuck.code).toBe(0);
  const bodies = new Map(server.requests.map(({ title, body }) => [title, body]));
  expect([...bodies.keys()].toSorted()).toEqual([
    'feat(lean): add Small.flat_mirror',
    'feat(lean): add Small.flat_twice',
  ]);
  expect(bodies.get('feat(lean): add Small.flat_mirror')).toContain('strategy remote');
  for (const body of bodies.values()) {
    // a proof that waited for a lemma is repeated when the lemma is there
    expect(body).toMatch(/strategy (?:remote|cache)$/m);
    expect(body).toMatch(/Local: CPU \d\d:\d\d:\d\d/);
  }
});
