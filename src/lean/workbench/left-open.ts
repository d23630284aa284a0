import type { Goal } from '../protocol.ts';

const most = 5;

/** The smallest goals that some tactic left as the only open one, each once. */
export class LeftOpen {
  #goals: readonly Goal[] = [];

  get goals(): readonly Goal[] {
    return this.#goals;
  }

  /** What a state leaves open. */
  note([only, ...others]: readonly Goal[]): void {
    if (!only || others.length > 0 || this.#goals.some((one) => isSame(one, only))) return;
    this.#goals = [...this.#goals, only].sort((one, two) => sizeOf(one) - sizeOf(two)).slice(0, most);
  }
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
