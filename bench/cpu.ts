import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ledgerOf } from '../src/app/ledger.ts';
import { openEngine } from '../src/app/engine.ts';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { readMachine } from '../src/io/machine.ts';
import { wholeStatement, type LeanGoal } from '../src/lean/goals/goal.ts';
import { drawSeries, type Series } from './cpu-svg.ts';
import { keep } from './keep.ts';

/**
 * Checks that a run keeps to its CPU target. It works on goals that never end (they are false), alone and next to a
 * foreign load on half of the cores. In every one-minute window its fraction must be within five points of the
 * target, or of what the others leave if that is less. `--seconds 120` per series, `--targets 0.25,0.5,0.9`, `--out
 * FILE` saves the series, `--svg FILE` draws them.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    targets: { type: 'string', default: '0.25,0.5,0.9' },
    out: { type: 'string' },
    svg: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const windowSeconds = 60;
/** Time for workers to start and for the average of other processes' usage to settle. */
const settlingSeconds = 20;
const tolerance = 0.05;
const cores = os.availableParallelism();

const all: Series[] = [];
for (const foreign of [0, Math.max(1, Math.floor(cores / 2))])
  for (const target of options.targets.split(',').map(Number)) {
    const series = await measure(target, foreign);
    all.push(series);
    console.log(describe(series));
  }
if (options.svg !== undefined) writeFileSync(options.svg, drawSeries(all, tolerance));
keep(options.out, { window_seconds: windowSeconds, tolerance, series: all });
process.exitCode = all.every(({ worst }) => worst <= tolerance) ? 0 : 1;

async function measure(target: number, foreign: number): Promise<Series> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-cpu-'));
  const length = settlingSeconds + seconds;
  try {
    const flags = { lean: 'embedded', cpu_target: String(target), ledger: path.join(folder, 'ledger.db') };
    const settings = settingsFrom(flags);
    await using ledger = await ledgerOf(settings);
    await using lean = await openLean(settings, { image: 'init' });
    for (let number = 0; number < foreign; number++) startForeign(length + 10);
    const points: { own: number; others: number }[] = [];
    let last = { ...readMachine(0), at: performance.now() };
    const choice = { command: 'bench', sources: [], seed: 1, timeout: length };
    const engine = await openEngine(settings, lean, ledger, choice, (bus) => {
      bus.listen(({ type }) => {
        if (type !== 'sample') return;
        const now = { ...readMachine(0), at: performance.now() };
        const possible = ((now.at - last.at) / 1000) * cores;
        const own = Math.max(0, now.own - last.own) / possible;
        points.push({ own, others: Math.max(0, (now.all - last.all) / possible - own) });
        last = now;
      });
    });
    for (let number = 0; number < length * 4; number++) engine.add(endless(number));
    await engine.run();
    return seriesOf(target, foreign, points.slice(settlingSeconds));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a detached process that uses one core for this long. */
function startForeign(forSeconds: number): void {
  const program = `const end = Date.now() + ${forSeconds * 1000}; while (Date.now() < end);`;
  spawnSync('sh', ['-c', '"$0" -e "$1" >/dev/null 2>&1 &', process.execPath, program]);
}

/** The window with the largest deviation counts. */
function seriesOf(
  target: number,
  foreign: number,
  points: readonly { own: number; others: number }[],
): Series {
  let worst = points.length < windowSeconds ? 1 : 0;
  for (let start = 0; start + windowSeconds <= points.length; start++) {
    const window = points.slice(start, start + windowSeconds);
    const wanted = Math.min(target, 1 - mean(window.map(({ others }) => others)));
    worst = Math.max(worst, Math.abs(mean(window.map(({ own }) => own)) - wanted));
  }
  return {
    target,
    foreign,
    mean: Number(mean(points.map(({ own }) => own)).toFixed(3)),
    others_mean: Number(mean(points.map(({ others }) => others)).toFixed(3)),
    worst: Number(worst.toFixed(3)),
    own: rounded(points.map(({ own }) => own)),
    others: rounded(points.map(({ others }) => others)),
  };
}

function describe({ target, foreign, mean: ours, others_mean, worst }: Series): string {
  return `target ${percent(target)}, ${foreign} cores for others (they used ${percent(others_mean)}): ours ${percent(ours)}, worst minute off by ${percent(worst)} ${worst <= tolerance ? '✓' : '✗'}`;
}

/** False, but not obviously so: every arm has something to try. */
function endless(number: number): LeanGoal {
  return {
    id: `endless ${number}`,
    preamble: `def walk${number} : Nat → Nat → Nat\n  | 0, b => b\n  | a + 1, b => walk${number} a (b + a)\n`,
    statement: `theorem endless${number} (a b : Nat) (xs : List Nat) : walk${number} (a + b) xs.length = walk${number} b (xs.length + a)`,
    holes: wholeStatement,
    topic: null,
    label: 'medium',
    allowAxioms: [],
    source: null,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function rounded(values: readonly number[]): number[] {
  return values.map((value) => Number(value.toFixed(3)));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
