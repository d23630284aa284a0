import type { GoalRow } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

/** The reason of a goal whose proofs another judge than the current one accepted. `orch ledger audit` judges them again. */
export const uncheckedReason = 'unchecked-by-current-judge';

/** Goals as the current judge leaves them: one that counts as solved only by the word of an older judge is not solved. */
export async function goalsByJudge(
  { views }: Pick<Ledger, 'views'>,
  goals: readonly GoalRow[],
  judge: string,
): Promise<GoalRow[]> {
  const unchecked = new Set((await views.uncheckedGoals(judge)).map(keyOf));
  return goals.map((row) =>
    row.status === 'solved' && unchecked.has(keyOf(row))
      ? { ...row, status: 'unsolved', reason: uncheckedReason }
      : row,
  );
}

const keyOf = ({ run, goal }: Pick<GoalRow, 'run' | 'goal'>): string => JSON.stringify([run, goal]);
