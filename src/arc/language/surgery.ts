import { definite } from '../../core/errors.ts';
import type { Arguments, StepReference } from './operation.ts';
import type { Program, ProgramStep } from './program.ts';

/** Edits of programs: inserts and removes steps and updates all references. They expect programs with explicit `of`. */

export function sourcesOf({ args }: ProgramStep): readonly StepReference[] {
  const of = definite(args.of);
  return typeof of === 'object' ? of : [of];
}

/** Maps every `of`, optionally also every `frame`, to new references. */
function rewired(
  step: ProgramStep,
  moved: (reference: StepReference, role: 'of' | 'frame') => StepReference,
): ProgramStep {
  const { frame } = step.args;
  const of = definite(step.args.of);
  return {
    op: step.op,
    args: {
      ...step.args,
      of: typeof of === 'object' ? of.map((part) => moved(part, 'of')) : moved(of, 'of'),
      ...(frame !== undefined && { frame: moved(frame, 'frame') }),
    },
  };
}

/** Inserts a step after another one; users of the old step's value now use the new one's; frames do not change. */
export function insertAfter(program: Program, index: number, op: string, args: Arguments): Program {
  const added: ProgramStep = { op, args: { ...args, of: index } };
  const later = program.slice(index + 1).map((step) =>
    rewired(step, (reference, role) => {
      if (reference === 'input' || reference < index) return reference;
      return reference === index && role === 'frame' ? reference : reference + 1;
    }),
  );
  return [...program.slice(0, index + 1), added, ...later];
}

/** Inserts a step between a step and its source. */
export function insertBefore(program: Program, index: number, op: string, args: Arguments): Program {
  const old = definite(program[index]);
  const added: ProgramStep = { op, args: { ...args, of: definite(old.args.of) } };
  const moved = program.slice(index).map((step) => rewired(step, shiftedFrom(index)));
  const first = definite(moved[0]);
  return [
    ...program.slice(0, index),
    added,
    { op: first.op, args: { ...first.args, of: index } },
    ...moved.slice(1),
  ];
}

/** Inserts steps before all others; they work on the input. */
export function insertFirst(program: Program, steps: readonly ProgramStep[]): Program {
  return [...steps, ...program.map((step) => rewired(step, shiftedFrom(0, steps.length)))];
}

/** Removes a step; users of its value use `instead`. */
export function withoutStep(program: Program, index: number, instead: StepReference): Program {
  return program.toSpliced(index, 1).map((step) =>
    rewired(step, (reference) => {
      if (reference === 'input' || reference < index) return reference;
      return reference === index ? instead : reference - 1;
    }),
  );
}

function shiftedFrom(index: number, by = 1): (reference: StepReference) => StepReference {
  return (reference) => (reference === 'input' || reference < index ? reference : reference + by);
}

/** A step with another operation or other arguments on the same sources. */
export function withStep(program: Program, index: number, op: string, args: Arguments): Program {
  const old = definite(program[index]);
  return program.with(index, { op, args: { ...args, of: definite(old.args.of) } });
}

/** Inserts a sequence of steps that works on `input` between a step and its users. */
export function splice(program: Program, index: number, piece: Program): Program {
  const placed = piece.map((step) =>
    rewired(step, (reference, role) => {
      if (reference === 'input') return role === 'frame' ? 'input' : index;
      return index + 1 + reference;
    }),
  );
  const end = index + piece.length;
  const later = program.slice(index + 1).map((step) =>
    rewired(step, (reference, role) => {
      if (reference === 'input' || reference < index) return reference;
      return reference === index ? (role === 'frame' ? index : end) : reference + piece.length;
    }),
  );
  return [...program.slice(0, index + 1), ...placed, ...later];
}
