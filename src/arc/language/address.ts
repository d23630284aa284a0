import { definite } from '../../core/errors.ts';
import { type Argument, isTable } from './operation.ts';
import { candidateId } from './normal.ts';
import type { Program } from './program.ts';

/**
 * A place in a program: a step, and the path to a value in its arguments. Paths are `by`, `of[1]` (an entry of a list) or
 * `table[0,1]` (the answer of a table for a key).
 */
export interface Address {
  readonly step: number;
  readonly path: string;
}

/** The stable name of a step: the hash of its sub-program. It does not change when other steps are added or removed. */
export function stepName(program: Program, step: number): string {
  return candidateId(program.slice(0, step + 1));
}

/** Every address of a program: by step, then by argument name; parts of lists and entries of tables follow the whole. */
export function addressesOf(program: Program): Address[] {
  return program.flatMap(({ args }, step) =>
    Object.keys(args)
      .sort()
      .flatMap((name) =>
        [name, ...keysOf(definite(args[name])).map((key) => `${name}[${key}]`)].map((path) => ({
          step,
          path,
        })),
      ),
  );
}

/** A list's entries, unchecked: types are checked with the program. */
function entriesOf(value: Argument): readonly (string | number)[] {
  return Array.isArray(value) ? value : [];
}

function keysOf(value: Argument): string[] {
  if (typeof value !== 'object') return [];
  return Array.isArray(value) ? [...value.keys()].map(String) : Object.keys(value).sort();
}

/** The value at an address, or undefined where there is none. */
export function valueAt(program: Program, { step, path }: Address): Argument | undefined {
  const { name, key } = partsOf(path);
  const value = program[step]?.args[name];
  if (key === undefined || value === undefined) return value;
  if (!keysOf(value).includes(key)) return undefined;
  return isTable(value) ? value[key] : entriesOf(value)[Number(key)];
}

/** The program with another value at an address; undefined removes an entry. Types are not checked. */
export function withValueAt(program: Program, { step, path }: Address, value: Argument | undefined): Program {
  const { name, key } = partsOf(path);
  const old = definite(program[step]);
  const next = key === undefined ? value : withEntry(definite(old.args[name]), key, value);
  return program.with(step, { op: old.op, args: withKey(old.args, name, next) });
}

function withEntry(whole: Argument, key: string, value: Argument | undefined): Argument {
  if (typeof value === 'object') throw new Error('an entry is a number or a word');
  if (isTable(whole)) return withKey(whole, key, value === undefined ? undefined : String(value));
  const entries = entriesOf(whole);
  const place = Number(key);
  return value === undefined ? entries.toSpliced(place, 1) : entries.with(place, value);
}

function withKey<Part>(
  record: Readonly<Record<string, Part>>,
  key: string,
  value: Part | undefined,
): Record<string, Part> {
  const { [key]: _old, ...rest } = record;
  return value === undefined ? rest : { ...record, [key]: value };
}

function partsOf(path: string): { name: string; key?: string } {
  const match = /^([^[\]]+)(?:\[(.*)\])?$/.exec(path);
  if (match === null) throw new Error(`not a path: ${path}`);
  return match[2] === undefined ? { name: path } : { name: definite(match[1]), key: match[2] };
}
