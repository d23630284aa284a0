import type { Arguments, StepReference, StepReferences } from '../language/operation.ts';
import type { Program, ProgramStep } from '../language/program.ts';
import type { Pieces } from './pieces.ts';

/** Writes steps in order and remembers the step of each value, so shared prefixes are written once. */
export class Emitter {
  readonly steps: ProgramStep[] = [];
  readonly #root: StepReference;
  readonly #known = new Map<string, StepReference>();

  constructor(prefix: Program) {
    for (const step of prefix) this.steps.push(step);
    this.#root = prefix.length === 0 ? 'input' : prefix.length - 1;
  }

  get root(): StepReference {
    return this.#root;
  }

  add(op: string, args: Arguments, of: StepReferences): number {
    const previous = this.steps.length === 0 ? 'input' : this.steps.length - 1;
    const step: ProgramStep = { op, args: of === previous ? args : { ...args, of } };
    this.steps.push(step);
    return this.steps.length - 1;
  }

  /** The steps that lead to a tuple; `frame` is written when a size-bound step first needs it. */
  tuple(pieces: Pieces, tuple: number, frame: () => StepReference): StepReference {
    if (pieces.parent(tuple) < 0) return this.#root;
    return this.once(`${tuple}`, () => {
      const of = this.tuple(pieces, pieces.parent(tuple), frame);
      const { operation, args } = pieces.choice(tuple);
      return this.add(operation.name, operation.framed === true ? { ...args, frame: frame() } : args, of);
    });
  }

  /** The steps to a tuple of another search, without frames. */
  from(pieces: Pieces, tuple: number): StepReference {
    const parent = pieces.parent(tuple);
    if (parent < 0) return this.#root;
    const { operation, args } = pieces.choice(tuple);
    return this.add(operation.name, args, this.from(pieces, parent));
  }

  /** Writes a value on first use. */
  once(key: string, write: () => StepReference): StepReference {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reference = write();
    this.#known.set(key, reference);
    return reference;
  }
}
