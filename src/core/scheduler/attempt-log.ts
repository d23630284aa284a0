import type {
  AttemptColumns,
  AttemptLimits,
  AttemptStarted,
  EventBodies,
  EventType,
  OutcomeKind,
  Slot,
} from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events.ts';
import { effortRow, type Spent } from '../strategy.ts';
import type { GoalFacts } from './domain.ts';

export type Emit = <Type extends EventType>(type: Type, body: EventBodies[Type]) => void;

export const spentNothing: Spent = {
  cpuSeconds: 0,
  peakBytes: 0,
  cacheHits: 0,
};

/** A running attempt. */
interface Begun {
  readonly common: Pick<
    AttemptStarted,
    'attempt' | 'goal' | 'goal_hash' | 'fingerprint' | 'strategy' | 'arm' | 'signature' | 'parent'
  >;
  readonly context: string;
  readonly limits: AttemptLimits;
  readonly started: number;
  readonly startedAt: number;
}

interface Beginning {
  readonly goal: string;
  readonly facts: GoalFacts;
  /** The strategy and arm to credit. */
  readonly named: { readonly strategy: string; readonly arm: string };
  readonly signature: string;
  readonly slot: Slot;
  readonly limits: AttemptLimits;
}

interface Ending {
  readonly outcome: OutcomeKind;
  readonly error: string | null;
  /** Null for a censored attempt. */
  readonly reward: number | null;
  readonly spent: Spent;
  readonly columns: AttemptColumns;
}

/** Emits an event when an attempt starts and one with its outcome when it ends. */
export class AttemptLog {
  readonly #emit: Emit;
  readonly #parts: { readonly clock: Clock; readonly bus: Pick<EventBus, 'run'> };
  #attempts = 0;

  constructor(emit: Emit, parts: { readonly clock: Clock; readonly bus: Pick<EventBus, 'run'> }) {
    this.#emit = emit;
    this.#parts = parts;
  }

  begin({ goal, facts, named, signature, slot, limits }: Beginning): Begun {
    const { clock, bus } = this.#parts;
    const common = {
      attempt: `${bus.run}-${++this.#attempts}`,
      goal,
      goal_hash: facts.goalHash,
      fingerprint: facts.fingerprint,
      ...named,
      signature,
      parent: null,
    };
    this.#emit('attempt-started', { ...common, slot, limits });
    return {
      common,
      context: facts.context,
      limits,
      started: clock.date().getTime(),
      startedAt: clock.now(),
    };
  }

  end(
    { common, context, limits, started, startedAt }: Begun,
    { outcome, error, reward, spent, columns }: Ending,
  ): void {
    this.#emit('attempt-finished', {
      ...common,
      context,
      params: limits,
      started,
      outcome,
      ...columns,
      cache_hits: spent.cacheHits,
      ...effortRow(spent),
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
