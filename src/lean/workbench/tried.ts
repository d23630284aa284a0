import { createHash } from 'node:crypto';
import type { Failure, FailureKind, Goal } from '../base/protocol.ts';

/** The outcome of running a tactic from some state. */
export type Answer<State> =
  /** `ms`: Lean's time for the tactic. */
  | { readonly kind: 'state'; readonly state: State; readonly ms?: number; readonly heartbeats?: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Results of earlier tactic runs, keyed by goals and tactic, so different paths to the same goals share them. A
 * reached limit does not predict the outcome under a larger one; a deadline, a cancellation or a crash is not
 * recorded.
 */
export class Tried<State> {
  readonly #known = new Map<string, { readonly answer: Answer<State>; readonly heartbeats: number }>();

  find(goals: string, tactic: string, heartbeats: number): Answer<State> | undefined {
    const known = this.#known.get(`${goals}\n${tactic}`);
    if (!known) return undefined;
    const isLimit = known.answer.kind === 'failed' && isBoundByWork(known.answer.failure);
    return isLimit && heartbeats > known.heartbeats ? undefined : known.answer;
  }

  remember(goals: string, tactic: string, heartbeats: number, answer: Answer<State>): void {
    if (answer.kind === 'failed' && !countsAsTried(answer.failure)) return;
    this.#known.set(`${goals}\n${tactic}`, { answer, heartbeats });
  }

  /** Overrides the earlier answer: the result did not survive a later check. */
  forbid(goals: string, tactic: string, answer: Answer<State>): void {
    this.#known.set(`${goals}\n${tactic}`, { answer, heartbeats: Number.POSITIVE_INFINITY });
  }
}

/** Goals as a key: everything that Lean prints of them. */
export function keyOf(hole: number, goals: readonly Goal[]): string {
  const seen = goals.map(({ hypotheses, target }) => [
    hypotheses.map(({ name, type, value }) => [name, type, value]),
    target,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([hole, seen]))
    .digest('base64url');
}

function isBoundByWork({ kind }: Failure): boolean {
  return kind === 'heartbeats' || kind === 'recursion';
}

const saysNothing: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'cancelled',
  'memory',
  'crash',
  'invalid-request',
  'unknown-session',
  'unknown-state',
]);

function countsAsTried({ kind }: Failure): boolean {
  return !saysNothing.has(kind);
}
