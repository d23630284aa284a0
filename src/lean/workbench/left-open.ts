import type { Node } from './node.ts';

const most = 12;

type Left = Pick<Node, 'key' | 'goals'>;

/**
 * States that some tactic left with one open goal, without duplicates. Goals with an assumption, such as an induction step, come
 * first, then goals that only restate the original; those with fewer hypotheses first.
 */
export class LeftOpen<State extends Left> {
  #states: readonly State[] = [];

  get states(): readonly State[] {
    return this.#states;
  }

  note(state: State): void {
    if (state.goals.length !== 1 || this.#states.some(({ key }) => key === state.key)) return;
    this.#states = [...this.#states, state]
      .sort((one, two) => Number(assumes(two)) - Number(assumes(one)) || sizeOf(one) - sizeOf(two))
      .slice(0, most);
  }
}

/** Whether a hypothesis is an equation, an order, a quantifier or an equivalence. */
function assumes({ goals: [goal] }: Left): boolean {
  return (goal?.hypotheses ?? []).some(
    ({ kind, head }) => kind === 'equation' || kind === 'order' || kind === 'quantifier' || head === 'Iff',
  );
}

function sizeOf({ goals: [goal] }: Left): number {
  return goal?.hypotheses.length ?? 0;
}
