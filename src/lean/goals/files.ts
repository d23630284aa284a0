import { UserError } from '../../core/errors.ts';
import { GoalNodes } from '../blueprint/goal-nodes.ts';
import { environmentOf, environmentOfFile, libraryOf, onlyModules } from '../project/environment.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { ImageName } from '../toolchain/embedded/embedded.ts';
import { imageOf } from '../project/image-choice.ts';
import type { GoalsRead, LeanGoal, UnreadableGoal } from './goal.ts';
import { GoalNames } from './names.ts';
import { readGoals, readText, type BorrowLean, type ReadOptions } from './read.ts';

interface Workers {
  readonly pool: LeanPool;
}

/** The image that the goals of files need: of a row, its preamble and its imports speak. */
export function imageOfFiles(files: readonly string[]): ImageName {
  const environments = files.flatMap((file) => {
    const text = readText(file);
    if (file.endsWith('.lean')) return [environmentOfFile(file, text)];
    return [...preamblesIn(text).map(environmentOf), onlyModules(importsIn(text))];
  });
  return imageOf(environments.flatMap(libraryOf));
}

/** Rows may be many and some of them broken: what is asked for here is only what they import. */
function preamblesIn(text: string): string[] {
  const found = text.matchAll(/"preamble"\s*:\s*"((?:[^"\\]|\\.)*)"/g);
  return [...found].map(([, preamble = '']) => preamble.replaceAll('\\n', '\n'));
}

function importsIn(text: string): string[] {
  const lists = text.matchAll(/"imports"\s*:\s*\[([^\]]*)\]/g);
  return [...lists].flatMap(([, names = '']) =>
    [...names.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name),
  );
}

/** The goals of several files, in their order. Of several, one that Lean cannot read does not refuse the others. */
export async function goalsOfFiles(
  files: readonly string[],
  lean: Workers,
  options: ReadOptions = {},
): Promise<GoalsRead> {
  const names = new GoalNames();
  const nodes = new GoalNodes();
  const goals: LeanGoal[] = [];
  const unreadable: UnreadableGoal[] = [];
  for (const file of files) {
    try {
      const read = await readGoals(file, borrow(lean), options);
      goals.push(
        ...read.goals.map((goal) => ({ ...nodes.known(file, goal), id: names.nameIn(file, goal.id) })),
      );
      unreadable.push(...read.unreadable.map((one) => ({ ...one, id: names.nameIn(file, one.id) })));
    } catch (error) {
      if (!(error instanceof UserError) || files.length === 1 || options.strict) throw error;
      unreadable.push({ id: names.nameIn(file, file), source: file, message: error.message });
    }
  }
  return { goals, unreadable };
}

/** Workers to read texts with. */
export function borrow({ pool }: Workers): BorrowLean {
  return async (environment, talk) => await pool.use(talk, { environment });
}
