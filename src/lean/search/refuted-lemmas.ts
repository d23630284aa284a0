import type { RefutedLemma } from '../../core/scheduler/domain.ts';
import { environmentKey, environmentOf } from '../project/environment.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { isSameText } from '../premises/similarity.ts';
import { asHave } from '../base/signature.ts';
import { proofFrom } from './negation.ts';

/** Lemmas that turned out to be false, in any run: they are not requested again, and no plan depends on them. */
export class RefutedLemmas {
  readonly #byHash = new Map<string, string>();
  readonly #byGround = new Map<string, RefutedLemma<LeanGoal>[]>();

  add(lemma: RefutedLemma<LeanGoal>): void {
    const { goal, goalHash, counterexample } = lemma;
    if (goalHash !== null) this.#byHash.set(goalHash, counterexample);
    const key = groundOf(goal);
    this.#byGround.set(key, [...(this.#byGround.get(key) ?? []), lemma]);
  }

  /** A counterexample to a statement of this identity. */
  ofHash(goalHash: string): string | undefined {
    return this.#byHash.get(goalHash);
  }

  /** A counterexample to a statement with this text, with the dependencies of a goal. */
  ofText(at: Pick<LeanGoal, 'preamble' | 'environment'>, statement: string): string | undefined {
    const known = this.#byGround.get(groundOf(at)) ?? [];
    return known.find(({ goal }) => isSameText(goal.statement, statement))?.counterexample;
  }
}

function groundOf({ preamble, environment }: Pick<LeanGoal, 'preamble' | 'environment'>): string {
  return JSON.stringify([preamble.trim(), environmentKey(environment ?? environmentOf(preamble))]);
}

/**
 * The negation of a false lemma as a lemma: goals that claim the existence of something may need it. Undefined
 * if Lean cannot read its type back.
 */
export function negationLemma({
  goal,
  counterexample,
}: RefutedLemma<LeanGoal>): { readonly goal: LeanGoal; readonly proof: string } | undefined {
  const type = asHave(goal.statement, 'given')?.replace(/^have given : /, '');
  const name = /^\s*(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(goal.statement)?.[1];
  if (type === undefined || name === undefined) return undefined;
  const negation = { ...goal, statement: `theorem not_${name} : ¬ (${type})` };
  return { goal: negation, proof: proofFrom(counterexample) };
}
