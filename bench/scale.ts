import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { factorGoals } from '../test/remote/factors.ts';
import { factorRun, type FactorRun } from './factor-run.ts';
import { keep } from './keep.ts';
import { remoteRun, type RemoteRun } from './remote-run.ts';
import { simulate, type ServiceTimes, type Simulated } from './scale-model.ts';
import { drawScale } from './scale-svg.ts';
import { serviceTimes } from './scale-times.ts';

/**
 * Measures how far workers scale. Runs with 1, 2 and 4 worker processes on this machine are measured (`--measure
 * FILE`, some minutes), and their costs are used in a simulation: first of the same runs, for comparison, then of up
 * to a thousand workers on machines of their own. `--from FILE` uses earlier measurements; `--goals 1000000`; `--svg
 * FILE` draws it.
 */
const { values: options } = parseArgs({
  options: {
    measure: { type: 'string' },
    from: { type: 'string' },
    goals: { type: 'string', default: '1000000' },
    svg: { type: 'string' },
  },
});
/** Cores of the run's machine and the database's machine, when every worker has its own core. */
const machines = { run: 8, database: 8 };
const workerCounts = [1, 4, 16, 64, 256, 1000];
const measuredCounts = [1, 2, 4];
const measuredGoals = 24;
const waitingGoals = 100;
/** Parallel goals of a worker in the cheap domain. */
const slotsOfProcess = 4;
const tolerance = 0.15;

interface Measured {
  readonly runs: readonly RemoteRun[];
  /** Goals without work, through the same engines and queue. */
  readonly without_lean: readonly FactorRun[];
}

const { runs, without_lean: withoutLean } = options.from === undefined ? await measure() : read(options.from);
const times = serviceTimes(runs, withoutLean);
console.log(describeTimes(times));
const isNear = [...withoutLean.map(compareWaiting), ...runs.map(compare)].every(Boolean);
console.log(describeSecond());
const all: Simulated[] = [];
for (const workers of workerCounts) {
  const simulated = simulate(times, { workers, goals: goalsFor(workers), machines });
  all.push(simulated);
  console.log(describe(simulated));
}
if (options.svg !== undefined) writeFileSync(options.svg, drawScale(all));
process.exitCode = isNear ? 0 : 1;

/** The largest number of workers gets all goals; fewer workers need only a fifth of them. */
function goalsFor(workers: number): number {
  return workers === Math.max(...workerCounts) ? Number(options.goals) : Number(options.goals) / 5;
}

async function measure(): Promise<Measured> {
  const measured: { runs: RemoteRun[]; without_lean: FactorRun[] } = { runs: [], without_lean: [] };
  for (const workers of measuredCounts) {
    measured.without_lean.push(await factorRun(workers, waitingGoals * workers));
    measured.runs.push(await remoteRun(workers, measuredGoals));
  }
  keep(options.measure, measured);
  return measured;
}

function read(file: string): Measured {
  return JSON.parse(readFileSync(file, 'utf8')) as Measured;
}

/** Goals that only wait: simulates dispatch to the workers and back, with the foreign load of the measurement. */
function compareWaiting(run: FactorRun): boolean {
  const { processes, goals, seconds, worker_cpu, coordinator_cpu, server_cpu, runnable } = run;
  const costs = {
    worker: [worker_cpu / goals],
    waits: factorGoals(goals).map(({ ms }) => ms / 1000),
    judge: 0,
    host: coordinator_cpu / goals,
    statement: server_cpu / goals,
    statementsOfGoal: 1,
    statementsOfSecond: 0,
    hostOfSecond: 0,
    workerOfSecond: 0,
  };
  const shared = { shared: os.availableParallelism() };
  const layout = { workers: slotsOfProcess * processes, goals, machines: shared, foreign: runnable };
  const words = `${processes} worker processes, goals that wait, ${runnable.toFixed(0)} threads wanted a core`;
  return agree(words, goals / seconds, simulate(costs, layout).goals_per_second);
}

/** Simulates the same run with its own costs and the foreign load of the measurement. */
function compare(run: RemoteRun): boolean {
  const { workers, goals, seconds, others } = run;
  const shared = { shared: os.availableParallelism() };
  const own = { ...times, worker: run.goal_cpu.slice(-goals) };
  const simulated = simulateBeside(own, { workers, goals, machines: shared }, others);
  const words = `${workers} worker processes with Lean, others used ${percent(others)}`;
  return agree(words, goals / seconds, simulated.goals_per_second);
}

function agree(words: string, real: number, said: number): boolean {
  const error = said / real - 1;
  console.log(
    `${words}: measured ${real.toFixed(3)} goals/s, simulated ${said.toFixed(3)} (${percent(error)})`,
  );
  return Math.abs(error) <= tolerance;
}

/** Chooses the number of foreign tasks that use this fraction. */
function simulateBeside(
  costs: ServiceTimes,
  layout: Parameters<typeof simulate>[1],
  others: number,
): Simulated {
  let [low, high] = [0, 1000];
  for (let round = 0; round < 30; round++) {
    const foreign = (low + high) / 2;
    if (simulate(costs, { ...layout, foreign }).others < others) low = foreign;
    else high = foreign;
  }
  return simulate(costs, { ...layout, foreign: low });
}

/** The speed-up of a second worker process on two otherwise idle cores. */
function describeSecond(): string {
  const [one = 0, two = 0] = [1, 2].map(
    (workers) => simulate(times, { workers, goals: 2000, machines: { shared: 2 } }).goals_per_second,
  );
  return `two cores in total, no other load: ${one.toFixed(3)} goals/s with one worker process, ${two.toFixed(3)} with two: ${(two / one).toFixed(2)} ×`;
}

function describeTimes({ worker, ...others }: ServiceTimes): string {
  const lines = Object.entries(others).flatMap(([name, value]) =>
    typeof value === 'number' ? [`  ${name} ${value.toPrecision(3)}`] : [],
  );
  const average = worker.reduce((sum, one) => sum + one, 0) / worker.length;
  return `CPU-seconds, as measured: a goal costs its worker ${average.toPrecision(3)}\n${lines.join('\n')}`;
}

function describe({ workers, goals_per_second, idle, statements_per_second, busy }: Simulated): string {
  const [busiest = ''] = Object.entries(busy).toSorted(([, one], [, two]) => two - one)[0] ?? [];
  const parts = Object.entries(busy).map(([part, share]) => `${part} ${percent(share)}`);
  return `${workers} workers: ${goals_per_second.toFixed(2)} goals/s, idle ${percent(idle)}, ${Math.round(statements_per_second)} statements/s; ${parts.join(', ')}; limit: ${busiest}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
