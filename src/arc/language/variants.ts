import { countColours } from '../grid/grid.ts';
import type { Image } from './image.ts';
import { bind, type Arguments, type Bound, type RuleOperation } from './operation.ts';
import { operations } from './registry.ts';
import { isOffered } from './vocabulary.ts';

/** One operation with arguments, as tried by the search. */
export interface Choice {
  readonly operation: RuleOperation;
  readonly args: Arguments;
  readonly cost: number;
  readonly bound: Bound;
}

/** Everything the search may try on these images, without colours that no input or output contains. */
export function choicesFor(inputs: readonly Image[], outputs: readonly Image[], framed: boolean): Choice[] {
  const input = palette(inputs);
  const output = palette(outputs);
  const seen = { input, output, made: new Set([0, ...[...output].filter((colour) => !input.has(colour))]) };
  const choices: Choice[] = [];
  for (const operation of operations.values()) {
    if (operation.framed === true && !framed) continue;
    if (!isOffered('operation', operation.name)) continue;
    const coloured = Object.entries(operation.parameters).flatMap(([name, parameter]) =>
      parameter.kind === 'colour' ? [{ name, colours: seen[parameter.seen] }] : [],
    );
    for (const { args, cost } of operation.search) {
      // colour 0 means none, or one that the operation derives from the image
      const useful = coloured.every(
        ({ name, colours }) => args[name] === 0 || [...colours].some((colour) => colour === args[name]),
      );
      if (useful && isVariantOffered(operation, args))
        choices.push({ operation, args, cost, bound: bind(operation, args) });
    }
  }
  // operations that follow no other one come last, so that nodes skip them
  return choices.sort(
    (a, b) => Number(a.operation.rootOnly ?? false) - Number(b.operation.rootOnly ?? false),
  );
}

/** Whether no choice among the arguments is switched off. */
function isVariantOffered({ name, parameters }: RuleOperation, args: Arguments): boolean {
  return Object.entries(parameters).every(([parameter, { kind }]) => {
    const choice = args[parameter];
    if (kind !== 'choice' || typeof choice !== 'string') return true;
    if (!isOffered('variant', `${name}(${parameter}: ${choice})`)) return false;
    return parameter !== 'by' || isOffered('criterion', choice);
  });
}

function palette(images: readonly Image[]): Set<number> {
  const seen = new Set<number>();
  for (const { cells } of images)
    for (const [colour, count] of countColours(cells).entries()) if (count > 0) seen.add(colour);
  return seen;
}
