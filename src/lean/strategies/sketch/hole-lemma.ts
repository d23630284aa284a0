import { lemmaStatement } from '../../market/lemma.ts';
import type { Goal } from '../../base/protocol.ts';

/** A hole of a plan as a separate theorem. */
export interface HoleLemma {
  readonly name: string;
  readonly statement: string;
  /** The theorem applied where the hole is. */
  readonly use: string;
}

/**
 * A claim in the context of a goal; the step's name distinguishes holes of one plan. Undefined if the printed context
 * cannot be parsed again.
 */
export function lemmaFor({ hypotheses }: Goal, claim: string, step?: string): HoleLemma | undefined {
  const named = lemmaStatement({ hypotheses, target: claim }, step);
  if (!named) return undefined;
  const given = hypotheses.filter(({ name }) => name !== '' && !name.startsWith('inst'));
  return {
    name: named.name,
    statement: named.text,
    use: [named.name, ...given.map(({ name }) => name)].join(' '),
  };
}
