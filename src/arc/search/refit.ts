import { definite } from '../../core/errors.ts';
import { learnCells } from './learn.ts';
import { Work } from './work.ts';
import type { Task } from '../grid/task.ts';
import { wideFeatureNames } from '../language/features/features.ts';
import { residualAt, type Residual } from './learned-edits.ts';
import { normalForm } from '../language/normal.ts';
import type { Arguments } from '../language/operation.ts';
import type { Program, ProgramStep } from '../language/program.ts';

/** A cell rule without its table: the features of the keys, and the places that answers may be read from. */
export interface TableShape {
  readonly features: readonly string[];
  readonly sources: readonly string[];
}

export interface FittedTable {
  readonly args: Arguments;
  readonly held: number;
}

const known: ReadonlySet<string> = new Set(wideFeatureNames);

/** The shape of a cell rule that acts once; null for any other step. */
export function tableShape({ op, args }: ProgramStep): TableShape | null {
  if (op !== 'cells' || args['rounds'] !== 1) return null;
  const answers = Object.values(definite(args.table));
  const sources = answers.filter((answer) => answer.startsWith('@')).map((answer) => answer.slice(1));
  return { features: definite(args.features), sources: [...new Set(sources)].sort() };
}

/**
 * Learns a table of a known shape from other pairs: the features of a rule carry over from task to task, its answers do not.
 * Only tables that pass leave-one-out for every pair and have every key of the tests are returned.
 */
export function fitTable(
  residual: Residual,
  { features, sources }: TableShape,
  spend: (nodes: number) => void,
): FittedTable | null {
  const only = [...new Set(['self', ...features, ...sources])];
  if (!only.every((name) => known.has(name))) return null;
  const work = new Work(Infinity);
  const limits = { widen: 4, deepest: features.length, work };
  const [rule] = learnCells({ ...residual, wide: false, only }, limits, 1).decided;
  spend(work.spent);
  if (rule === undefined || rule.held < 1 || rule.unknownCells > 0) return null;
  const asked = rule.columns.map(({ name }) => name);
  return { args: { features: asked, table: rule.table, else: 'keep', rounds: 1 }, held: rule.held };
}

/** A program with its last cell rule fitted to another task; null if it has none, or no table of that shape fits. */
export function refitted(
  program: Program,
  task: Pick<Task, 'train' | 'test'>,
  spend: (nodes: number) => void,
): Program | null {
  const steps = normalForm(program);
  const shapes = steps.map(tableShape);
  const at = shapes.findLastIndex((shape) => shape !== null);
  const shape = shapes[at];
  const of = steps[at]?.args.of;
  if (!shape || of === undefined || typeof of === 'object') return null;
  const residual = residualAt(steps, of, at, task);
  const fitted = residual && fitTable(residual, shape, spend);
  if (!fitted) return null;
  return steps.map((step, i) => (i === at ? { op: 'cells', args: { ...fitted.args, of } } : step));
}
