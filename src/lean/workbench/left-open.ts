import type { Goal } from '../protocol.ts';

const most = 5;

/** The smallest goals that some tactic left as the only open one. */
export class LeftOpen {
  #goals: readonly Goal[] = [];

  get goals(): readonly Goal[] {
    return this.#goals;
  }

  /** What a state leaves open. */
  note([only, ...others]: readonly Goal[]): void {
    if (!only || others.length > 0) return;
    this.#goals = [...this.#goals, only].sort((one, two) => sizeOf(one) - sizeOf(two)).slice(0, most);
  }
}

function sizeOf({ hypotheses, target }: Goal): number {
  return hypotheses.reduce((sum, { type }) => sum + type.length, target.length);
}
