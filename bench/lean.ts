import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { leanCacheFolder, settingsFrom } from '../src/app/settings.ts';
import { openLean, type Lean } from '../src/app/lean.ts';
import { systemClock } from '../src/core/clock.ts';
import { embeddedStatus } from '../src/lean/toolchain/embedded/status.ts';
import type { Toolchain } from '../src/lean/toolchain/toolchain.ts';
import { processTreeUsage } from '../src/io/process-usage.ts';
import { LeanWorker } from '../src/lean/toolchain/worker.ts';
import { attempts, steps } from './lean-attempts.ts';
import { reaches, renderTable, type Figure } from './table.ts';

/**
 * Measures the embedded Lean on this machine and prints one table. Rates are medians of rounds. Ratios compare
 * figures of the same run, so that load on the machine affects both sides. Wall-clock rates mean little on busy
 * cores, so rates by CPU time are listed too. Usage: npm run bench:lean [-- --json]
 */
const rounds = 5;
const deadlineMs = 60_000;
const settings = { ...settingsFrom(), lean: 'embedded' };

const figures = await measure();
process.stdout.write(
  `${os.availableParallelism()} cores ${os.cpus()[0]?.model ?? ''} (${process.arch}), load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n\n${renderTable(figures)}\n`,
);
if (process.argv.includes('--json')) writeResult();

async function measure(): Promise<Figure[]> {
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  const { toolchain } = lean.pool;
  const cold = await fromCold();
  const restore = await restoreSeconds(toolchain);
  const worker = await LeanWorker.start(toolchain, systemClock);
  await worker.ready;
  await attemptRound(worker); // warm
  const warm = await repeat(async () => await attemptRound(worker));
  const warmRate = median(warm.map(({ rate }) => rate));
  const warmCpuRate = median(warm.map(({ insideSeconds }) => attempts.length / insideSeconds));
  const waiting = median(warm.map((round) => round.wallSeconds / round.insideSeconds - 1));
  const overhead = median(warm.map(({ outsideSeconds, insideSeconds }) => outsideSeconds / insideSeconds));
  await stepRate(worker, steps.cheap, 100);
  const cheap = await repeat(async () => await stepRate(worker, steps.cheap, 200));
  const mixed = await repeat(async () => await stepRate(worker, steps.mixed, 80));
  const cheapTogether = median(await repeat(async () => await stepsRate(worker, steps.cheap, 50)));
  const judged = await gateRate(lean);
  const scaling = await twoAgainstOne(toolchain, worker);
  const residentBytes = worker.residentBytes;
  worker.kill();
  await worker.exited;
  const { stages } = await embeddedStatus(leanCacheFolder(settings));
  const megabytes = (name: string): number => (stages.find((stage) => stage.name === name)?.bytes ?? 0) / 1e6;
  const most = { smallerIsBetter: true };
  return [
    { name: 'first answer from cold, the whole command', value: cold, unit: 's', floor: 1, ...most },
    { name: '… of a worker alone', value: restore, unit: 's', floor: 1, ...most },
    { name: 'warm attempts per second, one worker', value: warmRate, unit: '/s', floor: 28, aim: 40 },
    { name: '… by its CPU time', value: warmCpuRate, unit: '/s', floor: 28, aim: 40 },
    { name: 'ratio to one restore per attempt', value: warmRate * restore, unit: '×', floor: 25 },
    { name: 'verdicts of the gate per second, sequential', value: judged, unit: '/s' },
    { name: 'tactic steps, cheap', value: byClock(cheap), unit: '/s', floor: 190, aim: 400 },
    { name: '… by CPU time', value: byCpu(cheap), unit: '/s', floor: 190, aim: 400 },
    { name: '… many in one request', value: cheapTogether, unit: '/s' },
    { name: 'tactic steps, mixed', value: byClock(mixed), unit: '/s', floor: 20, aim: 40 },
    { name: '… by CPU time', value: byCpu(mixed), unit: '/s', floor: 20, aim: 40 },
    { name: 'host and protocol, of the time in Lean', value: waiting * 100, unit: '%', floor: 10, ...most },
    { name: '… by CPU time', value: overhead * 100, unit: '%', floor: 10, ...most },
    { name: 'two workers against one', value: scaling, unit: '×', floor: 1.8 },
    { name: 'resident memory of a worker', value: residentBytes / 1e6, unit: 'MB', aim: 500, ...most },
    { name: 'snapshot on disk, Init', value: megabytes('image init'), unit: 'MB', aim: 150, ...most },
    { name: 'machine code on disk, Init', value: megabytes('code init'), unit: 'MB' },
    { name: 'runtime on disk', value: megabytes('runtime'), unit: 'MB' },
  ];
}

/** From the start of a worker process to its first verdict, with the toolchain already set up. */
async function restoreSeconds(toolchain: Toolchain): Promise<number> {
  return median(
    await repeat(async () => {
      const started = performance.now();
      const worker = await LeanWorker.start(toolchain, systemClock);
      const [attempt] = attempts;
      if (attempt) await check(worker, attempt.statement, attempt.proof);
      const seconds = (performance.now() - started) / 1000;
      worker.kill();
      await worker.exited;
      return seconds;
    }),
  );
}

/** The same for a user: the whole command, from the shell and back. */
async function fromCold(): Promise<number> {
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
  const args = [cli, 'check', '--stmt', 'theorem t (a b : Nat) : a + b = b + a', '--proof', 'by omega'];
  return median(
    await repeat(async () => {
      const started = performance.now();
      await promisify(execFile)(process.execPath, args, { env: { ...process.env, ORCH_LEAN: 'embedded' } });
      return (performance.now() - started) / 1000;
    }),
  );
}

