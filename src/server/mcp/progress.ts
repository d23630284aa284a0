/** Progress of a running call, as its client receives it. */
export interface CallStep {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

const secondsBetween = 5;
/** MCP wants every value to be larger than the last one; this much does not move a progress bar. */
const least = 1e-3;

/**
 * Progress of one call. A call that has nothing to report says every few seconds that it is alive, so clients that wait for the
 * first build of a project do not give up.
 */
export class CallProgress {
  readonly #send: (step: CallStep) => void;
  readonly #timer: NodeJS.Timeout;
  #last: CallStep;

  constructor(message: string, send: (step: CallStep) => void) {
    this.#send = send;
    this.#last = { progress: 0, message };
    this.#timer = setInterval(() => this.#advance(this.#last), secondsBetween * 1000);
  }

  readonly report = (done: number, total: number, message: string): void =>
    this.#advance({ progress: done, total, message });

  end(): void {
    clearInterval(this.#timer);
  }

  #advance(step: CallStep): void {
    this.#last = { ...step, progress: Math.max(step.progress, this.#last.progress + least) };
    this.#send(this.#last);
  }
}
