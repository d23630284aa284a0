import { expect, test } from 'vitest';
import { describeTree } from '../../src/reporters/search-tree.ts';
import { searchTreesOf } from '../../src/store/ledger/search-tree.ts';
import { searched, searchedGoal } from '../store/ledger/searched.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';

test('a search tree shows useful steps, closing steps, failures with reasons, queued and unproposed steps', async () => {
  const { ledger } = await temporaryLedger();
  await searched(ledger);
  const [tree] = await searchTreesOf(ledger.experience, searchedGoal);
  expect(tree && describeTree(tree)).toEqual([
    'search: 9 steps in 0.2 s of Lean, 5 states, 1 queued',
    '  never proposed: induction, rewriting, lemma or hypothesis',
    '  best unfinished: constructor → ⊢ f n = n',
    '  · ⊢ n * 0 = 0 ∧ f n = n  (180 ms, 1 failed)',
    '    · constructor  2 goals  (160 ms)',
    '      ✓ ⊢ n * 0 = 0  (40 ms, 1 failed)',
    '        ✓ rfl  no goals  (20 ms)',
    '        1 × omega failed to prove the goal [omega]',
    '      ○ ⊢ f n = n  (100 ms, queued at -2.0, 1 failed)',
    '        ✗ cases n  2 goals  (80 ms)',
    '          ✗ ⊢ f 0 = 0  (20 ms, 1 failed)',
    '            1 × rfl failed to prove the goal [rfl]',
    '          · ⊢ f (n + 1) = n + 1  (40 ms, 1 failed)',
    '            ○ skip  ⊢ f n = n  (20 ms, seen elsewhere, queued at -2.0)',
    '            1 × rfl failed to prove the goal [rfl]',
    '        1 × timed out [simp [f]]',
    '    1 × omega failed to prove the goal [omega]',
  ]);
  const [cut] = await searchTreesOf(ledger.experience, searchedGoal, 3);
  expect(cut).toMatchObject({ left_out: 2 });
  expect(cut && describeTree(cut).at(-1)).toBe('  … and 2 states more');
  expect(await searchTreesOf(ledger.experience, { ...searchedGoal, goal_hash: 'another' })).toEqual([]);
  expect(await searchTreesOf(ledger.experience, { goal_hash: null, fingerprint: null })).toEqual([]);
});
