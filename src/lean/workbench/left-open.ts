import type { Goal } from '../base/protocol.ts';

const most = 12;

/**
 * Goals that some tactic left as the only open one, each once: first those that assume something, as a step of an induction does,
 * then what is only the goal in other words; the smallest first. What Lean has no name for gets one, so that it can be stated.
 */
export class LeftOpen {
  #goals: readonly Goal[] = [];

  get goals(): readonly Goal[] {
    return this.#goals;
  }

  /** What a state leaves open. */
  note([only, ...others]: readonly Goal[]): void {
    if (!only || others.length > 0) return;
    const goal = withNames(only);
    if (this.#goals.some((one) => isSame(one, goal))) return;
    this.#goals = [...this.#goals, goal]
      .sort((one, two) => Number(assumes(two)) - Number(assumes(one)) || sizeOf(one) - sizeOf(two))
      .slice(0, most);
  }
}

/** Some hypothesis is an equation, or holds under conditions. */
function assumes({ hypotheses }: Goal): boolean {
  return hypotheses.some(
    ({ kind, head }) => kind === 'equation' || kind === 'order' || kind === 'quantifier' || head === 'Iff',
  );
}

function withNames(goal: Goal): Goal {
  if (!JSON.stringify(goal).includes('✝')) return goal;
  const hypotheses = goal.hypotheses.map((one) => ({
    ...one,
    name: named(one.name),
    type: named(one.type),
    ...(one.value !== undefined && { value: named(one.value) }),
  }));
  return { ...goal, hypotheses, target: named(goal.target) };
}

/** `x✝¹` as `x_1`, `x✝` as `x_0`. */
function named(text: string): string {
  return text.replaceAll(/✝([⁰¹²³⁴-⁹]*)/gu, (_, digits: string) =>
    digits === '' ? '_0' : `_${digits.normalize('NFKC')}`,
  );
}

function isSame(one: Goal, two: Goal): boolean {
  return one.target === two.target && typesOf(one) === typesOf(two);
}

function typesOf({ hypotheses }: Goal): string {
  return hypotheses.map(({ name, type }) => `${name} : ${type}`).join('\n');
}

function sizeOf({ hypotheses, target }: Goal): number {
  return hypotheses.reduce((sum, { type }) => sum + type.length, target.length);
}
