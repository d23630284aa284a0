import { definite } from '../../core/errors.ts';
import { contentHash } from '../grid/grid.ts';
import { isTable, type Argument, type StepReference, type StepReferences } from './operation.ts';
import type { Program, ProgramStep } from './program.ts';

/**
 * The normal form of a program: explicit `of`, without unused steps, with sorted keys. Programs with the same normal
 * form behave the same, whether written as JSON or as rule text.
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
      of: isOne(of) ? moved(of) : of.map(moved),
    };
    if (args.frame !== undefined) written['frame'] = moved(args.frame);
    return { op, args: sorted(written, sortedTable) };
  });
}

/** The id of a candidate: equal programs have equal ids. */
export function candidateId(program: Program): string {
  return contentHash(JSON.stringify(normalForm(program)));
}

/** The sources of a step, including implicit ones. */
function referencesOf(program: Program, index: number): StepReferences {
  return definite(program[index]).args.of ?? (index === 0 ? 'input' : index - 1);
}

/** The last step and the steps it needs; with `frames` false, those that only provide a size are excluded. */
export function usedSteps(program: Program, frames = true): Set<number> {
  const used = new Set<number>();
  const visit = (reference: StepReference): void => {
    if (reference === 'input' || used.has(reference)) return;
    used.add(reference);
    const of = referencesOf(program, reference);
    for (const part of isOne(of) ? [of] : of) visit(part);
    const { frame } = definite(program[reference]).args;
    if (frames && frame !== undefined) visit(frame);
  };
  visit(program.length - 1);
  return used;
}

function isOne(of: StepReferences): of is StepReference {
  return typeof of !== 'object';
}

function sorted<Part>(
  record: Readonly<Record<string, Part>>,
  inside: (part: Part) => Part,
): Record<string, Part> {
  return Object.fromEntries(
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, inside(part)]),
  );
}

function sortedTable(value: Argument): Argument {
  return isTable(value) ? sorted(value, (answer) => answer) : value;
}
