import { UserError } from '../../core/errors.ts';

/** What one client may spend on Lean, in CPU-seconds. */
export class ClientBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get left(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  charge(cpuSeconds: number): void {
    this.#spent += cpuSeconds;
  }

  /** Said before anything is started; what is under way may go a little over. */
  refuseSpent(): void {
    if (this.left === 0)
      throw new UserError(
        'budget',
        `this client has spent its ${this.#limit} CPU-seconds`,
        'Connect again, or start orch mcp with a larger --client-cpu.',
      );
  }

  /** With every answer. */
  describe(): { readonly spent_cpu_seconds: number; readonly left_cpu_seconds: number } {
    return { spent_cpu_seconds: round(this.#spent), left_cpu_seconds: round(this.left) };
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
