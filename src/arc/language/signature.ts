import { definite } from '../../core/errors.ts';
import { contentHash } from '../grid/grid.ts';
import { normalForm } from './normal.ts';
import type { Argument } from './operation.ts';
import type { Program, ProgramStep } from './program.ts';
import { operations } from './registry.ts';

/**
 * The signature of a program: its operations in order with the kinds of their arguments, constants abstracted, and a
 * short hash of the data flow. Programs that differ only in a colour, a number or a table's entries have the same
 * signature.
 */
export function opsSignature(program: Program): string {
  const steps = normalForm(program);
  const wiring = steps.map(({ op, args }) => [op, args['of'], args['frame'] ?? null]);
  return `${steps.map(stepSignature).join(' ')} #${contentHash(JSON.stringify(wiring)).slice(0, 8)}`;
}

function stepSignature({ op, args }: ProgramStep): string {
  const { parameters } = definite(operations.get(op));
  const kinds = Object.entries(parameters).map(([name, { kind }]) => `${name}:${kind}`);
  const taken = sourceKind(args['of']);
  return `${op}(${[taken, ...kinds].join(',')})`;
}

function sourceKind(of: Argument | undefined): string {
  if (Array.isArray(of)) return `list${of.length}`;
  return of === 'input' ? 'input' : 'step';
}
