import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { LeanDomain } from '../src/lean/domain.ts';
import { makeCurriculum } from '../src/lean/learning/curriculum/curriculum.ts';
import { splitOf, splits, type Split } from '../src/lean/learning/splits.ts';
import { alignColumns } from '../src/reporters/format.ts';
import { intervalOf } from './splits.ts';

/**
 * Theorems that orch was not tuned for: statements of Lean's library, each to be proved where its module
 * begins, with nothing but what the
 * module imports. Modules are split by a fixed hash: arms and features are developed on `train` and chosen on `validate`; `report` is run
 * once per release. Usage: npm run bench:unseen -- [--split train|validate|report --final] [--count N] [--seed N] [--modules PATTERN]
 * [--goals FILE] [--json FILE] [-- OPTIONS OF orch run]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'validate' },
    final: { type: 'boolean', default: false },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    modules: { type: 'string', default: 'Std.**' },
    goals: { type: 'string' },
    json: { type: 'string' },
  },
});

interface GoalLine {
  readonly type: 'goal';
  readonly id: string;
  readonly solved: boolean;
  readonly arm: string | null;
  readonly cpu_seconds: number;
}

const split = splits.find((one) => one === values.split);
if (split === undefined) fail(`--split is one of ${splits.join(', ')}`);
else if (split === 'report' && !values.final)
  fail('the report split is run once per release: --final says that this is that run');
else await measure(split);

async function measure(chosen: Split): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-unseen-'));
  try {
    const file = values.goals ?? path.join(folder, 'goals.jsonl');
    if (!existsSync(file)) await writeGoals(file, chosen);
    const strangers = idsIn(file).filter((id) => splitOf(moduleOf(id)) !== chosen);
    if (strangers.length > 0) {
      fail(`${file} has goals of another split: ${strangers.slice(0, 3).join(', ')}`);
      return;
    }
    const goals = await run(file, folder);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(goals, undefined, 2)}\n`);
    process.stdout.write(tableOf(goals));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeGoals(file: string, chosen: Split): Promise<void> {
  await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'std', slots: 1 });
  const rows = await makeCurriculum(
    {
      pool: lean.pool,
      domain: new LeanDomain(lean.pool, lean.gate),
      tell: (text) => process.stderr.write(`${text}\n`),
    },
    {
      count: Number(values.count),
      seed: Number(values.seed),
      modules: values.modules,
      isWanted: (module) => splitOf(module) === chosen,
    },
  );
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** In its own folder, so that no earlier run helps. */
async function run(file: string, folder: string): Promise<GoalLine[]> {
  const cli = path.join(import.meta.dirname, '..', 'src', 'cli.ts');
  const args = [cli, 'run', path.resolve(file), '--reporter', 'json', '--num-procs', '1', ...positionals];
  const { stdout, error } = await new Promise<{ stdout: string; error: Error | null }>((resolve) => {
    const options = { cwd: folder, maxBuffer: 1 << 28, env: { ...process.env, ORCH_LEAN: 'embedded' } };
    execFile(process.execPath, args, options, (problem, out) => resolve({ stdout: out, error: problem }));
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const goals = lines.map((line) => JSON.parse(line) as GoalLine).filter(({ type }) => type === 'goal');
  // exit code 1 only means that not every goal was solved
  if (goals.length === 0) throw error ?? new Error('the run has no goals');
  return goals;
}

function tableOf(goals: readonly GoalLine[]): string {
  const row = (name: string, some: readonly GoalLine[], of = some.length): string[] => {
    const solved = some.filter((goal) => goal.solved).length;
    const [low, high] = intervalOf(solved, of);
    const cpu = some.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
    return [
      name,
      `${solved}/${of}`,
      share(solved / Math.max(1, of)),
      `${share(low)} – ${share(high)}`,
      cpu.toFixed(0),
    ];
  };
  const sources = [...Map.groupBy(goals, ({ id }) => sourceOf(id))].toSorted(([one], [two]) =>
    one < two ? -1 : 1,
  );
  const arms = [
    ...Map.groupBy(
      goals.filter(({ solved }) => solved),
      ({ arm }) => arm ?? '',
    ),
  ].toSorted(([, one], [, two]) => two.length - one.length);
  return alignColumns(
    [
      ['', 'solved', 'share', '95 % interval', 'CPU-s'],
      row('all', goals),
      ...sources.map(([name, some]) => row(`  ${name}`, some)),
      ...arms.map(([name, some]) => row(`  by ${name}`, some, goals.length)),
    ],
    ['left', 'right', 'right', 'right', 'right'],
  );
}

function share(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function idsIn(file: string): string[] {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return rows.map((row) => (JSON.parse(row) as { readonly id: string }).id);
}

/** `Std.Data.HashMap.Lemmas/Std.HashMap.get_insert` is of `Std.Data.HashMap.Lemmas`. */
function moduleOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

function sourceOf(id: string): string {
  return moduleOf(id).split('.').slice(0, 3).join('.');
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
