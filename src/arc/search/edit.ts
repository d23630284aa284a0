import { definite } from '../../core/errors.ts';
import { choicesFor, type Choice } from '../language/variants.ts';
import type { Task } from '../grid/task.ts';
import { familyOfOperation, paletteOf, swapsOf, type Aspect } from '../language/alternatives.ts';
import { learnedSteps } from './learned-edits.ts';
import { candidateId, normalForm } from '../language/normal.ts';
import type { Argument, StepReference } from '../language/operation.ts';
import { checkProgram, type Program, type ProgramStep } from '../language/program.ts';
import { operations } from '../language/registry.ts';
import {
  insertAfter,
  insertBefore,
  insertFirst,
  sourcesOf,
  splice,
  withoutStep,
  withStep,
} from '../language/surgery.ts';
import { asImage } from '../language/trace.ts';

/** The kinds of edits of a program. */
export const directiveKinds = [
  'ADD_STEP',
  'DROP_STEP',
  'REPLACE_OP',
  'CHANGE_ARG',
  'CHANGE_SELECTOR',
  'FIX_SIZE',
  'REMAP_COLOUR',
  'CHANGE_CONNECTIVITY',
  'ADD_CONDITION',
  'REORDER',
  'SPLICE_FRAGMENT',
  'RESTART',
] as const;
export type DirectiveKind = (typeof directiveKinds)[number];

/** A kind of edit, and the step of the program's normal form that it applies to. */
export interface Directive {
  readonly kind: DirectiveKind;
  readonly step: number;
}

/** The material for edits. */
export interface Workshop {
  readonly task: Pick<Task, 'train' | 'test'>;
  /** Pieces of one to three steps that work on `input`. */
  readonly fragments: readonly Program[];
  /** Programs to start over from. */
  readonly drafts: readonly Program[];
  /** Receives the cost of learners, in nodes. */
  readonly spend: (nodes: number) => void;
}

/**
 * The programs that a directive makes from a program: in normal form, well typed, without duplicates or the parent, learned
 * ones first. The order depends only on the arguments. Programs are created on demand.
 */
export function* edit(parent: Program, directive: Directive, workshop: Workshop): Generator<Program> {
  const program = normalForm(parent);
  const seen = new Set([candidateId(program)]);
  for (const draft of edits[directive.kind](program, directive.step, workshop)) {
    const checked = checkProgram(draft);
    if (!checked.ok) continue;
    const id = candidateId(checked.value);
    if (seen.has(id)) continue;
    seen.add(id);
    yield normalForm(checked.value);
  }
}

type Edit = (program: Program, step: number, workshop: Workshop) => Iterable<Program>;

const edits: Readonly<Record<DirectiveKind, Edit>> = {
  ADD_STEP: addStep,
  DROP_STEP: dropStep,
  REPLACE_OP: replaceOperation,
  CHANGE_ARG: (program, step, workshop) => swapped(program, step, workshop, ['arg', 'describer']),
  CHANGE_SELECTOR: (program, step, workshop) => swapped(program, step, workshop, ['selector']),
  FIX_SIZE: fixSize,
  REMAP_COLOUR: remapColour,
  CHANGE_CONNECTIVITY: (program, step, workshop) => swapped(program, step, workshop, ['connectivity']),
  ADD_CONDITION: addCondition,
  REORDER: reorder,
  SPLICE_FRAGMENT: (program, step, { fragments }) =>
    fragments.map((fragment) => splice(program, step, normalForm(fragment))),
  RESTART: (_program, _step, { drafts }) => drafts,
};

function* swapped(
  program: Program,
  step: number,
  { task }: Workshop,
  aspects: readonly Aspect[],
): Generator<Program> {
  for (const swap of swapsOf(program, step, paletteOf(task)))
    if (aspects.includes(swap.aspect)) yield swap.program;
}

/** A table or move learned from the residual, then every plain operation after and before the step. */
function* addStep(program: Program, step: number, workshop: Workshop): Generator<Program> {
  for (const { op, args } of learnedSteps(program, step, step, workshop))
    yield insertAfter(program, step, op, args);
  for (const { operation, args } of plainChoices(workshop.task, 'input'))
    if (operation.takes === 'image' && operation.gives === 'image') {
      yield insertAfter(program, step, operation.name, args);
      yield insertBefore(program, step, operation.name, args);
    }
}

/** The step replaced by each of its sources, and lists without one of their parts. */
function* dropStep(program: Program, step: number): Generator<Program> {
  const old = definite(program[step]);
  for (const source of sourcesOf(old))
    if (program.length > 1) yield withoutStep(program, step, source);
    else yield [{ op: 'origin', args: { of: source } }];
  const { of } = old.args;
  if (!Array.isArray(of)) return;
  for (const place of of.keys())
    yield program.with(step, { op: old.op, args: { ...old.args, of: of.toSpliced(place, 1) } });
}

/** The step learned again on its sources, then replaced by every other operation, its own family first. */
function* replaceOperation(program: Program, step: number, workshop: Workshop): Generator<Program> {
  const old = definite(program[step]);
  for (const source of sourcesOf(old))
    for (const { op, args } of learnedSteps(program, source, step, workshop))
      yield program.with(step, { op, args: { ...args, of: source } });
  const frame = old.args.frame ?? 'input';
  const family = familyOfOperation(old.op);
  const choices = plainChoices(workshop.task, frame).filter(({ operation }) => operation.name !== old.op);
  const [near, far] = [choices.filter(isOf(family)), choices.filter((one) => !isOf(family)(one))];
  for (const { operation, args } of [...near, ...far]) yield withStep(program, step, operation.name, args);
}

