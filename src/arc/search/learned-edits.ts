import { learnCells } from './learn.ts';
import { learnMoves } from './learn-moves.ts';
import { learnTreatments } from './learn-treatments.ts';
import type { Decision } from './decide.ts';
import { Work } from './work.ts';
import type { Task } from '../grid/task.ts';
import { haveSizesOf, type Image } from '../language/image.ts';
import type { Arguments, StepReference } from '../language/operation.ts';
import type { Program } from '../language/program.ts';
import { imagesAt, targetsAt, traceAll } from '../language/trace.ts';

/** A step learned from the residual. */
export interface LearnedStep {
  readonly op: 'cells' | 'move_objects' | 'treat_objects';
  readonly args: Arguments;
}

const most = 3;

/** The material for learners, and the callback that receives their costs. */
interface Lesson {
  readonly task: Pick<Task, 'train' | 'test'>;
  readonly spend: (nodes: number) => void;
}

/** The images that a program has computed for a task, and what they should become. */
export interface Residual {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly inputs: readonly Image[];
}

/** Null if the value is not an image of the target's size on every pair, or nothing is left to change. */
export function residualAt(
  program: Program,
  reference: StepReference,
  step: number,
  task: Lesson['task'],
): Residual | null {
  const targets = targetsAt(program, step, task.train);
  if (targets === null) return null;
  const grids = [...task.train.map(({ input }) => input), ...task.test];
  const traces = traceAll(program, grids);
  const bases = imagesAt(traces, grids, reference);
  const inputs = imagesAt(traces, grids, 'input');
  if (bases === null || inputs === null) return null;
  if (!haveSizesOf(bases, targets)) return null;
  return { bases, targets, inputs };
}

/** Tables, moves and treatments that turn the value of `reference` into what `step` should give. */
export function learnedSteps(
  program: Program,
  reference: StepReference,
  step: number,
  lesson: Lesson,
): LearnedStep[] {
  const residual = residualAt(program, reference, step, lesson.task);
  if (residual === null) return [];
  const { bases, targets } = residual;
  const work = new Work(Infinity);
  const limits = { widen: 12, deepest: 3, work };
  const { decided, near } = learnCells({ ...residual, wide: false }, limits, most);
  const cells = [...decided, ...(near === null ? [] : [near])]
    .filter(saysSomething)
    .map((rule): LearnedStep => ({ op: 'cells', args: { ...tableOf(rule), else: 'keep', rounds: 1 } }));
  const moves = learnMoves(bases, targets, { ...limits, deepest: 2 }, most).map(({ args }): LearnedStep => ({
    op: 'move_objects',
    args,
  }));
  const treatments = learnTreatments(bases, targets, { ...limits, deepest: 2 }, most).map(
    ({ args }): LearnedStep => ({ op: 'treat_objects', args }),
  );
  lesson.spend(work.spent);
  return [...cells, ...moves, ...treatments];
}

function tableOf({ columns, table }: Decision): { features: string[]; table: Decision['table'] } {
  return { features: columns.map(({ name }) => name), table };
}

function saysSomething({ table }: Decision): boolean {
  return Object.values(table).some((answer) => answer !== '@self');
}
