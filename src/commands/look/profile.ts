import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import { settingFlags } from '../../config/flags.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { alignColumns } from '../../reporters/format.ts';
import { percent } from '../../reporters/summary.ts';
import { mostExpensiveFirst, type Part } from '../../reporters/profile.ts';
import { oneLine } from '../../reporters/width.ts';
import { exitWith } from '../options/options.ts';

interface ProfileOptions {
  readonly ledger?: string;
  readonly svg?: string;
  readonly json?: true;
}

export function registerProfile(program: Command): void {
  program
    .command('profile')
    .description("Show where a run's CPU went: opening, attempts by arm, judging, the most expensive goals")
    .argument('[run]', 'run id', 'latest')
    .option('--svg <file>', 'write a flame graph')
    .option('--ledger <file>', descriptions.ledger)
    .option('--json', 'print one JSON object')
    .action(exitWith(profile));
}

async function profile(name: string, options: ProfileOptions): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { profileOf } = await import('../../reporters/profile.ts');
  const { drawFlames } = await import('../../reporters/flame-svg.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ledger: options.ledger })), {
    readOnly: true,
  });
  const row = name === 'latest' ? (await ledger.views.runs(1))[0] : await ledger.views.run(name);
  if (!row)
    throw new UserError(
      'no-such-run',
      name === 'latest' ? 'the ledger has no runs yet' : `there is no run ${name} in the ledger`,
      'orch stats lists the runs.',
    );
  const root = profileOf(row.run, await ledger.journal.eventsOf(row.run));
  if (options.svg !== undefined) writeFileSync(options.svg, drawFlames(root));
  process.stdout.write(options.json ? `${JSON.stringify(plain(root))}\n` : describe(root));
  return ExitCode.done;
}

/** Number of goals listed. */
const mostGoals = 5;

function describe(root: Part): string {
  const row = (part: Part, depth: number): string[] => [
    `${'  '.repeat(depth)}${oneLine(part.name)}`,
    part.count === 0 ? '' : String(part.count),
    part.cpuSeconds.toFixed(2),
    part.workSeconds === 0 ? '' : part.workSeconds.toFixed(2),
    percent(part.cpuSeconds / Math.max(root.cpuSeconds, Number.EPSILON)),
  ];
  const [goals] = [...root.parts.values()];
  const phases = goals ? mostExpensiveFirst(goals) : [];
  const rows = [
    row(root, 0),
    ...mostExpensiveFirst(root).flatMap((part) => [
      row(part, 1),
      ...(part === goals ? phases : []).flatMap((phase) => [
        row(phase, 2),
        ...(phase.name === 'attempts' ? mostExpensiveFirst(phase) : []).map((arm) => row(arm, 3)),
      ]),
    ]),
  ];
  const dear = [...costsByGoal(phases)].toSorted(([, one], [, two]) => two - one).slice(0, mostGoals);
  return [
    alignColumns(
      [['', 'count', 'CPU-s', 'work', 'share'], ...rows],
      ['left', 'right', 'right', 'right', 'right'],
    ),
    alignColumns(
      [['most expensive goals', 'CPU-s'], ...dear.map(([goal, cpu]) => [oneLine(goal), cpu.toFixed(2)])],
      ['left', 'right'],
    ),
  ].join('\n');
}

function costsByGoal(phases: readonly Part[]): Map<string, number> {
  const costs = new Map<string, number>();
  const add = (part: Part): void => {
    if (part.parts.size > 0) for (const one of part.parts.values()) add(one);
    else costs.set(part.name, (costs.get(part.name) ?? 0) + part.cpuSeconds);
  };
  for (const phase of phases) add(phase);
  return costs;
}

interface PlainPart {
  readonly name: string;
  readonly count: number;
  readonly cpu_seconds: number;
  readonly work_seconds: number;
  readonly parts: readonly PlainPart[];
}

function plain(part: Part): PlainPart {
  const { name, count, cpuSeconds, workSeconds } = part;
  return {
    name,
    count,
    cpu_seconds: cpuSeconds,
    work_seconds: workSeconds,
    parts: mostExpensiveFirst(part).map(plain),
  };
}
