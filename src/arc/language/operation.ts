import { unreachable } from '../../core/errors.ts';
import type { Image } from './image.ts';

/** The result of a step. An operation on images maps over a list. */
export type Value = Image | readonly Image[];

/** The inputs of a program: the task's input, and for size-bound operations an image whose size is the frame. */
export interface Scene {
  readonly input: Image;
  readonly frame: Image | null;
}

/** A learned table: keys are comma-separated feature values, values are colours or colour sources. */
export type Table = Readonly<Record<string, string>>;
export type Argument = number | string | readonly (number | string)[] | Table;

/** The source of a step: the task's input, or the value of an earlier step. */
export type StepReference = 'input' | number;
export type StepReferences = StepReference | readonly StepReference[];

/** Arguments that have these types in every operation. */
export interface Arguments {
  readonly [name: string]: Argument;
  readonly of?: StepReferences;
  readonly frame?: StepReference;
  readonly table?: Table;
  readonly features?: readonly string[];
}

export function isTable(value: Argument): value is Table {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Colours that the search tries; `made` ones occur only in outputs, and 0 means none of them. */
type Seen = 'input' | 'output' | 'made';

export type Parameter =
  | { readonly kind: 'colour'; readonly seen: Seen }
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'colours' }
  | NamesParameter
  | TableParameter;

interface NamesParameter {
  readonly kind: 'names';
  readonly of: readonly string[];
}

/** A learned table. `keyed` names the argument that lists the values of a key, or their number; without it there is one. */
interface TableParameter {
  readonly kind: 'table';
  readonly keyed?: string;
  readonly answers: Answers;
}

/** The values allowed in a table. */
export interface Answers {
  readonly description: string;
  knows(answer: string): boolean;
}

/** One set of arguments that the search tries for an operation. Costs are in tenths of a plain step. */
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
  /** Empty if only a learner proposes the operation. */
  readonly search: readonly Variant[];
  /**
   * The cost of a step with learned arguments on this many images, in tenths of a plain step; otherwise the cost of
   * its variant applies.
   */
  readonly price?: (args: Arguments, images: number) => number;
  /** Tried on the input only, plain or brought into the frame: too slow or too special to follow other operations. */
  readonly rootOnly?: true;
}

export type ImageToImage = (source: Image, scene: Scene) => Image | null;
type ImageToList = (source: Image, scene: Scene) => readonly Image[] | null;
type ListToImage = (sources: readonly Image[], scene: Scene) => Image | null;
type ListToList = (sources: readonly Image[], scene: Scene) => readonly Image[] | null;

/** `make` binds arguments once; the resulting function returns null if the operation does not apply. */
export type RuleOperation = OperationBase &
  (
    | { readonly takes: 'image'; readonly gives: 'image'; make(args: Arguments): ImageToImage }
    | { readonly takes: 'image'; readonly gives: 'list'; make(args: Arguments): ImageToList }
    | { readonly takes: 'list'; readonly gives: 'image'; make(args: Arguments): ListToImage }
    | { readonly takes: 'list'; readonly gives: 'list'; make(args: Arguments): ListToList }
  );

export type Parameters = Readonly<Record<string, Parameter>>;

/**
 * The type of an argument, derived from its parameter: a program is checked before it runs, so a bound argument has
 * this type.
 */
type ArgumentOf<P extends Parameter> = P extends { readonly kind: 'colour' | 'integer' }
  ? number
  : P extends { readonly kind: 'choice'; readonly of: readonly (infer Choice)[] }
    ? Choice
    : P extends { readonly kind: 'colours' }
      ? readonly number[]
      : P extends { readonly kind: 'names' }
        ? readonly string[]
        : Table;
export type ArgumentsOf<P extends Parameters> = { readonly [Name in keyof P]: ArgumentOf<P[Name]> };

/** An operation with arguments typed from its parameters. */
type Definition<P extends Parameters, Make> = Omit<OperationBase, 'parameters' | 'price'> & {
  readonly parameters: P;
  readonly price?: (args: ArgumentsOf<P>, images: number) => number;
  make(args: ArgumentsOf<P>): Make;
};

/** The only place where checked arguments are cast to their types. */
function defined(definition: object, takes: 'image' | 'list', gives: 'image' | 'list'): RuleOperation {
  return { ...definition, takes, gives } as RuleOperation;
}

export function imageToImage<const P extends Parameters>(
  definition: Definition<P, ImageToImage>,
): RuleOperation {
  return defined(definition, 'image', 'image');
}

export function imageToList<const P extends Parameters>(
  definition: Definition<P, ImageToList>,
): RuleOperation {
  return defined(definition, 'image', 'list');
}

export function listToImage<const P extends Parameters>(
  definition: Definition<P, ListToImage>,
): RuleOperation {
  return defined(definition, 'list', 'image');
}

export function listToList<const P extends Parameters>(definition: Definition<P, ListToList>): RuleOperation {
  return defined(definition, 'list', 'list');
}

export type Bound = (value: Value, scene: Scene) => Value | null;

const longestList = 100;

/** Binds an operation for a value of either type, or null if the types do not match. */
export function bind(operation: RuleOperation, args: Arguments): Bound {
  switch (operation.takes) {
    case 'image': {
      if (operation.gives === 'image') {
        const apply = operation.make(args);
        return (value, scene) => (isList(value) ? each(value, scene, apply) : apply(value, scene));
      }
      const apply = operation.make(args);
      return (value, scene) => (isList(value) ? null : bounded(apply(value, scene)));
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

/** For values that are images by the program's types; a list is a bug. */
export function onlyImage(value: Value | null | undefined): Image {
  if (value === null || value === undefined || isList(value)) throw new Error('not an image');
  return value;
}

/** For values that are lists by the program's types; an image is a bug. */
export function onlyList(value: Value | null | undefined): readonly Image[] {
  if (value === null || value === undefined || !isList(value)) throw new Error('not a list of images');
  return value;
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

/** Variants for every choice of one parameter, with the same cost. */
export function variantsOver(name: string, choices: readonly (string | number)[], cost = 10): Variant[] {
  return choices.map((choice) => ({ args: { [name]: choice }, cost }));
}

export const nonZeroColours = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Parameters, and the variants that the search tries. */
interface Tried<P extends Parameters> {
  readonly parameters: P;
  readonly search: readonly Variant[];
}

/** An operation without arguments. */
export function alone(cost = 10): Tried<Readonly<Record<string, never>>> {
  return { parameters: {}, search: [{ args: {}, cost }] };
}

/** An operation with one choice parameter, tried with every choice. */
export function overChoices<Name extends string, const Choices extends readonly string[]>(
  name: Name,
  choices: Choices,
  cost = 10,
): Tried<Readonly<Record<Name, { readonly kind: 'choice'; readonly of: Choices }>>> {
  const parameter = { kind: 'choice', of: choices } as const;
  return {
    parameters: { [name]: parameter } as Record<Name, typeof parameter>,
    search: variantsOver(name, choices, cost),
  };
}

/**
 * An operation with one colour, tried with each colour of the inputs or outputs; if `ownCost` is given, also with 0,
 * which means a colour of the image itself.
 */
export function overColours(
  seen: 'input' | 'output',
  cost = 10,
  ownCost?: number,
): Tried<{ readonly colour: { readonly kind: 'colour'; readonly seen: 'input' | 'output' } }> {
  return {
    parameters: { colour: { kind: 'colour', seen } },
    search: [
      ...(ownCost === undefined ? [] : variantsOver('colour', [0], ownCost)),
      ...variantsOver('colour', nonZeroColours, cost),
    ],
  };
}
