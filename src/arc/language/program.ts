import { unreachable, messageOf } from '../../core/errors.ts';
import { failed, success, type Failed, type Fault, type Result } from '../../core/result.ts';
import type { Argument, Arguments, RuleOperation, Parameter } from './operation.ts';
import { operations } from './registry.ts';
import { tableFault } from './tables.ts';

/**
 * A program of the rule language: steps in order, the last one gives the answer. `args.of` names what a step works on:
 * `"input"`, the number of an earlier step, or a list of such; without it, the step before (the input for the first).
 * `args.frame` names the step whose size a size-bound operation uses. A step can only look back, and every operation is
 * bounded, so every program ends.
 */
export interface ProgramStep {
  readonly op: string;
  readonly args: Arguments;
}
export type Program = readonly ProgramStep[];

type ProgramFault = Fault<'PARSE' | 'TYPE'>;
export type Parsed = Result<Program, ProgramFault>;

const longestProgram = 64;

export function parseProgram(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault('PARSE', `not JSON: ${messageOf(error)}`);
  }
  return checkProgram(value);
}

/** Checks shape and types of an untrusted program. */
export function checkProgram(value: unknown): Parsed {
  if (!Array.isArray(value)) return fault('PARSE', 'a program is an array of steps {op, args}');
  if (value.length === 0) return fault('PARSE', 'a program has at least one step');
  if (value.length > longestProgram) return fault('PARSE', `a program has at most ${longestProgram} steps`);
  const steps: ProgramStep[] = [];
  const types: ('image' | 'list')[] = [];
  for (const [index, step] of value.entries()) {
    const checked = checkStep(step, index, types);
    if (!checked.ok) return fault(checked.error.kind, `step ${index}: ${checked.error.message}`);
    steps.push(checked.value.step);
    types.push(checked.value.type);
  }
  if (types.at(-1) !== 'image') return fault('TYPE', 'the last step gives a list, not an image');
  return success(steps);
}

/** Messages quote values from outside, so they are cut to a readable length. */
const longestMessage = 400;

function fault(kind: ProgramFault['kind'], message: string): Failed<ProgramFault> {
  const isLong = message.length > longestMessage;
  return failed({ kind, message: isLong ? `${message.slice(0, longestMessage)}…` : message });
}

type CheckedStep = { readonly step: ProgramStep; readonly type: 'image' | 'list' };

function checkStep(
  value: unknown,
  index: number,
  types: readonly ('image' | 'list')[],
): Result<CheckedStep, ProgramFault> {
  if (!isRecord(value) || typeof value['op'] !== 'string') return fault('PARSE', 'is not {op, args}');
  const written = value['args'] ?? {};
  if (!isRecord(written)) return fault('PARSE', 'args is not an object');
  const { op, args } = asToday(value['op'], written);
  const operation = operations.get(op);
  if (operation === undefined && retired.has(op))
    return fault('PARSE', `"${op}" is a retired operation: the rule needs another one`);
  if (operation === undefined)
    return fault('PARSE', `unknown operation "${op}"${suggestion(op, [...operations.keys()])}`);
  const wrong = argumentFault(operation, args) ?? frameFault(operation, args, index, types);
  if (wrong !== undefined) return fault('TYPE', `${operation.name}: ${wrong}`);
  const taken = takenType(args['of'], index, types);
  if (!taken.ok) return fault('TYPE', `${operation.name}: ${taken.error.message}`);
  const step: ProgramStep = { op: operation.name, args: args as Arguments };
  if (operation.takes === taken.value) return success({ step, type: operation.gives });
  if (operation.takes === 'image' && operation.gives === 'image') return success({ step, type: 'list' });
  return fault(
    'TYPE',
    `${operation.name} takes ${withArticle(operation.takes)} but gets ${withArticle(taken.value)}`,
  );
}

/** Arguments of earlier versions of operations, with the value that corresponds to today's behaviour. */
const formerArguments: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  extend: { unit: 'whole' },
  paste: { pattern: 'colourful', original: 'kept', paint: 'own' },
  stamp: { room: 'any' },
  summary: { by: 'main' },
  walk: { right: 0 },
};

/** Steps of earlier versions as steps of today's language. */
const formerSteps: Readonly<Record<string, (args: Record<string, unknown>) => NamedArguments>> = {
  fall_objects: ({ to, ...args }) => ({
    op: 'move_objects',
    args: {
      ...args,
      objects: 'blob',
      features: ['any'],
      table: { 0: `slide ${String(to)}` },
      leave: 'nothing',
    },
  }),
};

/** Operations of earlier versions that no step of today's language replaces. */
const retired: ReadonlySet<string> = new Set(['cells_beside', 'firsts', 'inside', 'peel']);

interface NamedArguments {
  readonly op: string;
  readonly args: Record<string, unknown>;
}

