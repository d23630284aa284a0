import {
  stepWordsLength,
  type FrontierNode,
  type SearchMemory,
  type TacticStep,
} from '../../store/ledger/search-memory.ts';
import { premisesIn } from '../workbench/candidate.ts';
import { goalText } from '../base/goal-text.ts';
import { sha256 } from '../../core/sha256.ts';
import type { FailureKind, Goal } from '../base/protocol.ts';
import type { StepAnswer, Workbench, WorkState } from '../workbench/workbench.ts';

/** Steps are written in batches, because a search makes hundreds. */
const stepsAtOnce = 200;

/** Knowledge about a goal from earlier searches. */
export interface Known {
  /** Tactics that finished it. */
  readonly closing: readonly string[];
  /** It failed before with a limit at least as large. */
  isHopeless(tactic: string, heartbeats: number): boolean;
}

export const nothingKnown: Known = { closing: [], isHopeless: () => false };

/**
 * The data that searches of one hole store in the ledger for the next one: the result of each tactic on each
 * state, and the unexpanded
 * states. These are hints and are run again.
 */
export class Trail {
  readonly #memory: SearchMemory;
  readonly #workbench: Workbench;
  readonly #root: WorkState;
  #steps: TacticStep[] = [];
  readonly #noted = new Set<string>();

  constructor(memory: SearchMemory, workbench: Workbench, root: WorkState) {
    this.#memory = memory;
    this.#workbench = workbench;
    this.#root = root;
  }

  async known(goals: readonly Goal[]): Promise<Known> {
    const steps = await this.#memory.stepsFrom([this.stateOf(goals)]);
    if (steps.length === 0) return nothingKnown;
    const failed = new Map(
      steps.flatMap(({ tactic, outcome, heartbeats }) =>
        outcome === 'failed'
          ? [[tactic, Number.POSITIVE_INFINITY] as const]
          : outcome === 'timeout'
            ? [[tactic, heartbeats] as const]
            : [],
      ),
    );
    return {
      closing: steps.filter(({ outcome }) => outcome === 'closed').map(({ tactic }) => tactic),
      isHopeless: (tactic, heartbeats) => (failed.get(tactic) ?? -1) >= heartbeats,
    };
  }

  /** `left`: the goals that the step left. */
  async note(
    goals: readonly Goal[],
    tactic: string,
    heartbeats: number,
    answer: StepAnswer,
    left: readonly (readonly Goal[])[],
  ): Promise<void> {
    const outcome =
      answer.kind === 'failed' ? failedAs(answer.failure.kind) : left.length === 0 ? 'closed' : 'advanced';
    const state = this.stateOf(goals);
    const key = `${state} ${tactic}`;
    if (outcome === undefined || this.#noted.has(key)) return;
    this.#noted.add(key);
    this.#steps.push({
      state,
      tactic,
      outcome,
      cpuSeconds: (answer.kind === 'failed' ? (answer.failure.ms ?? 0) : (answer.ms ?? 0)) / 1000,
      heartbeats,
      premises: premisesIn(tactic, this.#workbench),
      next: left.map((some) => this.stateOf(some)),
      words:
        answer.kind === 'failed'
          ? [answer.failure.message.slice(0, stepWordsLength.failure)]
          : left.map((some) => some.map(goalText).join('\n\n').slice(0, stepWordsLength.state)),
    });
    if (this.#steps.length >= stepsAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    await this.#memory.noteSteps(steps);
  }

  /** Where the last search of this hole stopped. */
  async frontier(): Promise<FrontierNode[]> {
    return await this.#memory.frontier(this.#key, this.#workbench.fingerprint);
  }

  /** An empty frontier: the hole is solved or exhausted. */
  async save(nodes: readonly FrontierNode[]): Promise<void> {
    await this.flush();
    const goals = this.#root.goals.slice(0, 1); // later goals belong to other holes
    const start = { state: this.stateOf(goals), goals: goals.map(goalText) };
    await this.#memory.saveFrontier(this.#key, this.#workbench.fingerprint, start, nodes);
  }

  /** A state's key in the ledger: its printed goals and its environment. */
  stateOf(goals: readonly Goal[]): string {
    const seen = goals.map(({ hypotheses, target }) => [
      hypotheses.map(({ name, type, value }) => [name, type, value]),
      target,
    ]);
    return sha256(JSON.stringify([this.#workbench.fingerprint, seen])).slice(0, 32);
  }

  /** The key of a search: the hash of the statement, or a separate one for a hole of a longer proof. */
  get #key(): string {
    const { goal, goalHash } = this.#workbench;
    return goal.holes.kind === 'statement' ? goalHash : `${goalHash}:${this.stateOf(this.#root.goals)}`;
  }
}

/** Undefined if it carries no information about the tactic. */
function failedAs(kind: FailureKind): 'failed' | 'timeout' | undefined {
  if (kind === 'heartbeats' || kind === 'recursion') return 'timeout';
  return kind === 'tactic' || kind === 'elaboration' || kind === 'parse' ? 'failed' : undefined;
}
