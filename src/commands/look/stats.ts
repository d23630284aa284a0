import { InvalidArgumentError, Option, type Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import type { ArmStats, GoalGroup, RunRow, Stats } from '../../shared/ledger.ts';
import type { Grouping } from '../../store/ledger/groups.ts';
import { endWord } from '../../shared/run-end.ts';
import { boughtRows } from '../../reporters/model-costs.ts';
import { alignColumns, formatSeconds } from '../../reporters/format.ts';
import { addLedgerOption, exitWith } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { plural } from '../../shared/plural.ts';

interface StatsOptions {
  readonly since?: number;
  readonly by: 'strategy' | Grouping;
  readonly json?: true;
  readonly ledger?: string;
}

export function registerStats(program: Command): void {
  addLedgerOption(
    program
      .command('stats')
      .description('Show statistics: strategies, solve rates, CPU, cache, tickets, recent runs')
      .option('--since <time>', 'time window, such as 90s, 30m, 24h or 7d', parseDuration)
      .addOption(
        new Option('--by <what>', 'group by: attempts per strategy, goals per topic or file')
          .choices(['strategy', 'topic', 'file'])
          .default('strategy'),
      )
      .option('--json', 'print JSON'),
  ).action(exitWith(showStats));
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? 0);
  if (!(ms > 0)) throw new InvalidArgumentError('expected a number and a unit, such as 90s, 30m, 24h or 7d.');
  return ms;
}

async function showStats(options: StatsOptions): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { systemClock } = await import('../../core/clock.ts');
  const { summarise } = await import('../../store/ledger/summary.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ...options })), { readOnly: true });
  const since =
    options.since === undefined ? null : Math.max(1, systemClock.date().getTime() - options.since);
  const { by } = options;
  if (by !== 'strategy') {
    const { groupGoals } = await import('../../store/ledger/groups.ts');
    const groups = await groupGoals(ledger, by, since);
    process.stdout.write(options.json ? `${JSON.stringify({ since, by, groups })}\n` : tableOf(by, groups));
    return ExitCode.done;
  }
  const summary = await summarise(ledger, since);
  const used = since === null ? await ledger.views.cpuSeconds() : undefined;
  process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : describe(summary, used));
  return ExitCode.done;
}

function tableOf(by: Grouping, groups: readonly GoalGroup[]): string {
  const rows = groups.map(({ group, goals, solved, refuted, attempts, cpu_seconds }) => [
    group,
    String(goals),
    String(solved),
    percent(solved / goals),
    String(refuted),
    String(attempts),
    formatSeconds(cpu_seconds),
  ]);
  return alignColumns(
    [[by, 'goals', 'solved', 'rate', 'refuted', 'attempts', 'CPU'], ...rows],
    ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  );
}

/** `used`: CPU of all runs, opening, judging, starting Lean and orch itself included. */
function describe(stats: Stats, used: number | undefined): string {
  const { open, claimed, completed } = stats.tickets;
  const when = stats.since === null ? 'in total' : `since ${formatMoment(stats.since)}`;
  const facts = alignColumns([
    [
      'attempts',
      `${stats.total_attempts} ${when}, ${stats.successes} with a proof (${percent(stats.success_rate)})`,
    ],
    [
      'goals',
      `${stats.goals_known} including helper lemmas, ${stats.goals_solved} solved (${percent(stats.solve_rate)})` +
        (stats.goals_refuted === 0 ? '' : `, ${stats.goals_refuted} refuted`),
    ],
    [
      'cache',
      `${plural(stats.cached_goals, 'goal')} with a known proof; ${percent(stats.hit_rate)} of all attempts reused one`,
    ],
    ['tickets', `${open} open, ${claimed} claimed, ${completed} completed`],
    [
      'CPU',
      `${formatSeconds(stats.cpu_seconds)} in attempts` +
        (used === undefined ? '' : `, ${formatSeconds(used)} in total (orch profile shows details)`),
    ],
    ...boughtRows(stats.strategies),
  ]);
  return [facts, describeStrategies(stats), describeRuns(stats.runs)].filter(Boolean).join('\n');
}

function describeStrategies({ strategies }: Stats): string {
  if (strategies.length === 0) return '';
  const rows = strategies.flatMap(({ strategy, arms, ...all }) => [
    armRow(strategy, all),
    // a strategy with one arm needs no second row
    ...(arms.length > 1 ? arms.map(({ arm, ...its }) => armRow(`  ${arm}`, its)) : []),
  ]);
  return alignColumns(
    [['strategy', 'attempts', 'proofs', 'rate', 'mean', 'CPU'], ...rows],
    ['left', 'right', 'right', 'right', 'right', 'right'],
  );
}

function armRow(
  name: string,
  { attempts, successes, success_rate, mean_seconds, cpu_seconds }: ArmStats,
): string[] {
  return [
    name,
    String(attempts),
    String(successes),
    percent(success_rate),
    formatSeconds(mean_seconds),
    formatSeconds(cpu_seconds),
  ];
}

function describeRuns(runs: readonly RunRow[]): string {
  if (runs.length === 0) return '';
  const rows = runs.map(
    ({ run, label, command, started, goals_solved, goals_total, cpu_seconds, wall_seconds, reason }) => [
      run,
      label ?? command,
      formatMoment(started),
      `${goals_solved}/${goals_total}`,
      cpu_seconds === null ? '' : formatSeconds(cpu_seconds),
      wall_seconds === null ? '' : formatSeconds(wall_seconds),
      endWord(reason ?? 'not finished'),
    ],
  );
  return alignColumns(
    [['run', 'label or command', 'started (UTC)', 'solved', 'CPU', 'wall', 'ended'], ...rows],
    ['left', 'left', 'left', 'right', 'right', 'right', 'left'],
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const formatMoment = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
