import { declarationIn } from '../../shared/goal-names.ts';
import type { GoalDetail, GoalRow } from '../../shared/ledger.ts';

type Tried = Pick<GoalRow, 'goal' | 'source' | 'statement'>;

/** The same for all tries of a goal, in one run and in several. */
export function tryKey({ goal, source, statement }: Tried): string {
  return JSON.stringify([source?.replace(/:\d+$/, ''), declarationIn(goal), statement]);
}

/** The goals of a run, each once: with its first name, its best outcome, and the cost of all its tries. */
export function withoutRepeats(rows: readonly GoalRow[]): GoalRow[] {
  return [...Map.groupBy(rows, tryKey).values()].flatMap((tries) => {
    const outcome = tries.find(({ status }) => status === 'solved') ?? tries.at(-1);
    const [first] = tries;
    return first && outcome ? [{ ...outcome, goal: first.goal, ...spentOn(tries) }] : [];
  });
}

/** A goal with what was spent on its earlier tries. */
export function withEarlier(goal: GoalDetail, earlier: readonly GoalDetail[]): GoalDetail {
  const all = [...earlier, goal];
  return { ...goal, ...spentOn(all), attempt_rows: all.flatMap(({ attempt_rows }) => attempt_rows) };
}

function spentOn(tries: readonly GoalRow[]): Pick<GoalRow, 'attempts' | 'cpu_seconds'> {
  return {
    attempts: tries.reduce((sum, { attempts }) => sum + attempts, 0),
    cpu_seconds: tries.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0),
  };
}
