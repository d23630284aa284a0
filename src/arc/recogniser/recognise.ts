import type { Choice } from '../propose/variants.ts';
import type { Image } from '../rules/image.ts';
import { tokensOf } from './encode.ts';
import { familyLabel, labelOf } from './labels.ts';
import { Network } from './network.ts';

/** What a choice costs the search once the pairs have been looked at. */
export type Repricing = (choice: Choice) => number;

/** More pairs say little more. */
const mostPairs = 4;

/** A nat is worth so many tenths of a plain step, and nothing is moved further than this. */
const worth = { nat: 2.5, most: 5 };

/** No step is cheaper than this: a chain of likely steps must still end. */
const cheapest = 4;

let network: Network | undefined;

/** Looks at the pairs: what the network holds likelier than usual becomes cheaper, what it holds less likely dearer. */
export function recognise(inputs: readonly Image[], outputs: readonly Image[]): Repricing {
  const known = (network ??= new Network(new URL('../../../policy/arc-recogniser/', import.meta.url)));
  const pairs = outputs
    .slice(0, mostPairs)
    .map((output, i) => ({ input: tokensOf(inputs[i] as Image), output: tokensOf(output) }));
  const logits = known.logits(pairs);
  const gains = new Map(
    known.labels.map((label, i) => [label, (logits[i] as number) - (known.base[i] as number)]),
  );
  return ({ operation, args, cost }) => {
    const gain = gains.get(labelOf(operation, args)) ?? gains.get(familyLabel(operation)) ?? 0;
    const moved = Math.max(-worth.most, Math.min(worth.most, Math.round(gain * worth.nat)));
    return Math.max(Math.min(cost, cheapest), cost - moved);
  };
}
