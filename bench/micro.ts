import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean, type Lean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { UserError } from '../src/core/errors.ts';
import type { Verdict } from '../src/lean/gate/verdict.ts';
import type { LeanGoal } from '../src/lean/goals/goal.ts';
import type { AttemptLimits } from '../src/shared/events.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import { minimise } from '../src/lean/improve/polish/minimise.ts';
import { microStrategy } from '../src/lean/strategies/micro/micro.ts';
import { Workbench } from '../src/lean/workbench/workbench.ts';

/**
 * The arms of micro, one after the other on each goal, on one worker; every candidate goes through the gate. For
 * development: a run of the engine races the arms and stops at budgets of its own.
 * Usage: npm run bench:micro -- [--data DIR | --bank | --file FILE] [--from N] [--count N] [--arm NAME] [--minimise] [--verbose]
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    bank: { type: 'boolean' },
    file: { type: 'string' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    arm: { type: 'string' },
    budget: { type: 'string' },
    minimise: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});

interface Line {
  readonly goal: LeanGoal;
  readonly arm: string | undefined;
  readonly cpuSeconds: number;
  readonly openSeconds: number;
  readonly note: string;
}

await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
const { goals } = await readGoals(goalFile(), async (_, talk) => await lean.pool.use(talk));
const first = Number(values.from);
const chosen = goals
  .slice(first, first + Number(values.count))
  .filter(({ id }) => values.only === undefined || new RegExp(values.only).test(id));
const lines: Line[] = [];
for (const goal of chosen) {
  const line = await work(lean, goal);
  lines.push(line);
  const { arm = '-', cpuSeconds, note } = line;
  process.stdout.write(`${arm.padEnd(16)} ${cpuSeconds.toFixed(2).padStart(6)} s  ${goal.id}  ${note}\n`);
}
report(lines);

function goalFile(): string {
  if (values.file !== undefined) return values.file;
  if (values.bank) return path.join(import.meta.dirname, '..', 'data', 'bank.jsonl');
  const folder = values.data ?? settingsFrom().data;
  if (folder === undefined)
    throw new UserError('no-data', 'no goals are named', 'Pass --bank, --file FILE or --data DIR.');
  return path.join(folder, 'lean', 'real-dev.jsonl');
}

async function work({ pool, gate }: Lean, goal: LeanGoal): Promise<Line> {
  const lease = await pool.lease({ preamble: goal.preamble });
  const found = await search(lease, goal, pool.toolchain).finally(() => lease.release());
  if (found.proof === undefined) return found;
  const { preamble, statement, allowAxioms } = goal;
  const check = async (proof: string): Promise<Verdict> =>
    await gate.check({ preamble, statement, allowAxioms, proof }, { deadlineMs: 60_000 });
  const { verdict, kind, message } = await check(found.proof);
  let { proof } = found;
  let note = '';
  if (verdict === 'accepted' && found.smaller !== undefined && found.smaller !== proof) {
    const again = await check(found.smaller);
    if (again.verdict === 'accepted') proof = found.smaller;
    else note = `the smaller script was ${again.verdict}: ${again.message.slice(0, 200)} ${found.smaller}`;
  }
  if (values.verbose) note += `\n      ${proof.replaceAll('\n', '\n      ')}`;
  return verdict === 'accepted'
    ? { ...found, note }
    : { ...found, arm: undefined, note: `${verdict}, ${kind}: ${message.slice(0, 200)} ${found.proof}` };
}

async function search(
  lease: Parameters<typeof Workbench.open>[0],
  goal: LeanGoal,
  toolchain: Lean['pool']['toolchain'],
): Promise<Line & { proof: string | undefined; smaller: string | undefined }> {
  const opened = await Workbench.open(lease, goal, { toolchain });
  const openSeconds = opened.cpuSeconds;
  const none = { goal, arm: undefined, proof: undefined, smaller: undefined, openSeconds };
  if (!opened.ok) return { ...none, cpuSeconds: 0, note: opened.error.message.slice(0, 200) };
  const workbench = opened.value;
  const strategy = microStrategy({ budget: { cpu_seconds: 8, heartbeats: 20_000 } });
  const notes: string[] = [];
  let cpuSeconds = 0;
  for (const arm of strategy.arms(workbench)) {
    if (values.arm !== undefined && arm.name !== `micro/${values.arm}`) continue;
    const limits = limitsOf(strategy.budget);
    const run = {
      signal: new AbortController().signal,
      limits,
      permit: async () => {},
      place: 0,
      seed: 1,
      deadline: Infinity,
    };
    const outcome = await strategy.attempt(workbench, arm, run);
    cpuSeconds += outcome.cpuSeconds;
    notes.push(`${arm.name.slice('micro/'.length)} ${outcome.kind} ${outcome.cpuSeconds.toFixed(1)}`);
    if (outcome.kind !== 'solved') continue;
    const minimised = values.minimise ? await minimise(workbench, outcome.candidate, run) : undefined;
    await workbench.end();
    const smaller = minimised?.candidate.proof;
    return { ...none, arm: arm.name, proof: outcome.candidate.proof, smaller, cpuSeconds, note: '' };
  }
  await workbench.end();
  return { ...none, cpuSeconds, note: notes.join(', ') };
}

function report(all: readonly Line[]): void {
  const solved = all.filter(({ arm }) => arm !== undefined);
  const sum = (of: (line: Line) => number): number => all.reduce((total, line) => total + of(line), 0);
  const byArm = [...Map.groupBy(solved, ({ arm }) => arm ?? '')].map(([arm, its]) => `${arm} ${its.length}`);
  process.stdout.write(
    `\n${solved.length} of ${all.length} solved, ${sum(({ cpuSeconds }) => cpuSeconds).toFixed(0)} CPU-seconds in Lean ` +
      `and ${sum(({ openSeconds }) => openSeconds).toFixed(0)} to open the goals\n${byArm.join(', ')}\n`,
  );
}

function limitsOf(budget: AttemptLimits): AttemptLimits {
  return values.budget === undefined ? budget : { ...budget, cpu_seconds: Number(values.budget) };
}
