import type { Emit } from './attempt-log.ts';
import type { ControlRequest, Memory } from './domain.ts';
import type { Schedule } from './schedule.ts';

/** The part of the engine that control requests use. */
export interface Obedient {
  readonly memory: Pick<Memory, 'newRequests'>;
  readonly schedule: Schedule;
  readonly run: string;
  /** The goal was withdrawn, but a worker still holds it. */
  readonly isLeaving: (goal: string) => boolean;
  readonly emit: Emit;
  readonly withdraw: (goal: string, reason: string) => void;
}

/**
 * Handles users' requests to a run, from any process. Each gets one `control-obeyed` when the run acts on it, so the schedule stays a fold over events.
 */
export class ControlRequests {
  readonly #engine: Obedient;
  #waiting: readonly ControlRequest[] = [];

  constructor(engine: Obedient) {
    this.#engine = engine;
  }

  /** True if something has changed. */
  async obey(): Promise<boolean> {
    const requests = [...this.#waiting, ...(await this.#engine.memory.newRequests(this.#engine.run))];
    // a goal that was just cancelled may still hold its worker: its retry waits until it is released
    this.#waiting = requests.filter((request) => this.#isEarly(request));
    const due = requests.filter((request) => !this.#waiting.includes(request));
    for (const request of due) this.#answer(request);
    return due.length > 0;
  }

  #isEarly({ action, goal }: ControlRequest): boolean {
    return action === 'retry' && goal !== null && this.#engine.isLeaving(goal);
  }

  #answer({ seq, action, goal, value }: ControlRequest): void {
    const refused = this.#refusal(action, goal);
    this.#engine.emit('control-obeyed', { request: seq, action, goal, value, refused });
    if (action === 'cancel' && goal !== null && refused === null)
      this.#engine.withdraw(goal, 'cancelled by hand');
  }

  #refusal(action: ControlRequest['action'], goal: string | null): string | null {
    const { schedule } = this.#engine;
    if (action === 'pause' || action === 'resume') return null;
    if (goal === null || !schedule.has(goal)) return 'the run has no such goal';
    const { phase, isSolved } = schedule.goal(goal);
    if (action === 'retry' && isSolved) return 'it is solved';
    if (action === 'retry' && phase !== 'closed') return 'it is still being worked on';
    if (action !== 'retry' && phase === 'closed') return 'it is closed';
    return null;
  }
}