async function check(
  worker: LeanWorker,
  statement: string,
  proof: string,
): Promise<{ ok: boolean; cpuSeconds: number }> {
  const reply = await worker.request('check', { session: 1, statement, proof }, { deadlineMs });
  return { ok: reply.ok, cpuSeconds: reply.cost.cpuSeconds };
}

interface Round {
  readonly rate: number;
  /** CPU time of the worker while it served requests. */
  readonly insideSeconds: number;
  readonly wallSeconds: number;
  /** All other CPU time of the worker and of this process: reading, writing, waiting. */
  readonly outsideSeconds: number;
}

async function attemptRound(worker: LeanWorker): Promise<Round> {
  let insideSeconds = 0;
  const cpuBefore = cpuSeconds(worker);
  const started = performance.now();
  for (const { statement, proof, holds } of attempts) {
    const reply = await check(worker, statement, proof);
    if (reply.ok !== holds) throw new Error(`${statement} := ${proof} should ${holds ? '' : 'not '}hold`);
    insideSeconds += reply.cpuSeconds;
  }
  const wallSeconds = (performance.now() - started) / 1000;
  const outsideSeconds = Math.max(0, cpuSeconds(worker) - cpuBefore - insideSeconds);
  return { rate: attempts.length / wallSeconds, insideSeconds, wallSeconds, outsideSeconds };
}

/** Of a worker and of ourselves, so far. */
function cpuSeconds({ pid }: LeanWorker): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (pid === undefined ? 0 : (processTreeUsage(pid)?.cpuSeconds ?? 0));
}

interface StepRound {
  readonly clock: number;
  readonly cpu: number;
}

function byClock(all: readonly StepRound[]): number {
  return median(all.map(({ clock }) => clock));
}

function byCpu(all: readonly StepRound[]): number {
  return median(all.map(({ cpu }) => cpu));
}

/** One request per step; new states are dropped fifty at a time, as in a search. */
async function stepRate(worker: LeanWorker, tactics: readonly string[], count: number): Promise<StepRound> {
  const start = await worker.request('start', { session: 1, statement: steps.statement });
  if (!start.ok) throw new Error(start.message);
  let states = [start.state];
  let used = 0;
  const started = performance.now();
  for (let index = 0; index < count; index++) {
    const tactic = tactics[index % tactics.length] ?? '';
    const reply = await worker.request('step', { state: start.state, tactic }, { deadlineMs });
    used += reply.cost.cpuSeconds;
    if (reply.ok) states.push(reply.state);
    if (states.length > 50) {
      await worker.request('drop', { states: states.slice(1) });
      states = [start.state];
    }
  }
  const seconds = (performance.now() - started) / 1000;
  await worker.request('drop', { states });
  return { clock: count / seconds, cpu: count / used };
}

async function stepsRate(worker: LeanWorker, tactics: readonly string[], times: number): Promise<number> {
  const start = await worker.request('start', { session: 1, statement: steps.statement });
  if (!start.ok) throw new Error(start.message);
  const all = Array.from({ length: times }, () => tactics).flat();
  const started = performance.now();
  const reply = await worker.request('steps', { state: start.state, tactics: all }, { deadlineMs });
  const seconds = (performance.now() - started) / 1000;
  if (!reply.ok) throw new Error(reply.message);
  const states = reply.results.flatMap((result) => (result.ok ? [result.state] : []));
  await worker.request('drop', { states: [start.state, ...states] });
  return all.length / seconds;
}

/** Every attempt through the gate, like a user's check: elaborated in one process, judged in another. */
async function gateRate({ gate }: Lean): Promise<number> {
  const round = async (): Promise<number> => {
    const started = performance.now();
    for (const { statement, proof } of attempts) await gate.check({ statement, proof }, { deadlineMs });
    return attempts.length / ((performance.now() - started) / 1000);
  };
  await round();
  return median(await repeat(round));
}

/** Alternates the two, so that both see the same load. */
async function twoAgainstOne(toolchain: Toolchain, first: LeanWorker): Promise<number> {
  const second = await LeanWorker.start(toolchain, systemClock);
  await second.ready;
  await attemptRound(second);
  const ratios = await repeat(async () => {
    const alone = await attemptRound(first);
    const together = await Promise.all([attemptRound(first), attemptRound(second)]);
    return (together[0].rate + together[1].rate) / alone.rate;
  });
  second.kill();
  await second.exited;
  return median(ratios);
}

async function repeat<Value>(work: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let round = 0; round < rounds; round++) values.push(await work());
  return values;
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[values.length >> 1] ?? 0;
}

function writeResult(): void {
  const at = new Date().toISOString();
  const folder = fileURLToPath(new URL('./results/', import.meta.url));
  const file = path.join(folder, `lean-${at.replaceAll(/[:.]/g, '-')}.json`);
  const missed = figures
    .filter(
      ({ value, floor, smallerIsBetter }) => floor !== undefined && !reaches(value, floor, smallerIsBetter),
    )
    .map(({ name }) => name);
  mkdirSync(folder, { recursive: true });
  const machine = {
    cores: os.availableParallelism(),
    arch: process.arch,
    node: process.version,
    load: os.loadavg(),
  };
  writeFileSync(file, `${JSON.stringify({ at, machine, missed, figures }, undefined, 2)}\n`);
  process.stdout.write(`\n${path.relative(process.cwd(), file)}\n`);
}
