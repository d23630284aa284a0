import os from 'node:os';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { systemClock } from '../src/core/clock.ts';
import type { Toolchain } from '../src/lean/toolchain/toolchain.ts';
import { LeanWorker } from '../src/lean/toolchain/worker.ts';
import { attempts, type Attempt } from './lean-attempts.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * What judging costs beside finding: each statement is said as data once and each proof that holds is elaborated in one
 * process, and both exports are judged in another, as the gate does it. Stating counts as judging: it is there for the
 * verdict alone. Usage: npm run bench:judge
 */
const rounds = 5;
const deadlineMs = 60_000;
const proofs = attempts.filter(({ holds }) => holds);
const failures = attempts.filter(({ holds }) => !holds);

const figures = [...(await measure()), ...(await measureFirst())];
process.stdout.write(
  `${proofs.length} proofs, ${rounds} rounds; ${os.availableParallelism()} cores ${os.cpus()[0]?.model ?? ''} (${process.arch}), load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n\n${renderTable(figures)}\n`,
);

interface Sample {
  readonly findSeconds: number;
  readonly judgeSeconds: number;
  readonly latencyMs: number;
  readonly exportBytes: number;
}

async function measure(): Promise<Figure[]> {
  await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
  const elaborator = await start(lean.pool.toolchain);
  const judge = await start(lean.pool.toolchain);
  try {
    await round(elaborator, judge); // warm
    const samples: Sample[] = [];
    for (let index = 0; index < rounds; index++) samples.push(...(await round(elaborator, judge)));
    return describe(samples, rounds * (await secondsOfFailures(elaborator)));
  } finally {
    for (const worker of [elaborator, judge]) worker.kill();
    await Promise.all([elaborator.exited, judge.exited]);
  }
}

async function start(toolchain: Toolchain): Promise<LeanWorker> {
  const worker = await LeanWorker.start(toolchain, systemClock);
  if (!(await worker.ready)) throw new Error(`Lean did not start. ${worker.errorTail}`);
  return worker;
}

async function round(elaborator: LeanWorker, judge: LeanWorker): Promise<Sample[]> {
  const samples: Sample[] = [];
  const stated = new Map<string, string>();
  for (const proof of proofs) samples.push(await sample(elaborator, judge, proof, stated));
  return samples;
}

async function sample(
  elaborator: LeanWorker,
  judge: LeanWorker,
  { statement, proof }: Attempt,
  stated: Map<string, string>,
): Promise<Sample> {
  const session = 1;
  const limits = { deadlineMs };
  let stateSeconds = 0;
  if (!stated.has(statement)) {
    const said = await elaborator.request('statement', { session, statement, data: true }, limits);
    if (!said.ok) throw new Error(`${statement}: ${said.message}`);
    stated.set(statement, JSON.stringify(said.data));
    stateSeconds = said.cost.cpuSeconds;
  }
  const found = await elaborator.request('check', { session, statement, proof, export: true }, limits);
  if (!found.ok) throw new Error(`${statement}: ${found.message}`);
  const body = { statement: stated.get(statement) ?? '', candidate: found.export };
  const judged = await judge.request('judge', body, limits);
  if (!judged.ok) throw new Error(`${statement}: ${judged.message}`);
  return {
    findSeconds: found.cost.cpuSeconds,
    judgeSeconds: stateSeconds + judged.cost.cpuSeconds,
    latencyMs: judged.cost.wallSeconds * 1000,
    exportBytes: JSON.stringify(found.export).length,
  };
}

/** Pools that were just opened, each asked for one verdict; the same proof for all, and one that declares types of its own. */
const fresh = 5;
const firstClaims = [
  { look: 'arithmetic', statement: 'theorem t (a b : Nat) (h : a ≤ b) : a < b + 1', proof: 'by omega' },
  {
    look: 'types of its own',
    preamble:
      'inductive Tree where\n  | leaf : Tree\n  | node : List Tree → Nat → Tree\nstructure Point where\n  x : Nat\n  y : Nat\n  deriving DecidableEq\ninductive Even : Nat → Prop\n  | zero : Even 0\n  | step : Even n → Even (n + 2)',
    statement: 'theorem t (p : Point) : Even 4 ∧ Tree.leaf ≠ .node [] 0 ∧ p = ⟨p.x, p.y⟩',
    proof: '⟨.step (.step .zero), nofun, rfl⟩',
  },
] as const;

/** CPU of the first verdict on a warm pool: elaborating, stating and judging together. */
async function measureFirst(): Promise<Figure[]> {
  const medians: Figure[] = [];
  for (const { look, ...claim } of firstClaims) {
    const seconds: number[] = [];
    for (let index = 0; index < fresh; index++) {
      await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
      await lean.pool.use(async (lease) => await lease.request('hello', {}));
      const verdict = await lean.gate.check(claim, { deadlineMs });
      if (verdict.verdict !== 'accepted') throw new Error(`${look}: ${verdict.message}`);
      seconds.push(verdict.cpu_seconds);
    }
    const median = seconds.toSorted((one, other) => one - other)[Math.floor(fresh / 2)] ?? 0;
    medians.push({
      name: `first verdict on a warm pool, ${look} (CPU, median)`,
      value: median * 1000,
      unit: 'ms',
    });
  }
  return medians;
}

/** Finding a proof also means attempts that fail; they are never judged. */
async function secondsOfFailures(elaborator: LeanWorker): Promise<number> {
  let seconds = 0;
  for (const { statement, proof } of failures)
    seconds += (await elaborator.request('check', { session: 1, statement, proof }, { deadlineMs })).cost
      .cpuSeconds;
  return seconds;
}

function describe(samples: readonly Sample[], failedSeconds: number): Figure[] {
  const sum = (of: (sample: Sample) => number): number => samples.reduce((total, one) => total + of(one), 0);
  const latencies = samples.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other);
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  const judging = sum(({ judgeSeconds }) => judgeSeconds);
  const finding = sum(({ findSeconds }) => findSeconds);
  return [
    { name: 'candidates judged a second of CPU', value: samples.length / judging, unit: '/s' },
    { name: 'latency of a verdict, median', value: at(0.5), unit: 'ms' },
    { name: 'latency of a verdict, 95 of 100', value: at(0.95), unit: 'ms' },
    {
      name: 'judging, of elaborating the same proofs (CPU)',
      value: (judging / finding) * 100,
      unit: '%',
    },
    {
      name: 'judging, of finding: with the attempts that fail (CPU)',
      value: (judging / (finding + failedSeconds)) * 100,
      unit: '%',
      floor: 33.3,
      smallerIsBetter: true,
    },
    {
      name: 'size of an export, mean',
      value: sum(({ exportBytes }) => exportBytes) / samples.length / 1000,
      unit: 'kB',
    },
  ];
}
