import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { expectPeer, fetchPeer } from '../helpers/peers.ts';

const commit = '527590ce2b9f3b5c4a9a1031e5b8fcfb909b9a4a';

/** Cases below `test/Mathlib` that need no more of Mathlib than its notation for numbers. */
const smallCases = ['20240209', 'exact', 'induction'];

const answersIn = (text: string): unknown[] =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => JSON.parse(part) as unknown);

/** At its commit for Lean 4.28.0. Each case is a file of requests and a file of the answers that they must get. */
test('every case of the leanprover-community/repl test suite gets the expected answers', async () => {
  const suite = fetchPeer('leanprover-community/repl', commit);
  // as its own script runs them, in the order of their names: some cases read what an earlier one has pickled
  const files = readdirSync(path.join(suite, 'test')).toSorted();
  const cases = files.flatMap((file) =>
    file.endsWith('.in') && files.includes(file.replace(/in$/, 'expected.out')) ? file.slice(0, -3) : [],
  );
  expect(cases.length).toBe(55);
  const failures = await differences(cases, path.join(suite, 'test'), suite);
  expectPeer('repl', { peer: 'leanprover-community/repl', version: commit.slice(0, 8) }, cases, failures);
});

/** Mathlib is not there: its place is taken by a project of this name. */
test('the small cases of its Mathlib suite get the expected answers', async () => {
  const suite = fetchPeer('leanprover-community/repl', commit);
  const project = temporaryFolder();
  writeFileSync(path.join(project, 'lakefile.toml'), 'name = "Mathlib"\n[[lean_lib]]\nname = "Mathlib"\n');
  writeFileSync(path.join(project, 'lean-toolchain'), 'leanprover/lean4:v4.28.0\n');
  writeFileSync(path.join(project, 'Mathlib.lean'), 'notation "ℕ" => Nat\n');
  expect(await differences(smallCases, path.join(suite, 'test/Mathlib/test'), project)).toEqual({});
});

async function differences(
  cases: readonly string[],
  folder: string,
  cwd: string,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of cases) {
    const read = (ending: string): string => readFileSync(path.join(folder, name + ending), 'utf8');
    const { stdout } = await orch(['repl'], { cwd, input: read('.in') });
    const [given, expected] = [answersIn(stdout), answersIn(read('.expected.out'))];
    if (!isDeepStrictEqual(given, expected)) found[name] = { given, expected };
  }
  return found;
}
