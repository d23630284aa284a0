import type {
  AttemptLimits,
  AttemptStarted,
  EventBodies,
  EventType,
  OutcomeKind,
  Slot,
} from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events.ts';
import type { Spent } from '../strategy.ts';
import type { GoalFacts } from './domain.ts';

export type Emit = <Type extends EventType>(type: Type, body: EventBodies[Type]) => void;

export const spentNothing: Spent = {
  cpuSeconds: 0,
  peakBytes: 0,
  tactics: [],
  nextGoals: [],
  premises: [],
  cacheHits: 0,
};

/** An attempt that runs. */
interface Begun {
  readonly common: Pick<
    AttemptStarted,
    'attempt' | 'goal' | 'goal_hash' | 'fingerprint' | 'strategy' | 'arm' | 'signature' | 'parent'
  >;
  readonly started: number;
  readonly startedAt: number;
}

/** Emits an event when an attempt begins, and its outcome when it ends. */
export class AttemptLog {
  readonly #emit: Emit;
  readonly #parts: { readonly clock: Clock; readonly bus: Pick<EventBus, 'run'> };
  #attempts = 0;

  constructor(emit: Emit, parts: { readonly clock: Clock; readonly bus: Pick<EventBus, 'run'> }) {
    this.#emit = emit;
    this.#parts = parts;
  }

  begin(
    goal: string,
    facts: GoalFacts,
    { strategy, arm }: { readonly strategy: string; readonly arm: string },
    signature: string,
    slot: Slot,
    limits: AttemptLimits,
  ): Begun {
    const { clock, bus } = this.#parts;
    const common = {
      attempt: `${bus.run}-${++this.#attempts}`,
      goal,
      goal_hash: facts.goalHash,
      fingerprint: facts.fingerprint,
      strategy,
      arm,
      signature,
      parent: null,
    };
    this.#emit('attempt-started', { ...common, slot, limits });
    return { common, started: clock.date().getTime(), startedAt: clock.now() };
  }

  end(
    { common, started, startedAt }: Begun,
    { context }: GoalFacts,
    params: AttemptLimits,
    outcome: OutcomeKind,
    error: string | null,
    reward: number | null,
    spent: Spent,
  ): void {
    this.#emit('attempt-finished', {
      ...common,
      context,
      params,
      started,
      outcome,
      tactics: spent.tactics,
      next_goals: spent.nextGoals,
      premises: spent.premises,
      cache_hits: spent.cacheHits,
      cpu_seconds: spent.cpuSeconds,
      wall_seconds: (this.#parts.clock.now() - startedAt) / 1000,
      peak_bytes: spent.peakBytes,
      gpu_seconds: spent.gpuSeconds ?? 0,
      cloud_seconds: spent.cloudSeconds ?? 0,
      input_tokens: spent.inputTokens ?? 0,
      output_tokens: spent.outputTokens ?? 0,
      ...(spent.model && { model: spent.model }),
      error,
      reward,
    });
  }
}
