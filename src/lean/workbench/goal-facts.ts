import type { Features } from '../../core/difficulty.ts';
import type { GoalFacts } from '../../core/scheduler/domain.ts';
import { sha256 } from '../../core/sha256.ts';
import type { Workbench } from './workbench.ts';

/** The data about an open goal that the engine and the ledger store. */
export function goalFacts(workbench: Workbench, features: Features): GoalFacts {
  const { goalHash, fingerprint, goal } = workbench;
  return {
    goalHash,
    fingerprint,
    features,
    context: contextOf(workbench),
    variant: goal.holes.kind === 'sorries' ? sha256(goal.holes.template).slice(0, 12) : '',
  };
}

/** Groups similar goals for the bandit: the symbols of their statement, and whether their preamble defines something. */
function contextOf({ symbols, own }: Workbench): string {
  const mentions = (...names: string[]): boolean =>
    symbols.some((symbol) => names.some((name) => symbol === name || symbol.startsWith(`${name}.`)));
  const subject = mentions('List', 'Array', 'String')
    ? 'sequences'
    : mentions('Nat', 'Int', 'Fin')
      ? 'numbers'
      : mentions('Bool', 'Option')
        ? 'cases'
        : 'logic';
  const defines = own.some(({ kind, name }) => kind !== 'theorem' && symbols.includes(name));
  return defines ? `${subject}, own definitions` : subject;
}
