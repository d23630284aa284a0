import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { orch } from '../helpers/orch.ts';
import { expectPeer, fetchPeer } from '../helpers/peers.ts';

const commit = '527590ce2b9f3b5c4a9a1031e5b8fcfb909b9a4a';

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
  const failures: Record<string, unknown> = {};
  for (const name of cases) {
    const read = (ending: string): string => readFileSync(path.join(suite, 'test', name + ending), 'utf8');
    const { stdout } = await orch(['repl'], { cwd: suite, input: read('.in') });
    const [given, expected] = [answersIn(stdout), answersIn(read('.expected.out'))];
    if (!isDeepStrictEqual(given, expected)) failures[name] = { given, expected };
  }
  expectPeer('repl', { peer: 'leanprover-community/repl', version: commit.slice(0, 8) }, cases, failures);
});
