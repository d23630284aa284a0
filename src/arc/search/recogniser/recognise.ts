import { definite } from '../../../core/errors.ts';
import type { Choice } from '../../language/variants.ts';
import type { Image } from '../../language/image.ts';
import { gridTokens } from './encode.ts';
import { familyLabel, operationLabel } from './labels.ts';
import { Network } from './network.ts';

/** How much likelier a choice is for these pairs than for any, in nats. */
export type Gain = (choice: Pick<Choice, 'operation' | 'args'>) => number;

/** How far a search trusts the network: what a nat is worth in tenths of a plain step, and the most that a price moves. */
export interface Recognition {
  readonly nat: number;
  readonly most: number;
}

/** More pairs say little more. */
const mostPairs = 4;

/** No step is cheaper than this: a chain of likely steps must still end. */
const cheapest = 4;

let network: Network | undefined;

/** Looks at the pairs. */
export function recognise(inputs: readonly Image[], outputs: readonly Image[]): Gain {
  const known = (network ??= new Network(new URL('../../../../policy/arc-recogniser/', import.meta.url)));
  const pairs = outputs
    .slice(0, mostPairs)
    .map((output, i) => ({ input: gridTokens(definite(inputs[i])), output: gridTokens(output) }));
  const logits = known.logits(pairs);
  const gains = new Map(known.labels.map((label, i) => [label, (logits[i] ?? 0) - (known.base[i] ?? 0)]));
  return ({ operation, args }) =>
    gains.get(operationLabel(operation, args)) ?? gains.get(familyLabel(operation)) ?? 0;
}

/** What is likelier than usual becomes cheaper, what is less likely more expensive. */
export function repriced(choice: Choice, gain: Gain, { nat, most }: Recognition): Choice {
  const moved = Math.max(-most, Math.min(most, Math.round(gain(choice) * nat)));
  return { ...choice, cost: Math.max(Math.min(choice.cost, cheapest), choice.cost - moved) };
}
