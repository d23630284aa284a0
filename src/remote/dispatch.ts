import { success, type Result } from '../core/result.ts';
import { fieldOf } from '../core/errors.ts';
import {
  longestHoldSeconds,
  type WorkerAnswer,
  type GoalQueue,
  type Ground,
  type Settled,
} from '../store/queue/queue.ts';
import { Inquiry } from './inquiry.ts';

/** Maximum number of goals that workers hold or that wait for one: enough for a thousand workers of eight. */
export const goalsSent = 10_000;
/** Polling interval, in case a notification is lost. */
const lookMs = 1000;
/** Interval at which wanted environments and jobs are renewed, and changes by other processes noticed. */
const wantMs = 20_000;

export interface DispatchOptions<Goal> {
  readonly queue: GoalQueue;
  /** How long a worker may hold a goal; its proof counts also after that. */
  readonly holdSeconds: number;
  /** The data that a worker needs to open a goal, or why it cannot be opened. */
  readonly groundOf: (goal: Goal) => Promise<Result<Ground>>;
  /** Prefix of the jobs of this run and of runs that continue it, so that answered jobs are not sent again. */
  readonly scope: string;
}

/** An answer to a goal that has been closed meanwhile. */
export interface LateAnswer<Goal> {
  readonly goal: Goal;
  readonly answer: WorkerAnswer;
  /** Whether it is the first accepted one. */
  readonly settle: (verdict: Settled) => Promise<boolean>;
}

/** Sends goals to workers and receives their answers. Owns the queue and closes it. */
export class Dispatch<Goal extends { readonly id: string }> {
  readonly #options: DispatchOptions<Goal>;
  readonly #open = new Map<string, Inquiry>();
  /** Goals that were asked for here; an answer to one that is no longer open is late. */
  readonly #asked = new Map<string, Goal>();
  readonly #wanted = new Map<string, { readonly ground: Ground; readonly queue: Promise<string> }>();
  /** Answers that were delivered, or that wait until their goal is opened. */
  #heard = new Set<number>();
  #onLate: (late: LateAnswer<Goal>) => void = () => undefined;
  #timers: NodeJS.Timeout[] = [];
  #unfollow: (() => Promise<void>) | undefined;
  #looking: Promise<void> | undefined;
  #isDue = false;

  static async open<Goal extends { readonly id: string }>(
    options: DispatchOptions<Goal>,
  ): Promise<Dispatch<Goal>> {
    const dispatch = new Dispatch(options);
    dispatch.#unfollow = await options.queue.follow(() => dispatch.#look());
    dispatch.#timers = [
      setInterval(() => dispatch.#look(), lookMs),
      setInterval(() => void dispatch.#wantOn().catch(() => undefined), wantMs), // retried soon
    ];
    return dispatch;
  }

  private constructor(options: DispatchOptions<Goal>) {
    this.#options = options;
  }

  onLate(hear: (late: LateAnswer<Goal>) => void): void {
    this.#onLate = hear;
  }

  /** Sends a goal to workers, until `end`. A repeated goal starts over, ignoring earlier answers. */
  async begin(goal: Goal): Promise<Result<Inquiry>> {
    const { queue, scope, groundOf } = this.#options;
    const ground = await groundOf(goal);
    if (!ground.ok) return ground;
    const name = await this.#want(ground.value);
    const question = `${scope}/${goal.id}`;
    // a goal with a larger limit may be held for longer
    const relax = fieldOf(goal, 'relax');
    const factor = typeof relax === 'number' ? relax : 1;
    const holdSeconds = Math.min(longestHoldSeconds, this.#options.holdSeconds * factor);
    const inquiry = new Inquiry({ queue, holdSeconds }, name, question, goal);
    const isAskedAgain = this.#asked.has(question);
    this.#asked.set(question, goal);
    this.#open.set(question, inquiry); // later answers go to the new inquiry
    const before = await queue.answersTo([question]);
    for (const { number } of before) this.#heard.add(number);
    if (isAskedAgain) inquiry.startOver(before);
    else inquiry.recall(before);
    return success(inquiry);
  }

  end(goal: Goal): void {
    this.#open.delete(`${this.#options.scope}/${goal.id}`);
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

  /** A run that was considered dead may resume and withdraw our jobs or settle their answers, so both are renewed. */
  async #wantOn(): Promise<void> {
    const { queue } = this.#options;
    for (const { ground } of this.#wanted.values()) await queue.want(ground);
    const awaited = [...this.#open.values()].map((inquiry) => inquiry.awaited);
    for (const [name, jobs] of Map.groupBy(awaited, (each) => each.queue))
      await queue.keep(
        name,
        jobs.map(({ job }) => job),
      );
    const heard = [...this.#open.values()].flatMap((inquiry) => [...inquiry.heard]);
    for (const answer of await queue.answersTo([...this.#open.keys()], heard))
      this.#open.get(answer.question)?.hear(answer);
  }

  /** Concurrent calls lead to one additional poll. */
  #look(): void {
    this.#isDue = true;
    this.#looking ??= this.#collect().finally(() => (this.#looking = undefined));
  }

  async #collect(): Promise<void> {
    const { queue, scope } = this.#options;
    while (this.#isDue) {
      this.#isDue = false;
      const answers = await queue.unsettled(scope, this.#heard).catch(() => undefined); // retried soon
      if (!answers) return;
      for (const answer of answers) if (!this.#heard.has(answer.number)) this.#hear(answer);
      this.#heard = new Set(answers.map(({ number }) => number));
    }
  }

  #hear(answer: WorkerAnswer): void {
    const inquiry = this.#open.get(answer.question);
    if (inquiry) {
      inquiry.hear(answer);
      return;
    }
    const goal = this.#asked.get(answer.question);
    // an answer to a goal not yet requested here is found when the goal is opened
    if (goal)
      this.#onLate({
        goal,
        answer,
        settle: async (verdict) => await this.#options.queue.settle(answer, verdict),
      });
  }
}
