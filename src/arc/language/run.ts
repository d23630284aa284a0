import { definite } from '../../core/errors.ts';
import { maxSide, type Grid } from '../grid/grid.ts';
import { image, type Image } from './image.ts';
import {
  bind,
  isList,
  onlyImage,
  type Bound,
  type Scene,
  type StepReference,
  type StepReferences,
  type Value,
} from './operation.ts';
import type { Program } from './program.ts';
import { operations } from './registry.ts';

export type RunOutcome =
  | { readonly kind: 'grid'; readonly grid: Grid }
  | { readonly kind: 'EXEC' | 'OVERSIZE' | 'EMPTY'; readonly step: number; readonly message: string };

interface BoundStep {
  readonly apply: Bound;
  readonly of: StepReferences;
  readonly frame: StepReference | null;
  readonly name: string;
}

/** Binds a checked program once, to run on many inputs. */
export function compile(program: Program): (input: Grid) => RunOutcome {
  const steps = bound(program);
  return (input) => execute(steps, input);
}

function bound(program: Program): BoundStep[] {
  return program.map(({ op, args }, index) => ({
    apply: bind(definite(operations.get(op)), args),
    of: args.of ?? (index === 0 ? 'input' : index - 1),
    frame: args.frame ?? null,
    name: op,
  }));
}

/** The result of a run: the value after each executed step, and how it ended. */
export interface Trace {
  readonly values: readonly Value[];
  readonly outcome: RunOutcome;
}

/** Like `compile`, with the value after each step. */
export function compileTraced(program: Program): (input: Grid) => Trace {
  const steps = bound(program);
  return (input) => {
    const values: Value[] = [];
    return { values, outcome: execute(steps, input, values) };
  };
}

function execute(steps: readonly BoundStep[], input: Grid, values: Value[] = []): RunOutcome {
  const start: Image = image(0, 0, input.width, input.height, input.cells);
  const look = (reference: StepReference): Value =>
    reference === 'input' ? start : definite(values[reference]);
  for (const [index, step] of steps.entries()) {
    const value = typeof step.of === 'object' ? step.of.map((part) => onlyImage(look(part))) : look(step.of);
    const frame = step.frame === null ? null : onlyImage(look(step.frame));
    const scene: Scene = { input: start, frame };
    const result = step.apply(value, scene);
    if (result === null) return { kind: 'EXEC', step: index, message: `${step.name} does not apply here` };
    values.push(result);
  }
  return answer(definite(values.at(-1)), steps.length - 1);
}

function answer(value: Value, step: number): RunOutcome {
  if (isList(value)) return { kind: 'EXEC', step, message: 'the answer is a list, not an image' };
  const { width, height, cells } = value;
  if (cells.length === 0) return { kind: 'EMPTY', step, message: 'the answer has no cells' };
  if (width > maxSide || height > maxSide)
    return {
      kind: 'OVERSIZE',
      step,
      message: `the answer is ${width}×${height}, more than ${maxSide}×${maxSide}`,
    };
  return { kind: 'grid', grid: { width, height, cells } };
}
