import type { Answer, GoalQueue, Ground } from '../../store/queue/queue.ts';
import { sortedOptions } from '../project/options.ts';
import type { LeanGoal } from '../goals/goal.ts';
import type { LeanPool } from '../pool.ts';
import { describeToolchain } from '../toolchain/toolchain.ts';
import type { RemoteTask } from './claim.ts';

/** Word of an answer may be lost: then it is found so much later. */
const lookMs = 1000;
/** Grounds that are wanted are said to be so this often. */
const wantMs = 20_000;

interface Waiting {
  readonly resolve: (answer: Answer | undefined) => void;
}

export interface DispatchOptions {
  readonly queue: GoalQueue;
  /** For what goals stand on: modules are hashed here, and compared there. */
  readonly pool: Pick<LeanPool, 'toolchain' | 'environments'>;
  readonly version: string;
  /** Jobs of this run, and of those that go on with it, have names below this: what was answered before is not asked again. */
  readonly scope: string;
}

/** Sends goals to workers and hears from them. It closes the queue that it was given. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #wanted = new Map<string, { readonly ground: Ground; readonly queue: Promise<string> }>();
  readonly #asked = new Map<string, number>();
  #timers: NodeJS.Timeout[] = [];
  #unfollow: (() => Promise<void>) | undefined;
  #looking: Promise<void> = Promise.resolve();

  static async open(options: DispatchOptions): Promise<Dispatch> {
    const dispatch = new Dispatch(options);
    dispatch.#unfollow = await options.queue.follow(() => dispatch.#look());
    dispatch.#timers = [
      setInterval(() => dispatch.#look(), lookMs),
      setInterval(() => dispatch.#wantOn(), wantMs),
    ];
    return dispatch;
  }

  private constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** What the first worker said; undefined when nobody wants to know any more. A goal that is asked for again is another job. */
  async ask(goal: LeanGoal, signal: AbortSignal): Promise<Answer | { readonly cannot: string } | undefined> {
    const ground = await this.#groundOf(goal);
    if ('cannot' in ground) return ground;
    const queue = await this.#want(ground);
    const count = (this.#asked.get(goal.id) ?? 0) + 1;
    this.#asked.set(goal.id, count);
    const job = `${this.#options.scope}/${goal.id}/${count}`;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    this.#waiting.set(job, { resolve });
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) return undefined;
      const task: RemoteTask = { goal };
      await this.#options.queue.send(queue, job, task, 0);
      this.#look(); // it may have been answered before this run began
      const answer = await promise;
      if (answer === undefined) await this.#options.queue.withdraw(queue, job);
      return answer;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(job);
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#unfollow?.();
    await this.#looking;
    await this.#options.queue.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #want(ground: Ground): Promise<string> {
    const key = JSON.stringify(ground);
    const known = this.#wanted.get(key) ?? { ground, queue: this.#options.queue.want(ground) };
    this.#wanted.set(key, known);
    return await known.queue;
  }

  #wantOn(): void {
    for (const { ground } of this.#wanted.values()) this.#options.queue.want(ground).catch(() => undefined); // said again soon
  }

  async #groundOf({ environment }: LeanGoal): Promise<Ground | { readonly cannot: string }> {
    const { pool, version } = this.#options;
    const common = { version, toolchain: describeToolchain(pool.toolchain) };
    const project = environment?.project ?? null;
    if (!environment || project === null)
      return { ...common, imports: [], options: {}, closure: '', project: null };
    const opened = await pool.environments.open(environment);
    if ('kind' in opened) return { cannot: opened.message };
    const { imports, options } = environment;
    return { ...common, imports, options: sortedOptions(options), closure: opened.closure, project };
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => await this.#collect());
  }

  async #collect(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const answers = await this.#options.queue.answers([...this.#waiting.keys()]).catch(() => []); // asked again soon
    for (const answer of answers) this.#waiting.get(answer.job)?.resolve(answer);
  }
}
