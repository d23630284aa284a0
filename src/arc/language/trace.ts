import { definite } from '../../core/errors.ts';
import type { Grid } from '../grid/grid.ts';
import type { Pair } from '../grid/task.ts';
import { image, type Image } from './image.ts';
import { bind, isList, type Value, type StepReference } from './operation.ts';
import type { Program, ProgramStep } from './program.ts';
import { operations } from './registry.ts';
import { compileTraced, type Trace } from './run.ts';

/** Runs a program on each input and records every step. */
export function traceAll(program: Program, inputs: readonly Grid[]): Trace[] {
  return inputs.map(compileTraced(program));
}

/** The value of a reference in each trace, if it is always an image; otherwise null. */
export function imagesAt(
  traces: readonly Trace[],
  inputs: readonly Grid[],
  reference: StepReference,
): Image[] | null {
  const images: Image[] = [];
  for (const [i, { values }] of traces.entries()) {
    const value: Value | undefined = reference === 'input' ? asImage(definite(inputs[i])) : values[reference];
    if (value === undefined || isList(value)) return null;
    images.push(value);
  }
  return images;
}

/**
 * The expected result of a step for each training pair, if known: the outputs for the last step, or the outputs seen
 * through the view if only the way back from a view follows.
 */
export function targetsAt(program: Program, step: number, train: readonly Pair[]): Image[] | null {
  const back = program.slice(step + 1);
  const isWayBack = back.every(
    ({ op, args }, i) => operations.has(into(op)) && (args['of'] ?? step + i) === step + i,
  );
  if (!isWayBack) return null;
  const views = back
    .toReversed()
    .map(({ op, args }: ProgramStep) => bind(definite(operations.get(into(op))), args));
  const targets: Image[] = [];
  for (const { input, output } of train) {
    const scene = { input: asImage(input), frame: null };
    let value: Value | null = asImage(output);
    for (const apply of views) value = value === null ? null : apply(value, scene);
    if (value === null || isList(value)) return null;
    targets.push(value);
  }
  return targets;
}

/** The step into a view, by the name of the step back: `unroles` → `roles`. */
function into(op: string): string {
  return op.startsWith('un') ? op.slice('un'.length) : '';
}

export function asImage({ width, height, cells }: Grid): Image {
  return image(0, 0, width, height, cells);
}
