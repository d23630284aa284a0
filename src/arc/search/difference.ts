import { definite } from '../../core/errors.ts';
import { aspectOf, familyOfOperation, type Aspect } from '../language/alternatives.ts';
import { stepName } from '../language/address.ts';
import { normalForm } from '../language/normal.ts';
import { isTable, type Argument, type StepReference } from '../language/operation.ts';
import type { Program, ProgramStep } from '../language/program.ts';
import { operations } from '../language/registry.ts';
import { sourcesOf } from '../language/surgery.ts';
import type { Directive, DirectiveKind } from './edit.ts';

/** One difference between a program and its parent: a directive at a step of the parent, with the path if an argument changed. */
export interface ProgramDifference extends Directive {
  readonly path: string | null;
}

/**
 * The directives that turn a parent into a child, whatever its source, in the order of the parent's steps. Both programs are put
 * into normal form and their steps aligned. Empty for equal programs; one RESTART if the parent has several steps and none is kept.
 */
export function differences(parent: Program, child: Program): ProgramDifference[] {
  const [before, after] = [normalForm(parent), normalForm(child)];
  const pair = new Alignment(before, after);
  if (pair.kept === 0 && (before.length > 1 || after.length > 1))
    return [{ kind: 'RESTART', step: 0, path: null }];
  const found = [...pair.movedAndGone(), ...pair.added(), ...pair.changed()];
  return found.sort((a, b) => a.step - b.step);
}

/**
 * The directive that represents several. A dropped step is often only the consequence of another edit, because a normal form has
 * no unused steps.
 */
export function mainDirective(found: readonly ProgramDifference[]): Directive | null {
  const main = found.find(({ kind }) => kind !== 'DROP_STEP') ?? found[0];
  return main === undefined ? null : { kind: main.kind, step: main.step };
}

const kindOf: Readonly<Record<Aspect, DirectiveKind>> = {
  describer: 'CHANGE_ARG',
  arg: 'CHANGE_ARG',
  size: 'FIX_SIZE',
  selector: 'CHANGE_SELECTOR',
  connectivity: 'CHANGE_CONNECTIVITY',
  colour: 'REMAP_COLOUR',
};

/** The cheapest alignment of a parent's steps with a child's; a step is kept, replaced, removed or new. */
class Alignment {
  readonly #before: Program;
  readonly #after: Program;
  readonly #toAfter = new Map<number, number>();
  readonly #toBefore = new Map<number, number>();
  /** New steps that are moved old steps, each with its old step. */
  readonly #moved = new Map<number, number>();

