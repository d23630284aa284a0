import type { TacticStep } from '../../../src/store/ledger/search-memory.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { hashOf } from './story.ts';

/** The goal of a story whose search is in the ledger. */
export const searchedGoal = { goal_hash: hashOf('failing'), fingerprint: 'print' };

const id = (digit: string): string => digit.repeat(32);

/**
 * A search of the goal `failing`: `constructor` splits it. One half is closed; the other waits after its own split,
 * of which one side failed and the other returned to the same state.
 */
export async function searched(
  { experience }: Pick<Ledger, 'experience'>,
  { goal_hash, fingerprint } = searchedGoal,
): Promise<void> {
  const step = (state: string, tactic: string, body: Partial<TacticStep> = {}): TacticStep => ({
    state: id(state),
    tactic,
    outcome: 'failed',
    cpuSeconds: 0.02,
    heartbeats: 400,
    premises: [],
    next: [],
    words: [`${tactic} failed to prove the goal`],
    ...body,
  });
  const advanced = (state: string, tactic: string, left: Record<string, string>): TacticStep =>
    step(state, tactic, {
      outcome: 'advanced',
      next: Object.keys(left).map(id),
      words: Object.values(left),
    });
  await experience.noteSteps([
    step('a', 'omega'),
    advanced('a', 'constructor', { b: 'n : Nat\n⊢ n * 0 = 0', c: 'n : Nat\n⊢ f n = n' }),
    step('b', 'omega'),
    step('b', 'rfl', { outcome: 'closed', words: [] }),
    step('c', 'simp [f]', { outcome: 'timeout' }),
    advanced('c', 'cases n', { d: '⊢ f 0 = 0', e: 'n : Nat\n⊢ f (n + 1) = n + 1' }),
    step('d', 'rfl'),
    step('e', 'rfl'),
    advanced('e', 'skip', { c: 'n : Nat\n⊢ f n = n' }),
  ]);
  const start = { state: id('a'), goals: ['n : Nat\n⊢ n * 0 = 0 ∧ f n = n'] };
  const open = { state: id('c'), tactics: ['constructor', 'rotate_left 1'], score: -2 };
  await experience.saveFrontier(goal_hash, fingerprint, start, [{ ...open, goals: ['n : Nat\n⊢ f n = n'] }]);
}