/** Programs in old memories and traces still parse if their meaning has not changed. */
function asToday(op: string, args: Record<string, unknown>): NamedArguments {
  const later = Object.hasOwn(formerSteps, op) ? formerSteps[op] : undefined;
  if (later !== undefined) return later(args);
  const former = formerArguments[op];
  if (former === undefined) return { op, args };
  return {
    op,
    args: Object.fromEntries(Object.entries(args).filter(([name, value]) => former[name] !== value)),
  };
}

function withArticle(type: 'image' | 'list'): string {
  return type === 'image' ? 'an image' : 'a list';
}

function argumentFault(operation: RuleOperation, args: Record<string, unknown>): string | undefined {
  for (const name of Object.keys(args)) {
    if (name === 'of' || (name === 'frame' && operation.framed)) continue;
    if (!Object.hasOwn(operation.parameters, name))
      return `has no argument "${name}"${suggestion(name, [...Object.keys(operation.parameters), 'of'])}`;
  }
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    if (!Object.hasOwn(args, name)) return `needs the argument "${name}" (${describeParameter(parameter)})`;
    if (!accepts(parameter, args[name]))
      return `argument "${name}" is ${JSON.stringify(args[name])}, not ${describeParameter(parameter)}`;
    const wrong = parameter.kind === 'table' ? tableFaultOf(parameter, args, name) : undefined;
    if (wrong !== undefined) return `argument "${name}": ${wrong}`;
  }
  return undefined;
}

/** Other arguments may have any type here: their own checks report faults. */
function tableFaultOf(
  { keyed, answers }: Extract<Parameter, { kind: 'table' }>,
  args: Record<string, unknown>,
  name: string,
): string | undefined {
  const by = keyed === undefined ? 1 : args[keyed];
  const values = Array.isArray(by) ? by.length : by;
  if (typeof values !== 'number') return undefined;
  const table = args[name];
  return isRecord(table) ? tableFault(table, values, answers) : undefined;
}

function accepts(parameter: Parameter, value: unknown): value is Argument {
  switch (parameter.kind) {
    case 'colour':
      return isInteger(value, 0, 9);
    case 'integer':
      return isInteger(value, parameter.from, parameter.to);
    case 'choice':
      return typeof value === 'string' && parameter.of.includes(value);
    case 'colours':
      return Array.isArray(value) && value.every((colour) => isInteger(colour, 0, 9));
    case 'names':
      return Array.isArray(value) && value.every((name) => parameter.of.includes(name));
    case 'table':
      return isRecord(value);
    default:
      return unreachable(parameter);
  }
}

function describeParameter(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'colour':
      return 'a colour 0 to 9';
    case 'integer':
      return `a whole number ${parameter.from} to ${parameter.to}`;
    case 'choice':
      return `one of ${parameter.of.join(', ')}`;
    case 'colours':
      return 'a list of colours';
    case 'names':
      return `a list of names out of ${parameter.of.join(', ')}`;
    case 'table':
      return `a table whose answers are ${parameter.answers.description}`;
    default:
      return unreachable(parameter);
  }
}

function frameFault(
  operation: RuleOperation,
  args: Record<string, unknown>,
  index: number,
  types: readonly ('image' | 'list')[],
) {
  if (operation.framed !== true) return undefined;
  if (args['frame'] === undefined) return 'is size-bound and needs "frame", the step whose size is used';
  const type = referenceType(args['frame'], index, types);
  if (type === undefined)
    return `"frame" is ${JSON.stringify(args['frame'])}, not "input" or an earlier step`;
  return type === 'image' ? undefined : '"frame" names a list, not an image';
}

function takenType(
  of: unknown,
  index: number,
  types: readonly ('image' | 'list')[],
): Result<'image' | 'list', ProgramFault> {
  const reference = of ?? (index === 0 ? 'input' : index - 1);
  if (!Array.isArray(reference)) {
    const type = referenceType(reference, index, types);
    return type === undefined
      ? fault('TYPE', `"of" is ${JSON.stringify(reference)}, not "input" or an earlier step`)
      : success(type);
  }
  if (reference.length === 0) return fault('TYPE', '"of" is an empty list');
  for (const part of reference) {
    const type = referenceType(part, index, types);
    if (type === undefined)
      return fault('TYPE', `"of" contains ${JSON.stringify(part)}, not "input" or an earlier step`);
    if (type === 'list') return fault('TYPE', `"of" contains step ${String(part)}, which gives a list`);
  }
  return success('list');
}

function referenceType(
  value: unknown,
  index: number,
  types: readonly ('image' | 'list')[],
): 'image' | 'list' | undefined {
  if (value === 'input') return 'image';
  return isInteger(value, 0, index - 1) ? types[value] : undefined;
}

function isInteger(value: unknown, from: number, to: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function suggestion(name: string, known: readonly string[]): string {
  const near = known.filter((other) => distance(name, other) <= 2);
  return near.length > 0 ? `; did you mean ${near.map((other) => `"${other}"`).join(' or ')}?` : '';
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
