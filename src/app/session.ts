import type { Settings } from '../config/schema.ts';
import type { GoalsRead } from '../lean/goals/goal.ts';
import { queueGoals } from '../lean/goals/queue.ts';
import type { PremiseSource } from '../lean/premises/source.ts';
import type { RunEvent } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { openEngine, type LeanEngine } from './engine.ts';
import type { Lean } from './lean.ts';
import { premiseSource } from './premises.ts';
import { eventsOf } from './run-events.ts';
import type { RunChoice } from './run.ts';

export interface SessionParts {
  readonly settings: Settings;
  readonly lean: Lean;
  readonly ledger: Ledger;
}

type Listener = (event: RunEvent) => void;

/**
 * The only way from goals and settings to a finished run; commands, the library, MCP, Kimina, remote workers and `bg` all use it.
 *
 *     open ──begin──▶ goals are queued ──engine.run──▶ finished ──dispose──▶ closed
 *
 * Lean and the ledger belong to the caller. A session may begin several runs, one after the other.
 */
export class Session implements AsyncDisposable {
  readonly #parts: SessionParts;
  readonly #premises: PremiseSource;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#premises = premiseSource(parts.settings, parts.lean, parts.ledger);
  }

  /** A run with its goals in the queue. Work starts with `engine.run`. */
  async begin(read: GoalsRead, choice: RunChoice, listeners: readonly Listener[]): Promise<LeanEngine> {
    const { settings, lean, ledger } = this.#parts;
    const engine = await openEngine(
      settings,
      { ...lean, premises: this.#premises },
      ledger,
      choice,
      (bus) => {
        for (const listener of listeners) bus.listen(listener);
      },
    );
    lean.expect(read.goals.map(({ preamble }) => preamble));
    queueGoals(engine, read);
    return engine;
  }

  /** A whole run as its events; leaving the loop stops the run. */
  events(
    read: GoalsRead,
    choice: RunChoice,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunEvent, void, undefined> {
    return eventsOf(async (listener) => await this.begin(read, choice, [listener]), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#premises[Symbol.asyncDispose]();
  }
}
