import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import { PremiseSource } from '../../../../src/lean/premises/source.ts';
import { microStrategy } from '../../../../src/lean/strategies/micro/micro.ts';
import { WorkAccount } from '../../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../../src/lean/workbench/workbench.ts';
import { openLedger } from '../../../../src/store/open.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { checkClaim, openPool } from '../../../helpers/lean.ts';
import { goalOf, runFor } from './bench.ts';

/** A lemma of Batteries; the library's own version of it says `if` where this one has a hypothesis. */
const goal = goalOf(
  'theorem t {α : Type} (a : α) {n : Nat} {l : List α} (h : n < l.length) : l.set n a = l.take n ++ a :: l.drop (n + 1)',
);

test('a retrieved theorem closes what neither `exact?` nor plain automation closes', async () => {
  await using pool = await openPool({ slots: 1 });
  const folder = temporaryFolder();
  await using ledger = await openLedger(path.join(folder, 'ledger.db'), { clock: systemClock });
  const parts = { folder, toolchain: pool.toolchain, experience: ledger.experience };
  await using premises = new PremiseSource(parts);
  const attempt = async (budget: { cpu_seconds: number; heartbeats: number }, isShown: boolean) =>
    await pool.use(async (lease) => {
      const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain });
      if (!opened.ok) throw new Error(opened.error.message);
      const strategy = microStrategy({ budget, ...(isShown && { premises }) });
      const arm = strategy.arms(opened.value).find(({ name }) => name === 'micro/library');
      if (!arm) throw new Error('micro/library is an arm');
      // the index is made in this attempt
      const run = { ...runFor(), limits: { ...budget, cpu_seconds: 60 } };
      const outcome = await strategy.attempt(opened.value, arm, run);
      await opened.value.end();
      return outcome;
    });
  const budget = { cpu_seconds: 8, heartbeats: 20_000 };
  expect((await attempt(budget, false)).kind).not.toBe('solved');
  const found = await attempt(budget, true);
  if (found.kind !== 'solved') throw new Error(`${found.kind}: ${found.message}`);
  expect(found.candidate.proof).toContain('List.set_eq_take_append_cons_drop');
  expect(await checkClaim(pool, { ...goal, proof: found.candidate.proof })).toMatchObject({
    verdict: 'accepted',
  });

  const [cached] = await ledger.experience.cachedPremises(9);
  expect(cached?.premises).toContain('List.set_eq_take_append_cons_drop');
  // another run takes what this one found
  const helped = {
    ...parts.experience,
    cachedPremises: async () => (cached ? [{ ...cached, helped: ['Nat.add_comm'] }] : []),
  };
  await using later = new PremiseSource({ ...parts, experience: helped });
  await pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const account = new WorkAccount({ ...runFor(), limits: budget });
    const again = await later.forGoal(opened.value, 4, account);
    expect(again.map(({ name }) => name)).toEqual(['Nat.add_comm', ...(cached?.premises ?? []).slice(0, 3)]);
    await opened.value.end();
  });
});
