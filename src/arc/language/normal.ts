import { contentHash } from '../grid/grid.ts';
import type { Argument } from './operation.ts';
import type { Program, Reference, Step } from './program.ts';

/**
 * The normal form of a program: `of` written out, steps that the answer does not use dropped, keys sorted. Programs with
 * one normal form do the same, whether they were written as JSON or as rule text.
 */
export function normalForm(program: Program): Program {
  const used = usedSteps(program);
  const place = new Map([...used].sort((a, b) => a - b).map((step, index) => [step, index]));
  const moved = (reference: Reference): Reference =>
    reference === 'input' ? 'input' : (place.get(reference) as number);
  return [...place.keys()].map((index): Step => {
    const { op, args } = program[index] as Step;
    const of = referencesOf(program, index);
    const written: Record<string, Argument> = {
      ...args,
      of: isOne(of) ? moved(of) : (of.map(moved) as Argument),
    };
    const frame = args['frame'] as Reference | undefined;
    if (frame !== undefined) written['frame'] = moved(frame);
    return { op, args: sorted(written) as Step['args'] };
  });
}

/** The name of a candidate: equal programs have equal names. */
export function candidateId(program: Program): string {
  return contentHash(JSON.stringify(normalForm(program)));
}

/** What a step works on, also where it is not written. */
function referencesOf(program: Program, index: number): Reference | readonly Reference[] {
  const of = (program[index] as Step).args['of'];
  return (of ?? (index === 0 ? 'input' : index - 1)) as Reference | readonly Reference[];
}

/** The steps that the last one needs, and itself; with `frames` false, those that only lend a size are left out. */
export function usedSteps(program: Program, frames = true): Set<number> {
  const used = new Set<number>();
  const visit = (reference: Reference): void => {
    if (reference === 'input' || used.has(reference)) return;
    used.add(reference);
    const of = referencesOf(program, reference);
    for (const part of isOne(of) ? [of] : of) visit(part);
    const frame = (program[reference] as Step).args['frame'] as Reference | undefined;
    if (frames && frame !== undefined) visit(frame);
  };
  visit(program.length - 1);
  return used;
}

function isOne(of: Reference | readonly Reference[]): of is Reference {
  return typeof of !== 'object';
}

function sorted(value: Argument | Step['args']): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