  constructor(before: Program, after: Program) {
    this.#before = before;
    this.#after = after;
    for (const [i, j] of aligned(before, after)) {
      this.#toAfter.set(i, j);
      this.#toBefore.set(j, i);
    }
    for (const i of this.#gone())
      for (const j of this.#new())
        if (!this.#moved.has(j) && constantsOf(definite(before[i])) === constantsOf(definite(after[j]))) {
          this.#moved.set(j, i);
          break;
        }
  }

  /** The number of steps that kept their operation. */
  get kept(): number {
    const same = [...this.#toAfter].filter(([i, j]) => this.#before[i]?.op === this.#after[j]?.op);
    return same.length + this.#moved.size;
  }

  #gone(): number[] {
    return [...this.#before.keys()].filter((i) => !this.#toAfter.has(i));
  }

  #new(): number[] {
    return [...this.#after.keys()].filter((j) => !this.#toBefore.has(j));
  }

  movedAndGone(): ProgramDifference[] {
    const moved = new Map([...this.#moved].map(([j, i]) => [i, j]));
    return this.#gone().map((step) => {
      const now = moved.get(step);
      if (now === undefined) return { kind: 'DROP_STEP', step, path: null };
      return { kind: 'REORDER', step: Math.min(step, this.#next(now) ?? step), path: null };
    });
  }

  /** New steps. A chain of them is one fragment; a step that only applies a new size is not a separate edit. */
  added(): ProgramDifference[] {
    const open = new Set(this.#new().filter((j) => !this.#moved.has(j)));
    const found: ProgramDifference[] = [];
    for (const j of open) {
      if (!open.delete(j)) continue;
      const step = definite(this.#after[j]);
      const { frame } = step.args;
      const isSized = typeof frame === 'number' && this.#isNewSize(frame);
      let length = 1;
      for (let last = j; this.#isPlain(last); last++, length++)
        if (definite(this.#after[last + 1]).args.of !== last || !open.delete(last + 1)) break;
      if (isSized) continue;
      found.push({ kind: this.#kindOfNew(step, length), step: this.#placeOf(j), path: null });
    }
    return found;
  }

  /** Whether a new step can be continued by the next one. */
  #isPlain(j: number): boolean {
    const [one, next] = [this.#after[j], this.#after[j + 1]];
    if (one === undefined || next === undefined || this.#toBefore.has(j + 1)) return false;
    return [one, next].every(
      ({ op, args }) => familyOfOperation(op) !== 'frames' && !Array.isArray(args.of) && op !== 'recolour',
    );
  }

  #isNewSize(reference: number): boolean {
    return (
      !this.#toBefore.has(reference) && familyOfOperation(definite(this.#after[reference]).op) === 'frames'
    );
  }

  #kindOfNew(step: ProgramStep, length: number): DirectiveKind {
    if (Array.isArray(step.args.of)) return 'ADD_CONDITION';
    if (familyOfOperation(step.op) === 'frames') return 'FIX_SIZE';
    if (step.op === 'recolour') return 'REMAP_COLOUR';
    return length > 1 ? 'SPLICE_FRAGMENT' : 'ADD_STEP';
  }

  /** The parent's step that a new step follows, or at the beginning the one that it precedes. */
  #placeOf(j: number): number {
    const meant = this.#inBefore(j);
    if (meant !== 'input') return meant;
    return this.#next(j) ?? 0;
  }

  /** The parent's step for the next aligned step of the child. */
  #next(j: number): number | undefined {
    return [...this.#toBefore].find(([at]) => at > j)?.[1];
  }

  /** A reference of the child as a reference of the parent; a new step is replaced by its source. */
  #inBefore(reference: StepReference): StepReference {
    if (reference === 'input') return 'input';
    const old = this.#toBefore.get(reference);
    if (old !== undefined) return old;
    const meant = sourcesOf(definite(this.#after[reference])).map((source) => this.#inBefore(source));
    const steps = meant.filter((source) => source !== 'input');
    return steps.length > 0 ? Math.max(...steps) : 'input';
  }

  /** A reference of the parent, with removed steps replaced by their sources. */
  #past(reference: StepReference): StepReference {
    if (reference === 'input' || this.#toAfter.has(reference)) return reference;
    return this.#past(sourcesOf(definite(this.#before[reference]))[0] ?? 'input');
  }

  /** Changed operations, arguments and references of aligned steps. */
  changed(): ProgramDifference[] {
    const found = [...this.#toAfter].flatMap(([i, j]) => {
      const [old, next] = [definite(this.#before[i]), definite(this.#after[j])];
      if (isReplaced(old, next)) return [{ kind: 'REPLACE_OP' as const, step: i, path: null }];
      return [...this.#otherArguments(i, old, next), ...this.#otherReferences(i, old, next)];
    });
    return found.filter((one, at) => !found.slice(0, at).some((other) => this.#isWayBack(other, one)));
  }

  #otherArguments(step: number, old: ProgramStep, next: ProgramStep): ProgramDifference[] {
    return Object.keys(old.args)
      .filter((name) => name !== 'of' && name !== 'frame')
      .flatMap((name) => {
        const path = pathOfChange(name, definite(old.args[name]), next.args[name]);
        return path === null ? [] : [{ kind: kindOf[aspectOf(old.op, name)], step, path }];
      });
  }

  #otherReferences(step: number, old: ProgramStep, next: ProgramStep): ProgramDifference[] {
    const was = sourcesOf(old).map((reference) => this.#past(reference));
    const is = sourcesOf(next).map((reference) => this.#inBefore(reference));
    const found: ProgramDifference[] = [];
    if (textOf(was) !== textOf(is) && ![...this.#moved.values()].some((one) => Math.abs(one - step) <= 1)) {
      const isSorted = textOf(was.toSorted(byPlace)) === textOf(is.toSorted(byPlace));
      const kind = isSorted ? 'REORDER' : is.length < was.length ? 'DROP_STEP' : 'CHANGE_ARG';
      const isNewPart = is.length > was.length && this.#hasNewPart(next);
      if (!isNewPart) found.push({ kind, step, path: 'of' });
    }
    const [frame, other] = [old.args.frame, next.args.frame];
    if (frame !== undefined && other !== undefined) {
      const isNew = typeof other === 'number' && this.#isNewSize(other);
      if (!isNew && this.#past(frame) !== this.#inBefore(other))
        found.push({ kind: 'FIX_SIZE', step, path: 'frame' });
    }
    return found;
  }

  #hasNewPart({ args: { of } }: ProgramStep): boolean {
    return Array.isArray(of) && of.some((part) => typeof part === 'number' && !this.#toBefore.has(part));
  }

  /** Whether two changes are the step into a view and the step back, which change together. */
  #isWayBack(one: ProgramDifference, other: ProgramDifference): boolean {
    const [a, b] = [this.#before[one.step]?.op, this.#before[other.step]?.op];
    return a !== undefined && b === `un${a}` && one.kind === other.kind && one.path === other.path;
  }
}

const [goneOrNew, replaced, mostForArguments] = [1, 1.2, 0.6];

/** The pairs of steps with the least total cost; on a tie, the alignment with the most unchanged sub-programs. */
function aligned(before: Program, after: Program): [number, number][] {
  const names = [before, after].map((program) => program.map((_, step) => stepName(program, step)));
  const costs: number[][] = Array.from({ length: before.length + 1 }, (_, i) =>
    Array.from({ length: after.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => costs[i]?.[j] ?? Infinity;
  const match = (i: number, j: number): number => {
    const cost = costOfPair(definite(before[i]), definite(after[j]));
    return names[0]?.[i] === names[1]?.[j] ? cost - 0.01 : cost;
  };
  for (let i = 1; i <= before.length; i++)
    for (let j = 1; j <= after.length; j++)
      definite(costs[i])[j] = Math.min(
        at(i - 1, j - 1) + match(i - 1, j - 1),
        at(i - 1, j) + goneOrNew,
        at(i, j - 1) + goneOrNew,
      );
  const pairs: [number, number][] = [];
  for (let [i, j] = [before.length, after.length]; i > 0 && j > 0;) {
    if (at(i, j) === at(i - 1, j - 1) + match(i - 1, j - 1)) pairs.unshift([--i, --j]);
    else if (at(i, j) === at(i - 1, j) + goneOrNew) i--;
    else j--;
  }
  return pairs;
}

function costOfPair(old: ProgramStep, next: ProgramStep): number {
  if (old.op !== next.op) return replaced;
  const names = Object.keys(old.args).filter((name) => name !== 'of' && name !== 'frame');
  const other = names.filter((name) => textOf(old.args[name]) !== textOf(next.args[name])).length;
  return Math.min(mostForArguments, other / 4);
}

/** Whether the operation or the features of its table changed: a table over other features is another rule. */
function isReplaced(old: ProgramStep, next: ProgramStep): boolean {
  if (old.op !== next.op) return true;
  const { parameters } = definite(operations.get(old.op));
  return Object.entries(parameters).some(
    ([name, { kind }]) => kind === 'names' && textOf(old.args[name]) !== textOf(next.args[name]),
  );
}

/** The path of the only changed entry, of the whole argument if several changed, or null if none did. */
function pathOfChange(name: string, old: Argument, next: Argument | undefined): string | null {
  if (textOf(old) === textOf(next)) return null;
  if (next === undefined || !isTable(old) || !isTable(next)) return name;
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  const other = [...keys].filter((key) => old[key] !== next[key]);
  return other.length === 1 ? `${name}[${other[0] ?? ''}]` : name;
}

function constantsOf({ op, args }: ProgramStep): string {
  return textOf({ op, ...args, of: null, frame: null });
}

function byPlace(a: StepReference, b: StepReference): number {
  return `${a}` < `${b}` ? -1 : 1;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
