import { existsSync } from 'node:fs';
import path from 'node:path';
import { failed, success, type Result } from '../../core/result.ts';
import { declarationIn } from '../../shared/goal-names.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import { environmentOfFile } from '../project/environment.ts';
import { type LeanGoal, leanGoalIn } from '../goals/goal.ts';
import { readLeanText, type FileGoal } from '../goals/lean-file.ts';
import type { LeanPool } from '../workers/pool.ts';
import { readTextFile } from '../../io/text-file.ts';

/** A declaration that is open on the base and whose `sorry`s are all proved by a run. */
export interface ProvedDeclaration {
  readonly name: string;
  /** From the top of the repository. */
  readonly file: string;
  readonly holes: readonly { readonly goal: LeanGoal; readonly known: GoalDetail }[];
}

/** A goal that cannot be shipped, and why. */
export interface NotPlanned {
  readonly name: string;
  readonly message: string;
}

/**
 * Matches proofs with open declarations of the base, by statement; the gate checks that the environment is the same. Declarations that the base has proved meanwhile are skipped.
 */
export async function planShipping(
  pool: LeanPool,
  tree: string,
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
): Promise<{ readonly declarations: readonly ProvedDeclaration[]; readonly not: readonly NotPlanned[] }> {
  const declarations: ProvedDeclaration[] = [];
  const not: NotPlanned[] = [];
  for (const [file, goals] of solved) {
    const read = await readGoalsIn(pool, tree, file);
    if (!read.ok) {
      not.push(...goals.map(({ goal }) => ({ name: goal, message: read.error.message })));
      continue;
    }
    const taken = new Set<GoalDetail>();
    for (const [name, all] of Map.groupBy(read.value, ({ declaration }) => declaration)) {
      const holes = all.flatMap(({ goal }) => {
        if (!goal) return [];
        const fit = goals.filter((one) => !taken.has(one) && saysTheSame(leanGoalIn(one.task), goal));
        // the same words may mean something else in another namespace
        const known = fit.find((one) => declarationIn(one.goal) === name) ?? fit[0];
        if (!known) return [];
        taken.add(known);
        return [{ goal, known }];
      });
      if (holes.length === all.length) declarations.push({ name, file, holes });
      else if (holes.length > 0)
        not.push({ name, message: `${all.length - holes.length} of its sorrys are still open` });
    }
    const open = new Set(read.value.map(({ declaration }) => declaration));
    for (const known of goals)
      if (!taken.has(known) && open.has(declarationIn(known.goal)))
        not.push({ name: known.goal, message: `${file} has another statement there now` });
  }
  return { declarations, not };
}

/** Open goals of a file in a work tree, or an error. */
export async function readGoalsIn(
  pool: LeanPool,
  tree: string,
  file: string,
): Promise<Result<readonly FileGoal[]>> {
  const place = path.join(tree, file);
  if (!existsSync(place)) return failed({ kind: 'no-file', message: `${file} does not exist on the base` });
  const text = readTextFile(place);
  const environment = environmentOfFile(place, text);
  const read = await pool.use(async (lease) => await readLeanText(lease, text, place, environment), {
    environment,
  });
  if (read.ok) return success(read.value.goals);
  const { kind, message } = read.error;
  return failed({ kind, message: `${kind}: ${message}` });
}

type Said = Pick<LeanGoal, 'statement' | 'holes'>;

export function saysTheSame(one: Said, other: Said): boolean {
  return one.statement === other.statement && JSON.stringify(one.holes) === JSON.stringify(other.holes);
}
