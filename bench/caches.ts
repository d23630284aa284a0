import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ledgerOf, scriptsFile } from '../src/app/ledger.ts';
import { openEngine } from '../src/app/engine.ts';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { bankFile } from '../src/app/bank.ts';
import { systemClock } from '../src/core/clock.ts';
import type { LeanGoal } from '../src/lean/goals/goal.ts';
import { queueGoals } from '../src/lean/goals/queue.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import type { RunFinished } from '../src/shared/events.ts';
import { exportBundle, importBundle } from '../src/store/scripts/bundle.ts';
import { ScriptStore } from '../src/store/scripts/scripts.ts';
import { otherNames, permuted } from './disguises.ts';
import { keep } from './keep.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * Measures what the caches save: CPU-seconds of Lean on the lemma bank with the caches of an earlier run, relative to
 * the same goals without caches. "Another project" means the bank with all its definitions renamed, so without caches
 * it costs the same as the bank. A run that proves fewer goals than its reference counts as no saving. `--every 3`
 * takes every third goal, `--out FILE` saves the figures.
 */
const { values: options } = parseArgs({
  options: { every: { type: 'string', default: '1' }, out: { type: 'string' } },
});
const every = Number(options.every);
const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-caches-'));
await using lean = await openLean(settingsFrom({ lean: 'embedded' }), { image: 'init', slots: 1 });
try {
  const read = await readGoals(bankFile, async (_, talk) => await lean.pool.use(talk));
  const bank = read.goals.filter((_, index) => index % every === 0);
  const halves = [0, 1].map((half) => bank.filter((_, index) => index % 2 === half));
  const [odd = [], even = []] = halves;

  const first = await run('first', bank);
  copy('first', 'permuted');
  const second = await run('first', bank);
  const disguised = await run('permuted', bank.map(permuted));
  const other = await run('half', odd);
  const after = await run('half', even);
  const fresh = await run('fresh half', even);
  const elsewhere = bank.map(otherNames);
  carry('first', 'with bundle');
  const carried = await run('with bundle', elsewhere);

  // the first run also warms up the machine, so its cost is capped by the sum of the two halves
  const inHalves = other.lean_cpu_seconds + fresh.lean_cpu_seconds;
  const whole = { ...first, lean_cpu_seconds: Math.min(first.lean_cpu_seconds, inHalves) };
  const figures = [
    ratio('the bank a second time', second, whole, 1 / 4),
    ratio('binders renamed, hypotheses permuted', disguised, whole, 1 / 2),
    ratio('half the bank after the other half', after, fresh, 3 / 4),
    ratio('another project with the bundle of the first', carried, whole, 2 / 3),
  ];
  console.log(`\n${renderTable(figures)}`);
  keep(options.out, { goals: bank.length, every, solved: first.goals_solved, figures });
  process.exitCode = figures.every(({ value, floor = 1 }) => value <= floor) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function settingsFor(name: string) {
  return settingsFrom({
    lean: 'embedded',
    cpu_target: '1',
    scripts: 'on',
    ledger: path.join(folder, `${name}.db`),
  });
}

async function run(name: string, goals: readonly LeanGoal[]): Promise<RunFinished> {
  const settings = settingsFor(name);
  await using ledger = await ledgerOf(settings);
  const choice = { command: 'bench', sources: [], seed: 1, timeout: null };
  const engine = await openEngine(settings, lean, ledger, choice, () => {});
  queueGoals(engine, { goals, unreadable: [] });
  const finished = await engine.run();
  const { goals_solved, goals_total, lean_cpu_seconds } = finished;
  console.log(`${name.padEnd(12)} ${goals_solved} of ${goals_total}, ${lean_cpu_seconds.toFixed(1)} CPU-s`);
  return finished;
}

/** Copies the caches of a run, as the start of another one. */
function copy(from: string, to: string): void {
  const [source, target] = [settingsFor(from), settingsFor(to)];
  for (const ending of ['', '-wal'])
    for (const [one, other] of [
      [source.ledger, target.ledger],
      [scriptsFile(source), scriptsFile(target)],
    ] as const)
      if (existsSync(one + ending)) copyFileSync(one + ending, other + ending);
}

/** Transfers only the scripts, as a bundle. */
function carry(from: string, to: string): void {
  using source = new ScriptStore(scriptsFile(settingsFor(from)), systemClock);
  using target = new ScriptStore(scriptsFile(settingsFor(to)), systemClock);
  const { scripts, address } = importBundle(exportBundle({ scripts: source.all() }).bytes);
  target.add(scripts.map((script) => ({ ...script, origin: address })));
}

function ratio(name: string, measured: RunFinished, base: RunFinished, floor: number): Figure {
  const saved =
    measured.goals_solved < base.goals_solved ? 1 : measured.lean_cpu_seconds / base.lean_cpu_seconds;
  return { name, value: saved, unit: '', floor, smallerIsBetter: true };
}
