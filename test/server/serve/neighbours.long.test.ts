import path from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../../src/app/orch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { startServe } from '../../../src/server/serve/serve.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

/** Snippets that would change the verdict on others of their request, with what must be said about each. */
const snippets: readonly (readonly [id: string, code: string, isValid: boolean])[] = [
  ['ends the process', '#eval (IO.Process.exit 0 : IO Unit)\ntheorem a : 1 = 1 := rfl', false],
  ['honest', 'theorem t : 1 = 1 := rfl', true],
  ['leaves a lemma', 'theorem lemma : 1 = 2 := sorry', true],
  ['uses the lemma', 'theorem t : 1 = 2 := lemma', false],
  ['changes equality', 'macro_rules | `($a = $b) => `(True)\ntheorem t : 1 = 1 := trivial', true],
  ['relies on it', 'theorem t : 1 = 2 := trivial', false],
  ['takes a name', 'def Nat.twice (n : Nat) := 0\ntheorem t : Nat.twice 1 = 0 := rfl', true],
  ['has the name', 'def Nat.twice (n : Nat) := n + n\ntheorem t : Nat.twice 1 = 0 := rfl', false],
  ['fills the memory', '#eval (Array.replicate 2000000000 (0 : Nat)).size\ntheorem t : 1 = 1 := rfl', false],
  ['honest to the end', 'def Nat.twice (n : Nat) := n + n\ntheorem t : Nat.twice 1 = 2 := rfl', true],
];

test('no snippet of a request changes the verdict on another', async () => {
  const ledger = path.join(temporaryFolder(), 'ledger.db');
  // four workers have two judges
  await using orch = await open({ settings: { lean: 'embedded', num_procs: 4, ledger } });
  await using server = await startServe({
    orch,
    clock: systemClock,
    port: 0,
    workers: 4,
    maxWaitSeconds: 600,
  });
  for (const order of [snippets, snippets.toReversed()]) {
    const asked = order.map(([id, code]) => ({ id, code }));
    const answer = await fetch(`${server.url}/api/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ snippets: asked, timeout: 300, debug: true }),
    });
    const { results } = (await answer.json()) as {
      results: { id: string; error?: string; response?: { messages?: { severity: string }[] } }[];
    };
    const valid = results.map(({ id, error, response }) => [
      id,
      error === undefined && !(response?.messages ?? []).some(({ severity }) => severity === 'error'),
    ]);
    expect(valid).toEqual(order.map(([id, , isValid]) => [id, isValid]));
  }
});
