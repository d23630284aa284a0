import { UserError } from '../../core/errors.ts';
import { borrow, type Workers } from '../goals/files.ts';
import type { GoalsRead, LeanGoal, UnreadableGoal } from '../goals/goal.ts';
import { GoalNames } from '../goals/names.ts';
import { readGoals, type ReadOptions } from '../goals/read.ts';
import { GoalNodes } from './goal-nodes.ts';

/** The goals of several files, in order. One unreadable file does not affect the others. */
export async function goalsOfFiles(
  files: readonly string[],
  lean: Workers,
  options: ReadOptions = {},
): Promise<GoalsRead> {
  const names = new GoalNames();
  const nodes = new GoalNodes();
  const goals: LeanGoal[] = [];
  const unreadable: UnreadableGoal[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    try {
      const read = await readGoals(file, borrow(lean), options);
      goals.push(
        ...read.goals.map((goal) => ({ ...nodes.known(file, goal), id: names.nameIn(file, goal.id) })),
      );
      warnings.push(...(read.warnings ?? []));
      unreadable.push(...read.unreadable.map((one) => ({ ...one, id: names.nameIn(file, one.id) })));
    } catch (error) {
      if (!(error instanceof UserError) || files.length === 1 || options.strict) throw error;
      unreadable.push({ id: names.nameIn(file, file), source: file, message: error.message });
    }
  }
  return { goals, unreadable, warnings };
}
