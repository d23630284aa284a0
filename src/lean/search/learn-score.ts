import type { TacticStep } from '../../store/ledger/search-memory.ts';
import { handCosts, kindOf, otherCost, type StepCosts } from './score.ts';

/** What the steps of a kind have done, on states that were solved in the end. */
export interface KindRecord {
  readonly kind: string;
  /** Steps that changed the goal without closing it: those that the queue has to order. */
  readonly taken: number;
  /** Those of them after which everything was solved. */
  readonly led: number;
  /** Set by hand, and learned. */
  readonly before: number;
  readonly cost: number;
}

/** As many steps as the hand's word counts for. */
const pull = 8;
const dearest = 2;

/**
 * What a step of each kind costs in the queue, from what steps have done: −ln of the share that led to a solution, in units of the
 * hand's own costs, beside the hand's word. Deterministic; a kind that was never taken keeps its cost.
 */
export function learnStepCosts(steps: readonly TacticStep[]): KindRecord[] {
  const solved = solvedStates(steps);
  const taken = steps.filter(({ state, outcome }) => outcome === 'advanced' && solved.has(state));
  const kinds = [...Map.groupBy(taken, ({ tactic }) => kindOf(tactic))].map(([kind, its]) => {
    const led = its.filter(({ next }) => next.every((one) => solved.has(one))).length;
    return { kind, taken: its.length, led, before: handCosts[kind] ?? otherCost };
  });
  const total = (of: (kind: (typeof kinds)[number]) => number): number =>
    kinds.reduce((sum, kind) => sum + kind.taken * of(kind), 0);
  const unit = total(({ before }) => before) / Math.max(1e-9, total(surprise));
  return kinds
    .map((kind) => {
      const learned = Math.min(dearest, unit * surprise(kind));
      const cost = (kind.taken * learned + pull * kind.before) / (kind.taken + pull);
      return { ...kind, cost: Number(cost.toPrecision(3)) };
    })
    .sort((one, two) => (one.kind < two.kind ? -1 : 1));
}

/** How little it was to be expected that such a step leads on. */
function surprise({ taken, led }: Pick<KindRecord, 'taken' | 'led'>): number {
  return -Math.log((led + 0.5) / (taken + 1));
}

/** The weights as plain JSON: the hand's, and in their place what was learned. */
export function learnedCosts(records: readonly KindRecord[]): StepCosts {
  return { ...handCosts, ...Object.fromEntries(records.map(({ kind, cost }) => [kind, cost])) };
}

/** Closed by a step, or taken by one to states that are all solved. */
function solvedStates(steps: readonly TacticStep[]): ReadonlySet<string> {
  const solved = new Set(steps.filter(({ outcome }) => outcome === 'closed').map(({ state }) => state));
  const ways = steps.filter(({ outcome, next }) => outcome === 'advanced' && next.length > 0);
  for (let size = -1; size !== solved.size;) {
    size = solved.size;
    for (const { state, next } of ways) if (next.every((one) => solved.has(one))) solved.add(state);
  }
  return solved;
}
