import type { Result } from '../core/result.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../shared/events.ts';
import type { OfferedGround } from '../store/queue/queue.ts';
import { beatMs, type HeldJob, type WorkerQueue } from '../store/queue/worker-queue.ts';
import { taskSchema, withinLimits } from './claim.ts';

/**
 * Interval at which a worker with free slots polls for work. It also polls after each goal. The interval doubles with
 * each poll that finds none,
 */
const lookMs = 500;
/** up to this long: a thousand waiting workers must not keep the database busy. */
export const longestLookMs = 4000;
/** Interval at which it announces which goals it can open. */
const offerMs = 20_000;

/** The part of an engine that a worker needs. */
interface Working<Goal> {
  add(goal: Goal): boolean;
  withdraw(goal: string, reason: string): void;
  drain(): void;
}

/** The goal as opened on this machine, under a local id. */
type Place<Goal> = (goal: Goal, id: string) => Goal;

export interface RemoteWorkerOptions<Goal> {
  readonly queue: WorkerQueue;
  readonly engine: Working<Goal>;
  readonly name: string;
  /** Goals that are held at the same time. */
  readonly slots: number;
  /** How goals of an environment are opened on this machine, or why they cannot be. */
  readonly placeFor: (ground: OfferedGround) => Promise<Result<Place<Goal>>>;
  /** Exit after this long without work; null: never. */
  readonly idleMs: number | null;
  readonly say: (text: string) => void;
}

/** A claimed goal, with what its engine has reported about it so far. */
interface Held {
  readonly job: HeldJob;
  opened: boolean;
  premises: readonly string[];
}

/**
 * Claims goals, lets the engine of this machine work on them, and sends the results.
 *
 *     looking ──claim──▶ working ──goal-closed──▶ answered ──▶ looking
 *                           ├─ the lease is lost ─▶ withdrawn
 *                           └─ drain ─▶ given back, for others
 */
export class RemoteWorker<Goal extends { readonly id: string }> {
  readonly #options: RemoteWorkerOptions<Goal>;
  readonly #held = new Map<string, Held>();
  readonly #answering = new Set<Promise<void>>();
  readonly #said = new Set<string>();
  readonly #stop = new AbortController();
  /** Aborted when a slot becomes free, to poll at once. */
  #freed = new AbortController();
  #claimed = 0;
  #offeredAt = -Infinity;

  constructor(options: RemoteWorkerOptions<Goal>) {
    this.#options = options;
  }

