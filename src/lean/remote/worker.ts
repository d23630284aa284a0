import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../../shared/events.ts';
import { beatMs, type GoalQueue, type HeldJob, type OfferedGround } from '../../store/queue/queue.ts';
import type { LeanGoal } from '../goals/goal.ts';
import type { LeanPool } from '../pool.ts';
import { describeToolchain } from '../toolchain/toolchain.ts';
import type { RemoteClaim, RemoteTask } from './claim.ts';

/** So often a worker with room looks for work. */
const lookMs = 500;

/** The part of an engine that a worker needs. */
interface Working {
  add(goal: LeanGoal): boolean;
  withdraw(goal: string, reason: string): void;
  drain(): void;
}

export interface RemoteWorkerOptions {
  readonly queue: GoalQueue;
  readonly engine: Working;
  readonly pool: Pick<LeanPool, 'toolchain' | 'environments'>;
  readonly name: string;
  readonly version: string;
  /** Goals that are held at the same time. */
  readonly slots: number;
  /** Folders of projects whose modules it may open. */
  readonly projects: readonly string[];
  /** Ends when there was no work for so long; null: never. */
  readonly idleMs: number | null;
  readonly say: (text: string) => void;
}

/** A goal that this worker has claimed, and what its engine has told of it so far. */
interface Held {
  readonly job: HeldJob;
  facts: RemoteClaim['facts'];
  premises: readonly string[];
}

/**
 * Claims goals, has the engine of this machine work on them, and sends what came of it.
 *
 *     looking ──claim──▶ working ──goal-closed──▶ answered ──▶ looking
 *                           ├─ the lease is lost ─▶ withdrawn
 *                           └─ drain ─▶ given back, for others
 */
export class RemoteWorker {
  readonly #options: RemoteWorkerOptions;
  readonly #held = new Map<string, Held>();
  readonly #answering = new Set<Promise<void>>();
  readonly #said = new Set<string>();
  readonly #closures = new Map<string, Promise<string>>();
  readonly #stop = new AbortController();
  #claimed = 0;

  constructor(options: RemoteWorkerOptions) {
    this.#options = options;
  }

  /** Listens to the bus of the engine. */
  readonly hear = (event: RunEvent): void => {
    if (!('goal' in event) || typeof event.goal !== 'string') return;
    const held = this.#held.get(event.goal);
    if (!held) return;
    if (event.type === 'goal-examined') {
      const { goal_hash: goalHash, fingerprint, context, features } = event;
      held.facts = { goalHash, fingerprint, context, features };
    }
    if (event.type === 'candidate-judged' && event.verdict === 'accepted') held.premises = event.premises;
    if (event.type !== 'goal-closed') return;
    this.#held.delete(event.goal);
    const answering = this.#answer(held, event).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  };

  /** Until `drain`, or until nothing has come for long enough; then the engine ends too. */
  async run(): Promise<void> {
    const { engine, idleMs } = this.#options;
    const beating = setInterval(() => void this.#beat(), beatMs);
    let idleSince = Date.now();
    try {
      while (!this.#stop.signal.aborted) {
        await this.#look();
        if (this.#held.size + this.#answering.size > 0) idleSince = Date.now();
        if (idleMs !== null && Date.now() - idleSince > idleMs) break;
        await sleep(lookMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(beating);
      engine.drain();
    }
  }

  /** Takes nothing new; what is in flight may finish. */
  drain(): void {
    this.#stop.abort();
  }

  /** When the engine has ended: what it did not finish is for others. */
  async leave(): Promise<void> {
    await Promise.all(this.#answering);
    for (const { job } of this.#held.values()) await this.#options.queue.giveBack(job);
    this.#held.clear();
  }

  async #look(): Promise<void> {
    const { queue, slots, say } = this.#options;
    if (this.#held.size >= slots) return;
    for (const ground of await queue.grounds()) {
      const project = await this.#projectFor(ground);
      if (project === undefined) continue;
      const room = slots - this.#held.size;
      if (room <= 0) return;
      // a server that is down is told of by whoever writes to it
      for (const job of await queue.claim(ground.queue, room).catch(() => [])) this.#begin(job, project, say);
    }
  }

  #begin(job: HeldJob, project: string | null, say: (text: string) => void): void {
    const { goal } = job.task as RemoteTask & { goal: LeanGoal };
    const id = `${goal.id} (${++this.#claimed})`;
    const environment = goal.environment && { ...goal.environment, project };
    this.#held.set(id, { job, facts: null, premises: [] });
    if (!this.#options.engine.add({ ...goal, id, environment })) say(`${id} is there already`);
  }

  /** The folder in which goals on this ground can be opened, null where none is needed; undefined: not here. */
  async #projectFor(ground: OfferedGround): Promise<string | null | undefined> {
    const { version, pool, projects } = this.#options;
    const toolchain = describeToolchain(pool.toolchain);
    if (ground.version !== version || ground.toolchain !== toolchain) {
      if (ground.isWanted)
        this.#sayOnce(
          `goals of orch ${ground.version} on ${ground.toolchain} are not for this worker, which is orch ${version} on ${toolchain}: install the same`,
        );
      return undefined;
    }
    if (ground.closure === '') return null;
    for (const project of projects)
      if ((await this.#closureIn(ground, project)) === ground.closure) return project;
    if (ground.isWanted)
      this.#sayOnce(
        `goals of the project ${ground.project ?? '?'} need its modules (${ground.imports.join(', ')}) as they are there: check out the same commit, and name its folder with --project`,
      );
    return undefined;
  }

  async #closureIn({ imports, options, queue }: OfferedGround, project: string): Promise<string> {
    const key = `${queue} ${project}`;
    const known =
      this.#closures.get(key) ??
      this.#options.pool.environments
        .open({ imports, options: Object.fromEntries(options as []), project })
        .then((opened) => ('closure' in opened ? opened.closure : 'none'));
    this.#closures.set(key, known);
    return await known;
  }

  async #answer({ job, facts, premises }: Held, closed: RunEvent & { type: 'goal-closed' }): Promise<void> {
    const { queue, name, say } = this.#options;
    const { solved, proof, reason, refuted, cpu_seconds: cpuSeconds, attempts } = closed;
    const words = refuted === null ? reason : `a worker found it to be false: ${refuted}`;
    const claim: RemoteClaim = {
      solved,
      proof,
      premises: [...premises],
      reason: words,
      cpuSeconds,
      attempts,
      facts,
    };
    try {
      if (!(await queue.answer(job, name, claim))) say(`${job.job} was answered by another worker before`);
    } catch (error) {
      say(`${job.job}: the answer could not be sent (${String(error)})`);
    }
  }

  async #beat(): Promise<void> {
    const { queue, engine } = this.#options;
    for (const [id, { job }] of this.#held) {
      const isOurs = await queue.beat(job).catch(() => true); // a server that is down takes nothing away
      if (isOurs) continue;
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
