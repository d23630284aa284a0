import { unreachable } from '../../core/errors.ts';
import type { Image } from './image.ts';

/** What a step yields. An operation on images, given a list, works on each of its images. */
export type Value = Image | readonly Image[];

/** Where a program runs: the task's input, and for size-bound operations an image whose size is the frame. */
export interface Scene {
  readonly input: Image;
  readonly frame: Image | null;
}

/** A learned table: keys are comma-separated feature values, answers are colours or colour sources. */
export type Table = Readonly<Record<string, string>>;
export type Argument = number | string | readonly number[] | readonly string[] | Table;
export type Arguments = Readonly<Record<string, Argument>>;

export type Parameter =
  | { readonly kind: 'colour'; readonly seen: 'input' | 'output' }
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'colours' }
  | { readonly kind: 'names'; readonly of: readonly string[] }
  | { readonly kind: 'table' };

/** One way the teacher's search tries an operation. Costs count tenths of a plain step. */
export interface Variant {
  readonly args: Arguments;
  readonly cost: number;
}

interface OperationBase {
  readonly name: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Size-bound: the program must name a step whose size is used. */
  readonly framed?: true;
  /** Empty when only a learner proposes the operation. */
  readonly search: readonly Variant[];
  /** Tried on the input only, plain or brought into the frame: too slow or too special to follow other operations. */
  readonly rootOnly?: true;
}

export type ImageToImage = (source: Image, scene: Scene) => Image | null;
type ImageToList = (source: Image, scene: Scene) => readonly Image[] | null;
type ListToImage = (sources: readonly Image[], scene: Scene) => Image | null;
type ListToList = (sources: readonly Image[], scene: Scene) => readonly Image[] | null;

/** `make` binds arguments once; the function it gives answers null where the operation does not apply. */
export type Operation = OperationBase &
  (
    | { readonly takes: 'image'; readonly gives: 'image'; make(args: Arguments): ImageToImage }
    | { readonly takes: 'image'; readonly gives: 'list'; make(args: Arguments): ImageToList }
    | { readonly takes: 'list'; readonly gives: 'image'; make(args: Arguments): ListToImage }
    | { readonly takes: 'list'; readonly gives: 'list'; make(args: Arguments): ListToList }
  );

export type Bound = (value: Value, scene: Scene) => Value | null;

const longestList = 100;

/** Makes an operation ready to run on a value of either type, or null where the types do not meet. */
export function bind(operation: Operation, args: Arguments): Bound {
  switch (operation.takes) {
    case 'image': {
      const apply = operation.make(args);
      return operation.gives === 'image'
        ? (value, scene) => (isList(value) ? each(value, scene, apply as ImageToImage) : apply(value, scene))
        : (value, scene) => (isList(value) ? null : bounded(apply(value, scene) as readonly Image[] | null));
    }
    case 'list': {
      const apply = operation.make(args);
      return (value, scene) => (isList(value) && value.length > 0 ? apply(value, scene) : null);
    }
    default:
      return unreachable(operation);
  }
}

export function isList(value: Value): value is readonly Image[] {
  return Array.isArray(value);
}

function each(sources: readonly Image[], scene: Scene, apply: ImageToImage): readonly Image[] | null {
  const results: Image[] = [];
  for (const source of sources) {
    const result = apply(source, scene);
    if (result === null) return null;
    results.push(result);
  }
  return results;
}

function bounded(list: readonly Image[] | null): readonly Image[] | null {
  return list !== null && list.length <= longestList ? list : null;
}

/** Variants over every choice of one parameter, all at one cost. */
export function variantsOver(name: string, choices: readonly (string | number)[], cost = 10): Variant[] {
  return choices.map((choice) => ({ args: { [name]: choice }, cost }));
}

const nonZeroColours = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

type Tried = Pick<OperationBase, 'parameters' | 'search'>;

/** An operation without arguments. */
export function alone(cost = 10): Tried {
  return { parameters: {}, search: [{ args: {}, cost }] };
}

/** An operation with one choice, tried with each. */
export function overChoices(name: string, choices: readonly string[], cost = 10): Tried {
  return {
    parameters: { [name]: { kind: 'choice', of: choices } },
    search: variantsOver(name, choices, cost),
  };
}

/** An operation with one colour, tried with each that the inputs or the outputs show. */
export function overColours(seen: 'input' | 'output', cost = 10): Tried {
  return {
    parameters: { colour: { kind: 'colour', seen } },
    search: variantsOver('colour', nonZeroColours, cost),
  };
}