function isOf(family: string): (choice: Choice) => boolean {
  return ({ operation }) => familyOfOperation(operation.name) === family;
}

/** Another size in place of the step's frame or of a step that only provides one, or the step's value brought to that size. */
function* fixSize(program: Program, step: number, workshop: Workshop): Generator<Program> {
  yield* swapped(program, step, workshop, ['size']);
  const { op, args } = definite(program[step]);
  const sizes = sizeSteps(workshop.task);
  for (const size of sizes) {
    if (familyOfOperation(op) === 'frames' && op !== 'stack') yield program.with(step, size);
    const longer = insertFirst(program, [size]);
    if (args['frame'] !== undefined)
      yield longer.with(step + 1, {
        op,
        args: { ...definite(longer[step + 1]).args, frame: 0 },
      });
    for (const framed of ['embed', 'broadcast']) yield insertAfter(longer, step + 1, framed, { frame: 0 });
  }
}

/** Steps that give the output's size on every pair: the input's size, a fixed one, multiples and sums. */
function sizeSteps({ train }: Workshop['task']): ProgramStep[] {
  const steps: ProgramStep[] = [];
  const first = train[0];
  if (first === undefined) return steps;
  const { output } = first;
  steps.push({ op: 'size', args: { of: 'input', width: output.width, height: output.height } });
  for (let wide = 1; wide <= 3; wide++)
    for (let high = 1; high <= 3; high++)
      steps.push({
        op: 'size_of',
        args: {
          of: 'input',
          times_width: wide,
          times_height: high,
          plus_width: output.width - wide * first.input.width,
          plus_height: output.height - high * first.input.height,
        },
      });
  return steps.filter(({ op, args }) =>
    train.every(({ input, output: wanted }) => {
      const width = op === 'size' ? Number(args['width']) : along(args, 'width', input.width);
      const height = op === 'size' ? Number(args['height']) : along(args, 'height', input.height);
      return width === wanted.width && height === wanted.height;
    }),
  );
}

function along(args: ProgramStep['args'], side: 'width' | 'height', length: number): number {
  return Number(args[`times_${side}`]) * length + Number(args[`plus_${side}`]);
}

/** Other colour arguments, then one colour of the step's value mapped to another, then two colours exchanged. */
function* remapColour(program: Program, step: number, workshop: Workshop): Generator<Program> {
  yield* swapped(program, step, workshop, ['colour']);
  const palette = paletteOf(workshop.task);
  for (const from of palette)
    for (const to of palette) {
      if (from === to) continue;
      yield insertAfter(program, step, 'recolour', { table: { [from]: `${to}` } });
      if (from < to)
        yield insertAfter(program, step, 'recolour', { table: { [from]: `${to}`, [to]: `${from}` } });
    }
}

/** The step restricted to empty cells of its source, or to filled ones. */
function* addCondition(program: Program, step: number): Generator<Program> {
  const old = definite(program[step]);
  for (const source of sourcesOf(old)) {
    for (const order of ['below', 'above'])
      yield withBoth(program, step, source, { op: 'stack', args: { frame: source } }, (after) =>
        order === 'below' ? [source, after] : [after, source],
      );
  }
}

function withBoth(
  program: Program,
  step: number,
  source: StepReference,
  { op, args }: ProgramStep,
  parts: (after: number) => readonly StepReference[],
): Program {
  const longer = insertAfter(program, step, op, args);
  return longer.with(step + 1, {
    op,
    args: {
      ...args,
      of: parts(step),
      ...(args['frame'] !== undefined && { frame: source }),
    },
  });
}

/** The step exchanged with one that uses it, or neighbours in its list of sources exchanged. */
function* reorder(program: Program, step: number): Generator<Program> {
  const { op, args } = definite(program[step]);
  for (const [user, other] of program.entries())
    if (user > step && other.args['of'] === step) yield exchanged(program, step, user);
  const { of } = args;
  if (!Array.isArray(of)) return;
  for (let place = 0; place + 1 < of.length; place++) {
    const parts = of.with(place, definite(of[place + 1])).with(place + 1, definite(of[place]));
    yield program.with(step, { op, args: { ...args, of: parts } });
  }
}

/** Exchanges two steps: each takes the other's source, and the frame must precede both. */
function exchanged(program: Program, first: number, second: number): Program {
  const [one, two] = [definite(program[first]), definite(program[second])];
  const frameOf = ({ args }: ProgramStep): Record<string, Argument> => {
    const frame = args['frame'];
    return frame === undefined
      ? {}
      : { frame: typeof frame === 'number' && frame >= first ? 'input' : frame };
  };
  return program
    .with(first, { op: two.op, args: { ...two.args, of: definite(one.args.of), ...frameOf(two) } })
    .with(second, { op: one.op, args: { ...one.args, of: first, ...frameOf(one) } });
}

/** Every operation with the arguments that the search tries on this task, cheapest first; size-bound ones get the frame. */
function plainChoices(task: Workshop['task'], frame: StepReference): Choice[] {
  const inputs = [...task.train.map(({ input }) => input), ...task.test].map(asImage);
  const outputs = task.train.map(({ output }) => asImage(output));
  return choicesFor(inputs, outputs, true)
    .map((choice) => {
      const { framed } = definite(operations.get(choice.operation.name));
      return framed === true ? { ...choice, args: { ...choice.args, frame } } : choice;
    })
    .sort((a, b) => a.cost - b.cost);
}
