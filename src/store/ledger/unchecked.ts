import type { GoalRow } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

/** The reason shown for a goal whose proofs only another judge version accepted. `orch ledger audit` judges them again. */
export const uncheckedReason = 'unchecked-by-current-judge';

/** Statuses by the current judge: a goal that only an older judge accepted is not solved. */
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
