import { definite } from '../../core/errors.ts';
import { usedSteps } from './normal.ts';
import type { Program, ProgramStep } from './program.ts';
import { operations } from './registry.ts';

/** Cost of a step whose arguments are neither tried by the search nor priced by a learner: a little more than a plain step. */
const unusual = 14;

/**
 * The price of a program, in tenths of a plain step; a lower price means more likely. Unused steps cost nothing, and
 * steps that only provide a size cost a quarter.
 */
export function price(program: Program): number {
  const used = usedSteps(program);
  const painted = usedSteps(program, false);
  let sum = 0;
  for (const index of used) sum += stepPrice(definite(program[index])) / (painted.has(index) ? 1 : 4);
  return sum;
}

const known = new Map<string, number>();

function stepPrice({ op, args }: ProgramStep): number {
  const operation = definite(operations.get(op));
  if (operation.price !== undefined)
    return operation.price(args, Array.isArray(args['of']) ? args['of'].length : 1);
  const names = Object.keys(operation.parameters);
  const textOf = (from: ProgramStep['args']): string =>
    `${op} ${names.map((name) => JSON.stringify(from[name])).join(' ')}`;
  if (known.size === 0 || !known.has(textOf(args)))
    for (const { args: tried, cost } of operation.search) known.set(textOf(tried), cost);
  return known.get(textOf(args)) ?? unusual;
}
