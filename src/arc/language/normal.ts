import { definite } from '../../core/errors.ts';
import { contentHash } from '../grid/grid.ts';
import type { Argument } from './operation.ts';
import type { Program, StepReference, ProgramStep } from './program.ts';

/**
 * The normal form of a program: `of` written out, steps that the answer does not use dropped, keys sorted. Programs with
 * one normal form do the same, whether they were written as JSON or as rule text.
 */
export function normalForm(program: Program): Program {
  const used = usedSteps(program);
  const place = new Map([...used].sort((a, b) => a - b).map((step, index) => [step, index]));
  const moved = (reference: StepReference): StepReference =>
    reference === 'input' ? 'input' : definite(place.get(reference));
  return [...place.keys()].map((index): ProgramStep => {
    const { op, args } = definite(program[index]);
    const of = referencesOf(program, index);
    const written: Record<string, Argument> = {
      ...args,
      of: isOne(of) ? moved(of) : (of.map(moved) as Argument),
    };
    const frame = args['frame'] as StepReference | undefined;
    if (frame !== undefined) written['frame'] = moved(frame);
    return { op, args: sorted(written) as ProgramStep['args'] };
  });
}

/** The name of a candidate: equal programs have equal names. */
export function candidateId(program: Program): string {
  return contentHash(JSON.stringify(normalForm(program)));
}

/** What a step works on, also where it is not written. */
function referencesOf(program: Program, index: number): StepReference | readonly StepReference[] {
  const of = definite(program[index]).args['of'];
  return (of ?? (index === 0 ? 'input' : index - 1)) as StepReference | readonly StepReference[];
}

/** The steps that the last one needs, and itself; with `frames` false, those that only lend a size are left out. */
export function usedSteps(program: Program, frames = true): Set<number> {
  const used = new Set<number>();
  const visit = (reference: StepReference): void => {
    if (reference === 'input' || used.has(reference)) return;
    used.add(reference);
    const of = referencesOf(program, reference);
    for (const part of isOne(of) ? [of] : of) visit(part);
    const frame = definite(program[reference]).args['frame'] as StepReference | undefined;
    if (frames && frame !== undefined) visit(frame);
  };
  visit(program.length - 1);
  return used;
}

function isOne(of: StepReference | readonly StepReference[]): of is StepReference {
  return typeof of !== 'object';
}

function sorted(value: Argument | ProgramStep['args']): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
