import type { WorkerAnswer, GoalQueue, Settled } from '../store/queue/queue.ts';
import type { RemoteTask } from './claim.ts';

/** A worker that answers again after a rejection is ignored, and asked later and later: others may be quicker. */
const longestDelaySeconds = 30;
/** What has to be asked again comes after what nobody has looked at yet. */
const lowPriority = -1;

/**
 * One goal with the workers, until someone's answer closes it.
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
  #ignored = 0;
  #wake: () => void = () => undefined;

  constructor(queue: GoalQueue, name: string, question: string, goal: object & { readonly id: string }) {
    this.#queue = queue;
    this.#name = name;
    this.#question = question;
    this.#goal = goal;
  }

  /** What was answered when a run that was killed asked the same. */
  recall(before: readonly WorkerAnswer[]): void {
    for (const answer of before) {
      // accepted once, but the run did not live to say so: it is judged again
      if (answer.verdict !== 'refused') this.hear(answer);
      else {
        this.#pass(answer);
        this.#refused.add(answer.worker);
      }
    }
  }

  /** A person wants it tried again: what was said so far is over, and everyone may answer. */
  startOver(before: readonly WorkerAnswer[]): void {
    for (const answer of before) this.#pass(answer);
  }

  #pass({ number, job }: WorkerAnswer): void {
    this.#heard.add(number);
    this.#answered.add(job);
  }

  /** An answer has come. */
  hear(answer: WorkerAnswer): void {
    if (this.#heard.has(answer.number)) return;
    this.#heard.add(answer.number);
    this.#inbox.push(answer);
    this.#wake();
  }

  /** The next answer that is worth a look; undefined when nobody wants to know any more. */
  async next(signal: AbortSignal): Promise<WorkerAnswer | undefined> {
    for (;;) {
      const answer = this.#inbox.shift();
      if (answer) {
        this.#answered.add(answer.job);
        if (!this.#refused.has(answer.worker)) return answer;
        this.#ignored++;
        await this.settle(answer, 'refused');
      } else {
        if (!signal.aborted) await this.#ask();
        if (!signal.aborted && this.#inbox.length === 0) await this.#news(signal);
        if (signal.aborted) {
          await this.#queue.withdraw(this.#name, this.#job);
          return undefined;
        }
      }
    }
  }

  /** Whether it is the first accepted one. Who was refused is not asked again. */
  async settle(answer: WorkerAnswer, verdict: Settled): Promise<boolean> {
    if (verdict === 'refused') this.#refused.add(answer.worker);
    return await this.#queue.settle(answer, verdict);
  }

  /** Everyone who could answer was refused. Where nobody is, someone may come. */
  async isHopeless(): Promise<boolean> {
    const offering = await this.#queue.offering(this.#name);
    return offering.length > 0 && offering.every((worker) => this.#refused.has(worker));
  }

  /** The queue and the job that it waits for. */
  get awaited(): { readonly queue: string; readonly job: string } {
    return { queue: this.#name, job: this.#job };
  }

  get #job(): string {
    return `${this.#question}/${this.#answered.size + 1}`;
  }

  async #ask(): Promise<void> {
    const task: RemoteTask = { goal: { ...this.#goal }, refused: [...this.#refused] };
    await this.#queue.send(this.#name, this.#job, task, {
      priority: this.#refused.size > 0 ? lowPriority : 0,
      afterSeconds: Math.min(this.#ignored, longestDelaySeconds),
    });
  }

  async #news(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    signal.addEventListener('abort', this.#wake, { once: true });
    await promise;
    signal.removeEventListener('abort', this.#wake);
  }
}
