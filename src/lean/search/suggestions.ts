import { goalText } from '../base/goal-text.ts';
import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import type { Generator } from './generators.ts';

/** Proposals for several states, in their order. Undefined: the model no longer answers. */
export type Suggest = (
  states: readonly (readonly Goal[])[],
  facts: Facts,
) => Promise<readonly (readonly string[])[] | undefined>;

interface Limits {
  /** States in one question. */
  readonly atOnce: number;
  /** Maximum number of questions per search; each costs money or GPU time. */
  readonly questions: number;
}

/** A proposed step may take longer than a generated one. */
const heartbeats = 5000;
/** It comes after the cheap stages: plain closers, structural steps, the usual closers. */
const cheapStages = 3;

/**
 * One more stage for every goal of a search: proposals from outside Lean. The current state is sent together with the newest
 * waiting ones. Each state is sent once, and proposals that the search tries anyway are dropped.
 *
 *     planned ──▶ waits ──its turn, or that of another──▶ asked ──▶ known
 */
export class Suggestions {
  readonly #suggest: Suggest;
  readonly #limits: Limits;
  readonly #waiting = new Map<string, readonly Goal[]>();
  readonly #asked = new Map<string, Promise<readonly string[]>>();
  #questions = 0;
  #isOver = false;

  constructor(suggest: Suggest, limits: Limits) {
    this.#suggest = suggest;
    this.#limits = limits;
  }

  within(generator: Generator): Generator {
    return (view) => {
      const { goals, facts, isLast } = view;
      const stages = generator(view);
      if (isLast || goals.length === 0 || this.#isOver) return stages;
      const state = goals.map(goalText).join('\n\n');
      if (!this.#asked.has(state)) this.#waiting.set(state, goals);
      const known = new Set(stages.flatMap(({ tactics }) => tactics));
      const finds = async (): Promise<string[]> => {
        const found = await this.#about(state, goals, facts);
        return [...new Set(found)].filter((tactic) => !known.has(tactic));
      };
      return [
        ...stages.slice(0, cheapStages),
        { heartbeats, tactics: [], finds },
        ...stages.slice(cheapStages),
      ];
    };
  }

  /** Number of questions, and of the states in them. */
  get effort(): { readonly questions: number; readonly states: number } {
    return { questions: this.#questions, states: this.#asked.size };
  }

  async #about(state: string, goals: readonly Goal[], facts: Facts): Promise<readonly string[]> {
    const known = this.#asked.get(state);
    if (known) return await known;
    if (this.#isOver || this.#questions >= this.#limits.questions) return [];
    this.#questions++;
    this.#waiting.delete(state);
    const others = [...this.#waiting].slice(Math.max(0, this.#waiting.size - this.#limits.atOnce + 1));
    const batch = [[state, goals] as const, ...others];
    const answers = this.#answers(
      batch.map(([, its]) => its),
      facts,
    );
    for (const [index, [text]] of batch.entries()) {
      this.#waiting.delete(text);
      this.#asked.set(
        text,
        answers.then((all) => all[index] ?? []),
      );
    }
    return (await answers)[0] ?? [];
  }

  async #answers(
    states: readonly (readonly Goal[])[],
    facts: Facts,
  ): Promise<readonly (readonly string[])[]> {
    const answers = await this.#suggest(states, facts);
    this.#isOver ||= answers === undefined;
    return answers ?? [];
  }
}
