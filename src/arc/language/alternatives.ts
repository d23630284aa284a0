import { definite } from '../../core/errors.ts';
import { countColours } from '../grid/grid.ts';
import type { Task } from '../grid/task.ts';
import { addressesOf, valueAt, withValueAt } from './address.ts';
import type { Argument, Parameter, Table, StepReference } from './operation.ts';
import type { Program, ProgramStep } from './program.ts';
import { families, operations } from './registry.ts';

/** The aspect of an argument. Aspects do not overlap: each argument belongs to one directive and one level of blame. */
export type Aspect = 'describer' | 'size' | 'selector' | 'connectivity' | 'colour' | 'arg';

const familyOf = new Map(
  Object.entries(families).flatMap(([family, all]) => all.map(({ name }) => [name, family])),
);

export function familyOfOperation(op: string): string {
  return definite(familyOf.get(op));
}

export function aspectOf(op: string, name: string): Aspect {
  const family = familyOfOperation(op);
  if (family === 'views') return 'describer';
  if (family === 'frames' || name === 'frame') return 'size';
  const parameter = operations.get(op)?.parameters[name];
  if (parameter?.kind === 'colour' || parameter?.kind === 'colours' || op === 'recolour') return 'colour';
  if (parameter?.kind === 'choice' && parameter.of.some(isConnectivity)) return 'connectivity';
  if (name === 'of') return 'arg';
  return family === 'pick' || family === 'split' ? 'selector' : 'arg';
}

/** "blob", "8", "objects-4": how cells are connected. */
function isConnectivity(choice: string): boolean {
  return /(?:^|-)[48]$/.test(choice) || choice === 'blob';
}

/** The colours in a task, always including black. */
export function paletteOf({ train, test }: Pick<Task, 'train' | 'test'>): number[] {
  const seen = new Set([0]);
  for (const { cells } of [...train.flatMap(({ input, output }) => [input, output]), ...test])
    for (const [colour, count] of countColours(cells).entries()) if (count > 0) seen.add(colour);
  return [...seen].sort((a, b) => a - b);
}

/** A program that differs from its parent in one argument. */
export interface Swap {
  readonly program: Program;
  readonly path: string;
  readonly aspect: Aspect;
}

/** Every change of one argument of a step, in fixed order; type errors are not filtered out. */
export function* swapsOf(program: Program, step: number, palette: readonly number[]): Generator<Swap> {
  const { op, args } = definite(program[step]);
  const { parameters } = definite(operations.get(op));
  for (const { path } of addressesOf([definite(program[step])])) {
    const name = path.replace(/\[.*$/, '');
    const address = { step, path };
    const aspect = aspectOf(op, name);
    const parameter = parameters[name];
    const values =
      name === 'of' || name === 'frame'
        ? references(step, args[name], path)
        : parameter === undefined
          ? []
          : otherValues(parameter, definite(valueAt(program, address)), path === name, palette, args);
    for (const value of values)
      yield { program: inBothViews(withValueAt(program, address, value), program, step), path, aspect };
  }
}

/** The earlier steps and the input, in place of one reference. */
function references(step: number, value: Argument | undefined, path: string): Argument[] {
  if (Array.isArray(value) && !path.includes('[')) return [];
  const all: StepReference[] = ['input', ...Array.from({ length: step }, (_, i) => i)];
  return all.filter((one) => one !== value);
}

function otherValues(
  parameter: Parameter,
  value: Argument,
  isWhole: boolean,
  palette: readonly number[],
  args: ProgramStep['args'],
): (Argument | undefined)[] {
  switch (parameter.kind) {
    case 'colour':
      return palette.filter((colour) => colour !== value);
    case 'integer':
      return typeof value === 'number' ? nearNumbers(value, parameter.from, parameter.to) : [];
    case 'choice':
      return parameter.of.filter((choice) => choice !== value);
    case 'colours':
      return isWhole && Array.isArray(value) ? toggled(value, palette) : [];
    case 'names':
      return [];
    case 'table':
      return isWhole ? [] : otherAnswers(value, args.table ?? {}, palette);
    default:
      return parameter;
  }
}

const nearest = 12;

function nearNumbers(value: number, from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((one) => one !== value);
  return all.sort((a, b) => Math.abs(a - value) - Math.abs(b - value) || a - b).slice(0, nearest);
}

function toggled(colours: readonly number[], palette: readonly number[]): number[][] {
  return palette.map((colour) =>
    colours.includes(colour)
      ? colours.filter((one) => one !== colour)
      : [...colours, colour].sort((a, b) => a - b),
  );
}

/** Other answers for a table entry: other entries' answers, a colour, to keep, or none. */
function otherAnswers(answer: Argument, table: Table, palette: readonly number[]): (Argument | undefined)[] {
  const said = new Set<Argument>([...Object.values(table), ...palette.map(String), '@self']);
  said.delete(answer);
  return [...said, undefined];
}

/** A view's two steps, in and back, have the same arguments, so both are changed together. */
function inBothViews(changed: Program, parent: Program, step: number): Program {
  const { op, args } = definite(parent[step]);
  if (familyOfOperation(op) !== 'views') return changed;
  const other = op.startsWith('un') ? op.slice('un'.length) : `un${op}`;
  const next = definite(changed[step]).args;
  return changed.map((one, i) =>
    i !== step && one.op === other && textOf(one.args) === textOf(args)
      ? { op: other, args: { ...next, of: definite(one.args.of) } }
      : one,
  );
}

/** The arguments except the step's source. */
function textOf(args: ProgramStep['args']): string {
  return JSON.stringify({ ...args, of: 'input' });
}
