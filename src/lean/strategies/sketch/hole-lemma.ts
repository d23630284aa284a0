import { lemmaStatement } from '../../market/lemma.ts';
import type { Goal } from '../../base/protocol.ts';

/** A hole of a plan as a theorem of its own. */
export interface HoleLemma {
  readonly name: string;
  readonly statement: string;
  /** The theorem applied where the hole is. */
  readonly use: string;
}

/** A claim in the context of a goal; the step's name keeps two holes of one plan apart. Undefined where Lean could not read the context back. */
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