  /** Listens to the bus of the engine. */
  readonly hear = (event: RunEvent): void => {
    if (!('goal' in event) || typeof event.goal !== 'string') return;
    const held = this.#held.get(event.goal);
    if (!held) return;
    if (event.type === 'goal-examined') held.opened = true;
    if (event.type === 'candidate-judged' && event.verdict === 'accepted') held.premises = event.premises;
    if (event.type !== 'goal-closed') return;
    this.#held.delete(event.goal);
    this.#freed.abort();
    const answering = this.#answer(held, event).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  };

  /** Runs until `drain`, or until there was no work for the idle limit; then the engine ends too. */
  async run(): Promise<void> {
    const { engine, idleMs } = this.#options;
    const beating = setInterval(() => void this.#beat(), beatMs);
    let idleSince = Date.now();
    let pauseMs = lookMs;
    try {
      while (!this.#stop.signal.aborted) {
        const before = this.#claimed;
        this.#freed = new AbortController(); // also covers slots freed during the poll
        await this.#look();
        pauseMs = this.#claimed > before ? lookMs : Math.min(2 * pauseMs, longestLookMs);
        if (this.#held.size + this.#answering.size > 0) idleSince = Date.now();
        if (idleMs !== null && Date.now() - idleSince > idleMs) break;
        const signal = AbortSignal.any([this.#stop.signal, this.#freed.signal]);
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(beating);
      engine.drain();
    }
  }

  /** Claims nothing new; goals in progress may finish. */
  drain(): void {
    this.#stop.abort();
  }

  /** After the engine has ended: gives unfinished goals back. */
  async leave(): Promise<void> {
    await Promise.all(this.#answering);
    for (const { job } of this.#held.values()) await this.#options.queue.giveBack(job);
    this.#held.clear();
  }

  async #look(): Promise<void> {
    const { queue, name, slots } = this.#options;
    const isOfferDue = Date.now() - this.#offeredAt > offerMs;
    if (this.#held.size >= slots && !isOfferDue) return;
    const places: { readonly queue: string; readonly place: Place<Goal> }[] = [];
    for (const ground of await queue.grounds()) {
      const place = await this.#options.placeFor(ground);
      if (place.ok) places.push({ queue: ground.queue, place: place.value });
      else if (ground.isWanted) this.#sayOnce(place.error.message);
    }
    if (isOfferDue) {
      await queue.offer(
        name,
        places.map((each) => each.queue),
      );
      if (places.length > 0) this.#offeredAt = Date.now();
    }
    for (const each of places) await this.#claim(each.queue, each.place);
  }

  /**
   * Claims goals up to the free capacity. Goals whose answer from this worker was rejected are left to others, and
   * must not block the queue.
   */
  async #claim(name: string, place: Place<Goal>): Promise<void> {
    const { queue, slots } = this.#options;
    const forOthers: HeldJob[] = [];
    for (;;) {
      const room = slots - this.#held.size;
      // the writer reports a server that is down
      const jobs = room > 0 ? await queue.claim(name, room).catch(() => []) : [];
      if (jobs.length === 0) break;
      for (const job of jobs) {
        const task = taskSchema.safeParse(job.task);
        if (!task.success) await this.#refuse(job);
        else if (this.#isRefused(task.data.refused)) forOthers.push(job);
        else this.#begin(job, task.data.goal as unknown as Goal, place);
      }
    }
    for (const job of forOthers) await queue.giveBack(job);
  }

  #isRefused(refused: readonly string[]): boolean {
    const { queue, name } = this.#options;
    return refused.includes(name) || refused.includes(`${queue.role}/${name}`);
  }

  /** Not a valid goal: no other worker should try it. */
  async #refuse(job: HeldJob): Promise<void> {
    const nothing = { proof: null, refuted: null, premises: [], cpuSeconds: 0, attempts: 0, opened: false };
    await this.#options.queue.answer(job, this.#options.name, {
      ...nothing,
      reason: 'the job contains no valid goal',
    });
  }

  #begin(job: HeldJob, goal: Goal, place: Place<Goal>): void {
    const { engine, say } = this.#options;
    const id = `${goal.id} (${++this.#claimed})`;
    this.#held.set(id, { job, opened: false, premises: [] });
    if (!engine.add(place(goal, id))) say(`goal ${id} is already in the run`);
  }

  async #answer({ job, opened, premises }: Held, closed: RunEvent & { type: 'goal-closed' }): Promise<void> {
    const { queue, name, say } = this.#options;
    const { proof, refuted, reason, cpu_seconds: cpuSeconds, attempts } = closed;
    const claim = withinLimits({
      proof,
      refuted,
      premises: [...premises],
      reason,
      cpuSeconds,
      attempts,
      opened,
    });
    try {
      await queue.answer(job, name, claim);
    } catch (error) {
      say(`${job.job}: the answer could not be sent (${String(error)})`);
    }
  }

  async #beat(): Promise<void> {
    const { queue, engine } = this.#options;
    const jobs = [...this.#held.values()].map(({ job }) => job);
    const kept = await queue.beat(jobs).catch(() => jobs); // while the server is down, assume that nothing was lost
    for (const [id, { job }] of this.#held) {
      if (!jobs.includes(job) || kept.includes(job)) continue;
      this.#held.delete(id);
      engine.withdraw(id, 'the lease was lost');
    }
  }

  #sayOnce(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#options.say(text);
  }
}
