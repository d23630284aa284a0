import type { WorkerAnswer, GoalQueue, Settled } from '../store/queue/queue.ts';
import type { RemoteTask } from './claim.ts';

/** A worker that answers again after a refusal is ignored; the job is delayed more each time, so that others get it first. */
const longestDelaySeconds = 30;
/** Repeated jobs come after new ones. */
const lowPriority = -1;
/**
 * A worker can change its name with every answer, but not its database role; after this many refusals the role
 * is ignored.
 */
const maxRefusals = 50;

/** While other roles are asked, this is how often they are looked for. */
const lookAgainMs = 30_000;

/** The name of a worker is `ROLE/NAME`, or `NAME` under the role that owns the ledger. */
function roleOf(worker: string): string {
  return worker.includes('/') ? worker.slice(0, worker.indexOf('/')) : '';
}

/** The common data of all goals of a run. */
interface Asking {
  readonly queue: GoalQueue;
  /** How long a worker may hold a goal. */
  readonly holdSeconds: number;
}

/**
 * One goal at the workers, until an answer closes it.
 *
 *     asked ──answer──▶ weighed ──accepted, or nothing found──▶ over
 *       ▲                  └─ refused ─┐
 *       └── another worker is asked ───┘
 */
export class Inquiry {
  readonly #queue: GoalQueue;
  readonly #name: string;
  readonly #question: string;
  readonly #goal: object & { readonly id: string };
  readonly #inbox: WorkerAnswer[] = [];
  readonly #heard = new Set<number>();
  readonly #answered = new Set<string>();
  readonly #refused = new Set<string>();
  /** Roles that found nothing. */
  readonly #foundNothing = new Set<string>();
  /** How many answers of each role were refused. */
  readonly #refusals = new Map<string, number>();
  readonly #holdSeconds: number;
  #ignored = 0;
  #wake: () => void = () => undefined;

  constructor(
    { queue, holdSeconds }: Asking,
    name: string,
    question: string,
    goal: object & { readonly id: string },
  ) {
    this.#queue = queue;
    this.#holdSeconds = holdSeconds;
    this.#name = name;
    this.#question = question;
    this.#goal = goal;
  }

  /** Replays answers received by a killed run that this one continues. */
  recall(before: readonly WorkerAnswer[]): void {
    for (const answer of before) {
      // accepted, but the run died before recording it: judge it again
      if (answer.verdict !== 'refused') this.hear(answer);
      else {
        this.#pass(answer);
        this.#refuse(answer.worker);
      }
    }
  }

  /** A user requested a retry: earlier answers do not count, and every worker may answer again. */
  startOver(before: readonly WorkerAnswer[]): void {
    for (const answer of before) this.#pass(answer);
  }

  #pass({ number, job }: WorkerAnswer): void {
    this.#heard.add(number);
    this.#answered.add(job);
  }

  /** Receives an answer. */
  hear(answer: WorkerAnswer): void {
    if (this.#heard.has(answer.number)) return;
    this.#heard.add(answer.number);
    this.#inbox.push(answer);
    this.#wake();
  }

  /** The next answer to consider; undefined once the goal is no longer wanted, or only roles that found nothing are left. */
  async next(signal: AbortSignal): Promise<WorkerAnswer | undefined> {
    for (;;) {
      const answer = this.#inbox.shift();
      if (answer) {
        this.#answered.add(answer.job);
        if (!this.#isRefused(answer.worker)) return answer;
        this.#ignored++;
        await this.settle(answer, 'refused');
      } else {
        if (!signal.aborted) await this.#ask();
        if (!signal.aborted && this.#inbox.length === 0) await this.#news(signal);
        if (signal.aborted || (await this.#hasLostTheRest())) {
          await this.#queue.withdraw(this.#name, this.#job);
          return undefined;
        }
      }
    }
  }

  /** Returns whether it is the first accepted one. A refused worker is not asked again. */
  async settle(answer: WorkerAnswer, verdict: Settled): Promise<boolean> {
    if (verdict === 'refused') this.#refuse(answer.worker);
    return await this.#queue.settle(answer, verdict);
  }

  #refuse(worker: string): void {
    this.#refused.add(worker);
    this.#refusals.set(roleOf(worker), (this.#refusals.get(roleOf(worker)) ?? 0) + 1);
  }

  /**
   * Whether this report of no proof ends the goal. A worker that has the ledger could end it anyway. Any other may lie, so each role
   * that works here is heard once.
   */
  async endsWith(worker: string): Promise<boolean> {
    this.#foundNothing.add(roleOf(worker));
    return roleOf(worker) === '' || (await this.#isHeard());
  }

  async #isHeard(): Promise<boolean> {
    const offering = await this.#queue.offering(this.#name);
    return offering.every((worker) => this.#foundNothing.has(roleOf(worker)) || this.#isRefused(worker));
  }

  #isRefused(worker: string): boolean {
    return this.#refused.has(worker) || this.#isRefusedRole(roleOf(worker));
  }

  #isRefusedRole(role: string): boolean {
    return (this.#refusals.get(role) ?? 0) >= maxRefusals;
  }

  /** Whether every available worker was refused. False if there are no workers, because one may appear. */
  async isHopeless(): Promise<boolean> {
    const offering = await this.#queue.offering(this.#name);
    return offering.length > 0 && offering.every((worker) => this.#isRefused(worker));
  }

  /** The numbers of the answers that it has received. */
  get heard(): ReadonlySet<number> {
    return this.#heard;
  }

  /** The queue and the job it waits for. */
  get awaited(): { readonly queue: string; readonly job: string } {
    return { queue: this.#name, job: this.#job };
  }

  get #job(): string {
    return `${this.#question}/${this.#answered.size + 1}`;
  }

  async #ask(): Promise<void> {
    const refused = [...this.#refusals.keys()].filter((role) => this.#isRefusedRole(role));
    const roles = [...new Set([...refused, ...this.#foundNothing])].filter((role) => role !== '');
    const task: RemoteTask = { goal: { ...this.#goal }, refused: [...this.#refused], roles };
    await this.#queue.send(this.#name, this.#job, task, {
      priority: this.#refused.size > 0 ? lowPriority : 0,
      afterSeconds: Math.min(this.#ignored, longestDelaySeconds),
      holdSeconds: this.#holdSeconds,
    });
  }

  async #news(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    signal.addEventListener('abort', this.#wake, { once: true });
    const timer = this.#foundNothing.size > 0 ? setTimeout(resolve, lookAgainMs) : undefined;
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', this.#wake);
  }

  /** The other roles have gone while they were waited for. */
  async #hasLostTheRest(): Promise<boolean> {
    return this.#foundNothing.size > 0 && this.#inbox.length === 0 && (await this.#isHeard());
  }
}
