import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../helpers/postgres.ts';
import type { SeededRandom } from '../helpers/random.ts';

/** The failures injected into a run on several machines. */
const blows = [
  'kill a worker',
  'kill the coordinator',
  'kill the server',
  'cut connections',
  'stop a worker',
  'stop the coordinator',
] as const;
export type Blow = (typeof blows)[number];

/** Each kind as often as any other, in a random order. */
export function planOf(rounds: number, random: SeededRandom): Blow[] {
  const plan = Array.from({ length: rounds }, () => blows).flat();
  return plan
    .map((blow) => ({ blow, key: random.next() }))
    .toSorted((one, two) => one.key - two.key)
    .map(({ blow }) => blow);
}

const program = fileURLToPath(new URL('../fixtures/factor-process.ts', import.meta.url));
const skew = fileURLToPath(new URL('../fixtures/skewed-date.ts', import.meta.url));
/** Longer than a lease: a stopped process has lost its goals when it continues, without knowing it. */
const stoppedMs = 22_000;
const mostSkewMs = 10 * 60_000;

/**
 * A coordinator and workers as processes, each with its own clock, some of them minutes off; each that ends is followed by another, until
 * a coordinator finds nothing left to do.
 */
export class Siege {
  /** Goals that a coordinator has said are closed in the ledger. */
  readonly told: string[] = [];
  readonly #server: PostgresServer;
  readonly #url: string;
  readonly #goals: number;
  readonly #random: SeededRandom;
  readonly #living = new Map<ChildProcess, 'work' | 'coordinate'>();
  readonly #waking = new Set<Promise<void>>();
  readonly #ended = Promise.withResolvers<void>();
  #started = 0;
  #isUnderWay = true;

  constructor(server: PostgresServer, url: string, goals: number, random: SeededRandom) {
    this.#server = server;
    this.#url = url;
    this.#goals = goals;
    this.#random = random;
  }

  get pids(): readonly number[] {
    return [...this.#living.keys()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  begin(workers: number): void {
    this.#start('coordinate');
    for (let count = 0; count < workers; count++) this.#start('work');
  }

  /** Waits until this many goals are reported as closed. */
  async progress(goals: number): Promise<void> {
    while (this.told.length < goals && this.#isUnderWay) await sleep(50);
  }

  async strike(blow: Blow): Promise<void> {
    switch (blow) {
      case 'kill a worker':
        this.#one('work')?.kill('SIGKILL');
        break;
      case 'kill the coordinator':
        this.#one('coordinate')?.kill('SIGKILL');
        break;
      case 'kill the server':
        await this.#server.stop('SIGKILL');
        await sleep(this.#random.below(2000));
        await this.#server.start();
        break;
      case 'cut connections':
        await this.#server.administer(
          `SELECT setseed(${this.#random.next()}), pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'orch%' AND random() < 0.5`,
        );
        break;
      case 'stop a worker':
        this.#stop(this.#one('work'));
        break;
      case 'stop the coordinator':
        // as if its machine had failed: another process resumes its run before it wakes up
        this.#stop(this.#one('coordinate'));
        this.#start('coordinate');
        break;
    }
  }

  /** Resolves when a coordinator has found everything closed and all processes have ended. */
  async end(): Promise<void> {
    await this.#ended.promise;
    await Promise.all(this.#waking);
    const closing = [...this.#living.keys()].map(async (child) => await once(child, 'close'));
    for (const child of this.#living.keys()) child.kill('SIGKILL');
    await Promise.all(closing);
  }

  #start(role: 'work' | 'coordinate'): void {
    const name = `${role}-${++this.#started}`;
    const offset = this.#random.below(2 * mostSkewMs) - mostSkewMs;
    const args = ['--import', skew, program, role, this.#url, name, String(this.#goals)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, CLOCK_OFFSET_MS: String(offset) },
    });
    this.#living.set(child, role);
    createInterface({ input: child.stdout }).on('line', (goal) => this.told.push(goal));
    child.once('close', (code) => {
      this.#living.delete(child);
      if (role === 'coordinate' && code === 0) {
        this.#isUnderWay = false;
        this.#ended.resolve();
      }
      // one coordinator is enough, unless it is stopped
      const isNeeded = role === 'work' || ![...this.#living.values()].includes('coordinate');
      if (this.#isUnderWay && isNeeded) this.#start(role);
    });
  }

  #one(role: 'work' | 'coordinate'): ChildProcess | undefined {
    const all = [...this.#living].filter(([, other]) => other === role).map(([child]) => child);
    return all.length === 0 ? undefined : this.#random.pick(all);
  }

  #stop(child: ChildProcess | undefined): void {
    child?.kill('SIGSTOP');
    const waking = sleep(stoppedMs).then(() => {
      child?.kill('SIGCONT');
      this.#waking.delete(waking);
    });
    this.#waking.add(waking);
  }
}
