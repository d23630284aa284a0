import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { open, type Orch } from '../../src/index.ts';
import { sharedFolder, temporaryFolder } from '../helpers/folders.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { examplesOfPage } from './page.ts';

/** True, but far too hard for tactics. */
const stubborn = 'theorem stubborn (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ c ^ 3';

describe('the page docs/LIBRARY.md', () => {
  test('its programs print the documented output', async () => {
    const folder = temporaryFolder();
    const examples = examplesOfPage();
    expect(examples).toHaveLength(2);
    vi.stubEnv('ORCH_LEDGER', path.join(folder, 'ledger.db'));
    vi.stubEnv('ORCH_LEAN', 'embedded');
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      for (const [index, { code, prints }] of examples.entries()) {
        const file = path.join(folder, `example-${index}.ts`);
        writeFileSync(file, code);
        await import(file);
        const lines = printed.mock.calls.splice(0).map((words) => `${words.join(' ')}\n`);
        expect(lines.join('')).toBe(prints);
      }
    } finally {
      printed.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});

describe('the library', () => {
  const folder = sharedFolder();
  let orch: Orch;
  let unshare: () => void;
  beforeAll(async () => {
    unshare = shareOwnProcesses();
    orch = await open({
      settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') },
    });
  });
  afterAll(async () => {
    await orch.close();
    unshare();
  });

  test('judges files; a cancelled check is unknown', async () => {
    const verdicts = await orch.checkFile({ text: 'theorem a : 1 = 1 := rfl\ntheorem b : 1 = 2 := sorry\n' });
    expect(verdicts.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['a', 'accepted'],
      ['b', 'rejected'],
    ]);
    const signal = AbortSignal.abort();
    const cancelled = await orch.check({ statement: 'theorem t : 1 = 1', proof: 'rfl' }, { signal });
    expect(cancelled).toMatchObject({ verdict: 'unknown', kind: 'cancelled' });
  });

  test('a missing module makes the verdict unknown, not rejected', async () => {
    const claim = { preamble: 'import Mathlib\n', statement: 'theorem t : 1 = 1', proof: 'rfl' };
    expect(await orch.check(claim)).toMatchObject({ verdict: 'unknown', kind: 'missing-import' });
  });

  test('a tactic that leaves no goal but fails the final check does not count as success', async () => {
    const statement = 'theorem t (n : Nat) : n = n + 0';
    const tried = await orch.tactics({ statement }, ['sorry', 'exact t n', 'rfl']);
    const all = tried.ok ? tried.answers.map(({ tactic, ok }) => [tactic, ok]) : tried;
    expect(all).toEqual([
      ['sorry', false],
      ['exact t n', false],
      ['rfl', true],
    ]);
    const lost = await orch.tactics({ statement, after: ['intro x y z'] }, ['rfl']);
    expect(lost).toMatchObject({ ok: false, message: expect.stringContaining('intro x y z') as string });
  });

  test('a search that is abandoned, cancelled or timed out ends and reports why', async () => {
    for await (const event of orch.run([{ id: 'stubborn', statement: stubborn }]))
      if (event.type === 'attempt-started') break;
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const cancelled = await orch.prove({ statement: stubborn }, { signal: abort.signal });
    expect(cancelled).toMatchObject({ solved: false, reason: 'cancelled' });
    const late = await orch.prove({ statement: stubborn }, { timeout: 0.5 });
    expect(late).toMatchObject({ solved: false, reason: 'timeout' });
  });

  test('refuses every call after close', async () => {
    const other = await open();
    await other.close();
    await expect(other.check({ statement: 'theorem t : 1 = 1', proof: 'rfl' })).rejects.toThrow('closed');
  });
});
