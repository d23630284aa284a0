import type { WorkAccount } from '../workbench/account.ts';
import type { Moves } from '../base/protocol.ts';
import type { MoveFacts, StepAnswer, StepOptions, Workbench, WorkState } from '../workbench/workbench.ts';

/** A borrowed worker. */
interface Release {
  readonly isWanted: () => boolean;
  readonly giveBack: () => Promise<void>;
}

/**
 * One of several workbenches that work on the same goal for one search, with a shared account. A state of another hand is
 * reached by replaying its script.
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

  /** False once another goal waits for its worker; the hand then returns it and stops. */
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

  /** The steps that Lean reads from the first goal. */
  async moves(at: WorkState, facts: MoveFacts): Promise<Moves> {
    return await this.workbench.moves(at, facts, this.#account);
  }

  /** The same state at this workbench; undefined if replaying fails. */
  async reach(state: WorkState): Promise<WorkState | undefined> {
    const root = this.workbench.root(state.hole);
    if (state === root || this.#own.has(state)) return state;
    return await this.follow(root, state.tactics);
  }

  /** Replays a script. */
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
