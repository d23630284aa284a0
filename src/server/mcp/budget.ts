import { UserError } from '../../core/errors.ts';

/** Default budget of a tool call in CPU-seconds. */
const usualCall = 120;
/** Wall-clock seconds allowed per CPU-second, for busy machines. */
const leastClockSeconds = 10;

/**
 * The CPU-seconds that one client may spend on Lean. A call reserves its maximum before it starts, so concurrent calls together
 * cannot exceed the remaining budget.
 */
export class ClientBudget {
  readonly #limit: number;
  #spent = 0;
  #reserved = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Neither spent nor reserved by a call in flight. */
  get left(): number {
    return Math.max(0, this.#limit - this.#spent - this.#reserved);
  }

  /** Reserves the budget of a call, up to the client's remaining one; refuses if none is left. */
  reserve(wanted = usualCall): Allowance {
    const granted = Math.min(wanted, this.left);
    if (granted === 0)
      throw new UserError(
        'budget',
        `this client has used its ${this.#limit} CPU-seconds${this.#reserved > 0 ? ', or calls in flight may still use what is left' : ''}`,
        this.#reserved > 0
          ? 'Wait until the running calls have ended.'
          : 'Connect again, or start orch mcp with a larger --client-cpu.',
      );
    this.#reserved += granted;
    let spent = 0;
    return {
      get left() {
        return Math.max(0, granted - spent);
      },
      clockSeconds(seconds) {
        return Math.min(seconds, Math.max(this.left, leastClockSeconds));
      },
      charge: (cpuSeconds) => {
        spent += cpuSeconds;
        this.#spent += cpuSeconds;
      },
      release: () => {
        this.#reserved -= granted;
      },
    };
  }

  /** Included in every answer. */
  describe(): { readonly spent_cpu_seconds: number; readonly left_cpu_seconds: number } {
    return { spent_cpu_seconds: round(this.#spent), left_cpu_seconds: round(this.left) };
  }
}

/** The budget of one call. */
export interface Allowance {
  /** CPU-seconds. */
  readonly left: number;
  /** A wall-clock limit, for work without a CPU limit. */
  clockSeconds(wanted: number): number;
  charge(cpuSeconds: number): void;
  release(): void;
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
