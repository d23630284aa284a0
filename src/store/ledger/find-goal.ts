import { UserError } from '../../core/errors.ts';
import type { Ledger } from './ledger.ts';

const runsLookedAt = 100;
const namesShown = 8;

/** A goal of the ledger. */
export interface GoalFound {
  readonly run: string;
  readonly goal: string;
}

/**
 * Finds a goal by its whole name, else by the end of its name (`sub_helper` for `Basic.lean: Nat.sub_helper`), in the given run or in the newest run that has one.
 */
export async function findGoal({ views }: Ledger, name: string, given?: string): Promise<GoalFound> {
  const runs = given === undefined ? (await views.runs(runsLookedAt)).map(({ run }) => run) : [given];
  const names = new Map<string, readonly string[]>();
  for (const run of runs) {
    const goals = (await views.goalStates(run)).map(({ goal }) => goal);
    if (goals.includes(name)) return { run, goal: name };
    names.set(run, goals);
  }
  for (const [run, goals] of names) {
    const [goal, ...others] = goals.filter((each) => isEndOf(name, each));
    if (goal === undefined) continue;
    if (others.length === 0) return { run, goal };
    const shown = [goal, ...others].slice(0, namesShown);
    throw new UserError(
      'several-goals',
      `${others.length + 1} goals of run ${run} end in ${name}: ${shown.join(', ')}${others.length >= namesShown ? ', …' : ''}`,
      'Give a longer part of the name.',
    );
  }
  throw new UserError(
    'no-such-goal',
    given === undefined ? `no run in the ledger has a goal ${name}` : `run ${given} has no goal ${name}`,
    'orch stats lists the runs.',
  );
}

/** `c` and `b.c` are ends of `A.lean: a.b.c`; `ope` is not an end of `hope`. */
export function isEndOf(end: string, name: string): boolean {
  return name.endsWith(end) && /[.:/ #]$/.test(name.slice(0, name.length - end.length));
}
