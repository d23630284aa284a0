import { UserError } from '../../core/errors.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import { readLeanText, type FileGoal } from '../../lean/goals/lean-file.ts';
import { LeaseMeter } from '../../lean/workbench/lease-meter.ts';
import type { FileView } from './project-files.ts';
import type { Call } from './tool.ts';

/** A position from a client: line and column count from 1. */
export interface ClientPlace {
  readonly line: number;
  readonly column?: number | undefined;
}

/** The reader, and the budget that pays. */
type Reader = Pick<Call, 'desk' | 'budget'>;

/** All open goals of a file, or why it cannot be read. */
export async function goalsOf(call: Reader, view: FileView): Promise<readonly FileGoal[]> {
  return await goalsOfText(call, view, view.text);
}

/** The `sorry` at a position. */
export async function sorryAt(
  call: Reader,
  view: FileView,
  place: ClientPlace,
): Promise<FileGoal | undefined> {
  return (await goalsOf(call, view)).find((goal) => isAt(goal, place));
}

/**
 * The goal at a position: that of the `sorry` there, or else of a `sorry` inserted there. Default column: start of the line.
 */
export async function goalAt(
  call: Reader,
  view: FileView,
  place: ClientPlace,
): Promise<FileGoal | undefined> {
  return (await sorryAt(call, view, place)) ?? (await goalIfCut(call, view, place));
}

/** The goal after a line. */
export async function goalAfter(call: Reader, view: FileView, line: number): Promise<FileGoal | undefined> {
  const length = Array.from(lineOf(view, line)).length;
  return await goalIfCut(call, view, { line, column: length + 1 });
}

/** Why there is no proof to work on, as reported by the reader. */
export function mustBeGoal(
  found: FileGoal | undefined,
  { name }: FileView,
  { line }: ClientPlace,
): FileGoal & { readonly goal: NonNullable<FileGoal['goal']> } {
  if (found?.goal) return found;
  const why = found ? found.message : 'there is no open proof at this position';
  throw new UserError('no-goal', `${name}:${line}: ${why}`, 'lean_goals lists the open goals.');
}

async function goalIfCut(
  call: Reader,
  view: FileView,
  { line, column }: ClientPlace,
): Promise<FileGoal | undefined> {
  const lines = view.text.split('\n');
  const here = lineOf(view, line);
  const indent = /^\s*/.exec(here)?.[0] ?? '';
  const kept =
    column === undefined
      ? ''
      : Array.from(here)
          .slice(0, column - 1)
          .join('');
  const before = kept.trim() === '' ? lines.slice(0, line - 1) : [...lines.slice(0, line - 1), kept];
  // after `by` at the end of a line, or without any indentation, the proof is indented one step further
  const margin = /\bby\s*$/.test(before.at(-1) ?? '') && indent === '' ? '  ' : indent;
  const text = `${[...before, `${margin}sorry`].join('\n')}\n`;
  const found = await goalsOfText(call, view, text);
  return found.find((goal) => isAt(goal, { line: before.length + 1 }));
}

function lineOf({ name, text }: FileView, line: number): string {
  const lines = text.split('\n');
  const here = lines[line - 1];
  if (here === undefined) throw new UserError('no-line', `${name} has ${lines.length} lines, not ${line}`);
  return here;
}

async function goalsOfText(
  { desk, budget }: Reader,
  { file, name }: FileView,
  text: string,
): Promise<readonly FileGoal[]> {
  const environment = environmentOfFile(file, text);
  const { pool } = await desk.orch.leanFor(environment);
  const read = await pool.use(
    async (lease) => {
      const meter = new LeaseMeter(lease);
      const answer = await readLeanText(lease, text, file, environment);
      budget.charge(meter.read().cpuSeconds);
      return answer;
    },
    { environment },
  );
  if (!read.ok) throw new UserError('unreadable-file', `${name}: ${read.error.kind}: ${read.error.message}`);
  return read.value.goals;
}

function isAt({ sorries }: FileGoal, { line, column }: ClientPlace): boolean {
  return sorries.some(
    ({ start, end }) =>
      start[0] === line && (column === undefined || (column > start[1] && column <= end[1] + 1)),
  );
}
