import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { packageVersion } from '../config/package.ts';
import type { Clock } from '../core/clock.ts';
import { goalStatuses } from '../shared/ledger.ts';
import { ticketStatuses } from '../shared/events.ts';
import type { GoalShelf } from './goal-shelf.ts';
import type { LedgerFile } from './ledger-file.ts';
import { latestRun } from './schemas/requests.ts';
import type { Tail } from './tail.ts';
import { marketplaceOf, statsOf } from './views.ts';

interface MetricsParts {
  readonly ledger: LedgerFile;
  readonly goals: GoalShelf;
  readonly tail: Tail;
  readonly clock: Clock;
}

/** Histogram buckets: from a fast `omega` to the whole budget of a heavy arm. */
const attemptBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * Metrics for Prometheus. Counters are the ledger's own totals, so they outlive this process; only the histogram counts from
 * the start of the server. Labels have few values: strategies, outcomes, statuses, worker numbers; never goals.
 */
export class Metrics {
  readonly #parts: MetricsParts;
  readonly #registry = new Registry();
  readonly #attempts: Counter<'strategy' | 'outcome'>;
  readonly #successes: Counter<'strategy'>;
  readonly #attemptCpu: Counter<'strategy'>;
  readonly #remoteAnswers: Counter<'worker' | 'outcome'>;
  readonly #remoteCpu: Counter<'worker'>;
  readonly #cacheHits: Counter;
  readonly #cpu: Counter;
  readonly #ownCpu: Counter;
  readonly #goals: Gauge<'status'>;
  readonly #tickets: Gauge<'status'>;
  readonly #workers: Gauge<'worker'>;
  readonly #numbers: ReadonlyMap<NumberName, Gauge>;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    const registers = [this.#registry];
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
      new Counter({ name, help, labelNames, registers });
    const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> =>
      new Gauge({ name, help, labelNames, registers });
    this.#attempts = counter('orch_attempts_total', 'Attempts that ended, in all runs', [
      'strategy',
      'outcome',
    ]);
    this.#successes = counter('orch_attempt_successes_total', 'Attempts whose proof the gate accepted', [
      'strategy',
    ]);
    this.#attemptCpu = counter('orch_attempt_cpu_seconds_total', 'CPU time of attempts', ['strategy']);
    this.#remoteAnswers = counter('orch_remote_answers_total', 'Goals answered by remote workers', [
      'worker',
      'outcome',
    ]);
    this.#remoteCpu = counter('orch_remote_cpu_seconds_total', 'CPU time reported by remote workers', [
      'worker',
    ]);
    this.#cpu = counter('orch_cpu_seconds_total', 'CPU time of all runs, child processes included', []);
    this.#ownCpu = counter('process_cpu_seconds_total', 'CPU time of this server', []);
    this.#cacheHits = counter('orch_cache_hits_total', 'Scripts that attempts took from the cache', []);
    this.#goals = gauge('orch_goals', 'Goals of the newest run', ['status']);
    this.#tickets = gauge('orch_tickets', 'Requests for helper lemmas', ['status']);
    this.#workers = gauge('orch_worker_rss_bytes', 'Memory of each Lean worker of the current run', [
      'worker',
    ]);
    this.#numbers = new Map(
      Object.entries(numbers).map(([name, help]) => [name as NumberName, gauge(name, help, [])]),
    );
    gauge('orch_build_info', 'Always 1; the version is a label', ['version']).set(
      { version: packageVersion() },
      1,
    );
    const durations = new Histogram({
      name: 'orch_attempt_seconds',
      help: 'Wall-clock time of attempts, since this server started',
      labelNames: ['strategy'],
      buckets: attemptBuckets,
      registers,
    });
    parts.tail.listen({
      batch: ({ events }) => {
        for (const event of events)
          if (event.type === 'attempt-finished')
            durations.observe({ strategy: event.strategy }, event.wall_seconds);
      },
      reset: () => undefined, // missed events are missing only here
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    await this.#parts.tail.poll();
    await this.#read();
    return await this.#registry.metrics();
  }

  async #read(): Promise<void> {
    const { ledger: file, goals: shelf, tail, clock } = this.#parts;
    const ledger = await file.read();
    const now = clock.date().getTime();
    const { run, goals, arms, totals, cache, sample, runs_cpu_seconds } = await statsOf(
      ledger,
      await shelf.rowsOf(ledger, latestRun),
      now,
    );
    const market = await marketplaceOf(ledger);
    for (const metric of [
      this.#attempts,
      this.#successes,
      this.#attemptCpu,
      this.#remoteAnswers,
      this.#remoteCpu,
      this.#cpu,
      this.#ownCpu,
      this.#cacheHits,
      this.#workers,
    ])
      metric.reset();
    for (const { strategy, arm, outcomes, successes, cpu_seconds, cloud_seconds } of arms) {
      for (const [outcome, count] of Object.entries(outcomes))
        this.#attempts.inc({ strategy, outcome }, count);
      this.#successes.inc({ strategy }, successes);
      this.#attemptCpu.inc({ strategy }, cpu_seconds);
      if (strategy !== 'remote') continue;
      const worker = arm.slice('remote/'.length); // an arm for each worker
      for (const [outcome, count] of Object.entries(outcomes))
        this.#remoteAnswers.inc({ worker, outcome }, count);
      this.#remoteCpu.inc({ worker }, cloud_seconds);
    }
    const { user, system } = process.cpuUsage();
    this.#ownCpu.inc((user + system) / 1e6);
    this.#cpu.inc(runs_cpu_seconds);
    this.#cacheHits.inc(cache.cache_hits);
    for (const status of goalStatuses) this.#goals.set({ status }, goals[status]);
    for (const status of ticketStatuses) this.#tickets.set({ status }, market[status]);
    // a finished run's last sample does not describe the machine now
    const current = run?.state === 'live' ? sample : null;
    current?.workers.forEach(({ resident_bytes }, index) =>
      this.#workers.set({ worker: String(index) }, resident_bytes),
    );
    const values: Record<NumberName, number> = {
      orch_cpu_utilisation_ratio: current?.utilisation ?? 0,
      orch_cpu_target_ratio: current?.cpu_target ?? run?.config.cpu_target ?? 0,
      orch_cpu_others_ratio: current?.others ?? 0,
      orch_resident_bytes: current?.resident_bytes ?? 0,
      orch_queued_goals: current?.queued ?? 0,
      orch_run_live: run?.state === 'live' ? 1 : 0,
      orch_run_paused: run?.paused ? 1 : 0,
      orch_goals_known: totals.goals_known,
      orch_goals_proved: totals.goals_solved,
      orch_cached_goals: cache.cached_goals,
      orch_dashboard_clients: tail.watched,
    };
    for (const [name, gauge] of this.#numbers) gauge.set(values[name]);
  }
}

const numbers = {
  orch_cpu_utilisation_ratio: 'CPU time of the current run, as a share of all cores',
  orch_cpu_target_ratio: 'CPU target of the current run, as a share of all cores',
  orch_cpu_others_ratio: 'Load of other processes on the machine, a moving average',
  orch_resident_bytes: 'Memory of the current run, child processes included',
  orch_queued_goals: 'Goals of the current run that wait for a worker',
  orch_run_live: '1 while a run is active',
  orch_run_paused: '1 while it is paused',
  orch_goals_known: 'Distinct goals in the ledger, from all runs',
  orch_goals_proved: 'Distinct goals with a proof',
  orch_cached_goals: 'Goals with a working cached script',
  orch_dashboard_clients: 'Clients connected to the event stream',
} as const;
type NumberName = keyof typeof numbers;
