import type { WorkAccount } from '../workbench/account.ts';
import type { StepAnswer, StepOptions, Workbench, WorkState } from '../workbench/workbench.ts';

/** A worker that is only lent. */
interface Release {
  readonly isWanted: () => boolean;
  readonly giveBack: () => Promise<void>;
}

/**
 * One of the workbenches that work on the same goal for one search, all on one account. States that another hand has made
 * are reached by their script.
 */
export class Hand {
  readonly workbench: Workbench;
  readonly #account: WorkAccount;
  readonly #release: Release | undefined;
  #isGone = false;
  readonly #own = new WeakSet<WorkState>();

  constructor(workbench: Workbench, account: WorkAccount, release?: Release) {
    this.workbench = workbench;
    this.#account = account;
    this.#release = release;
  }

  /** False once someone else has waited for its worker: it is given back then, and the hand works no further. */
  async isAtWork(): Promise<boolean> {
    if (!this.#isGone && this.#release?.isWanted() === true) {
      this.#isGone = true;
      await this.#release.giveBack();
    }
    return !this.#isGone;
  }

  async run(from: WorkState, tactics: readonly string[], options: StepOptions): Promise<StepAnswer[]> {
    const answers = await this.workbench.run(from, tactics, this.#account, options);
    for (const answer of answers) if (answer.kind === 'state') this.#own.add(answer.state);
    return answers;
  }

  /** The same state at this workbench; nothing if Lean does not get there. */
  async reach(state: WorkState): Promise<WorkState | undefined> {
    const root = this.workbench.root(state.hole);
    if (state === root || this.#own.has(state)) return state;
    return await this.follow(root, state.tactics);
  }

  /** Lean led through a script. */
  async follow(
    from: WorkState,
    script: readonly string[],
    options: StepOptions = { until: 'end' },
  ): Promise<WorkState | undefined> {
    let state = from;
    for (const tactic of script) {
      const [answer] = await this.run(state, [tactic], options);
      if (answer?.kind !== 'state') return undefined;
      state = answer.state;
    }
    return state;
  }
}
