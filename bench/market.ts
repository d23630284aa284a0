import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ledgerOf } from '../src/app/ledger.ts';
import { openEngine } from '../src/app/engine.ts';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import type { LeanGoal } from '../src/lean/goals/goal.ts';
import { queueGoals } from '../src/lean/goals/queue.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import { examineStatement } from '../src/lean/market/examine.ts';
import type { RunEvent } from '../src/shared/events.ts';
import { keep } from './keep.ts';

/**
 * Measures the value of helper lemmas: goals that need one (`market.jsonl`) with the market on and off, with the same
 * CPU per goal, including its lemma's; and false statements (`market-false.jsonl`), which must all be refused before
 * any work on them. `--cpu 30` is the limit per goal, `--every 4` takes every fourth goal, `--only on|off`, `--out
 * FILE` saves the figures.
 */
const { values: options } = parseArgs({
  options: {
    cpu: { type: 'string', default: '30' },
    every: { type: 'string', default: '1' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const cpu = Number(options.cpu);
/** Of all goals: 12 and 4 of 20. */
const floors = { on: 0.6, off: 0.2 };

interface Row {
  readonly goal: string;
  readonly solved: boolean;
  /** Including its lemmas'. */
  readonly cpu_seconds: number;
  readonly lemmas: readonly string[];
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-market-'));
await using lean = await openLean(settingsFrom({ lean: 'embedded' }), { image: 'init', slots: 1 });
try {
  const every = Number(options.every);
  const goals = (await read('market.jsonl')).filter((_, index) => index % every === 0);
  const refused = options.only === undefined ? await refuse(await read('market-false.jsonl')) : [];
  const off = options.only === 'on' ? [] : await run('off', goals);
  const on = options.only === 'off' ? [] : await run('on', goals);
  const solved = { on: count(on), off: count(off) };
  const wrong = refused.filter(({ isRefused }) => !isRefused).map(({ goal }) => goal);
  console.log(
    `with the market ${solved.on} of ${on.length} (at least ${Math.ceil(floors.on * goals.length)}), without ${solved.off} (at most ${Math.floor(floors.off * goals.length)});` +
      ` ${refused.length - wrong.length} of ${refused.length} false statements refused ${wrong.join(', ')}`,
  );
  keep(options.out, { cpu, every, on, off, refused });
  const isWorthIt = solved.on >= floors.on * goals.length && solved.off <= floors.off * goals.length;
  const isGood = isWorthIt && wrong.length === 0;
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function read(name: string): Promise<readonly LeanGoal[]> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  return (await readGoals(file, async (_, talk) => await lean.pool.use(talk))).goals;
}

async function refuse(goals: readonly LeanGoal[]): Promise<{ goal: string; isRefused: boolean }[]> {
  const answers: { goal: string; isRefused: boolean }[] = [];
  for (const { id, preamble, statement } of goals) {
    const answer = await examineStatement(lean, { preamble, statement });
    answers.push({ goal: id, isRefused: answer.ok && answer.value.counterexample !== undefined });
  }
  return answers;
}

/** Each goal gets its own run and an empty ledger, so that no goal benefits from another's lemma. */
async function run(market: 'on' | 'off', goals: readonly LeanGoal[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, goal] of goals.entries()) {
    const file = path.join(folder, `${market}-${index}.db`);
    const half = market === 'on' ? cpu / 2 : cpu; // one goal and one lemma
    const flags = { lean: 'embedded', cpu_target: '1', market, goal_cpu: String(half), ledger: file };
    const settings = settingsFrom(flags);
    await using ledger = await ledgerOf(settings);
    const events: RunEvent[] = [];
    const choice = { command: 'bench', sources: [], seed: 1, timeout: null };
    const engine = await openEngine(settings, lean, ledger, choice, (bus) => {
      bus.listen((event) => events.push(event));
    });
    queueGoals(engine, { goals: [goal], unreadable: [] });
    const { goals_solved, lean_cpu_seconds } = await engine.run();
    const lemmas = events.flatMap((event) => (event.type === 'ticket-opened' ? [event.goal] : []));
    rows.push({ goal: goal.id, solved: goals_solved === 1, cpu_seconds: lean_cpu_seconds, lemmas });
    console.log(
      `${market.padEnd(3)} ${goals_solved === 1 ? '✓' : '·'} ${lean_cpu_seconds.toFixed(1).padStart(6)} CPU-s  ${goal.id}`,
    );
    for (const lemma of lemmas) console.log(`           ${lemma}`);
  }
  return rows;
}

function count(rows: readonly Row[]): number {
  return rows.filter(({ solved }) => solved).length;
}
