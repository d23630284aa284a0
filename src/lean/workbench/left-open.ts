import type { Goal } from '../base/protocol.ts';

const most = 12;

/**
 * Goals that some tactic left as the only open one, without duplicates. Goals with an assumption, such as an
 * induction step, come first, then goals that only restate the original; smaller ones first. Inaccessible names are
 * replaced so that the goal can be stated.
 */
export class LeftOpen {
  #goals: readonly Goal[] = [];

  get goals(): readonly Goal[] {
    return this.#goals;
  }

  /** Records what a state leaves open. */
  note([only, ...others]: readonly Goal[]): void {
    if (!only || others.length > 0) return;
    const goal = withNames(only);
    if (this.#goals.some((one) => isSame(one, goal))) return;
    this.#goals = [...this.#goals, goal]
      .sort((one, two) => Number(assumes(two)) - Number(assumes(one)) || sizeOf(one) - sizeOf(two))
      .slice(0, most);
  }
}

/** Whether a hypothesis is an equation, an order, a quantifier or an equivalence. */
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
