import { Argument, type Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import type { ArmChoice } from '../../shared/events.ts';
import type { AttemptRow, GoalDetail } from '../../shared/ledger.ts';
import { boughtRows, formatDollars } from '../../reporters/model-costs.ts';
import { settingFlags } from '../../config/flags.ts';
import { describeTree } from '../../reporters/search-tree.ts';
import { invocation } from '../../core/invocation.ts';
import { linesForPeople } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

interface WhyOptions {
  readonly run?: string;
  readonly ledger?: string;
  readonly tree?: true;
  readonly json?: true;
}

export function registerWhy(program: Command): void {
  program
    .command('why')
    .description('Explain what was tried on a goal, why, at what cost, and what Lean said')
    .addArgument(new Argument('<goal>', 'name of the goal, or the end of it'))
    .option('--run <run>', 'run id (default: the latest with this goal)')
    .option('--ledger <file>', 'ledger file or URL')
    .option('--tree', 'show the search tree, including queued states')
    .option('--json', 'print the ledger rows as JSON')
    .action(async (goal: string, options: WhyOptions) => {
      process.exitCode = await why(goal, options);
    });
}

async function why(name: string, options: WhyOptions): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { findGoal } = await import('../../store/ledger/find-goal.ts');
  const { searchTreesOf } = await import('../../store/ledger/search-tree.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ...options })), { readOnly: true });
  const found = await findGoal(ledger, name, options.run);
  const goal = await ledger.views.goal(found.run, found.goal);
  if (!goal) throw new Error(`the goal ${found.goal} is listed but missing`);
  const search = options.tree && (await searchTreesOf(ledger.experience, goal));
  if (options.json) process.stdout.write(`${JSON.stringify({ ...goal, ...(search && { search }) })}\n`);
  else {
    process.stdout.write(describe(goal));
    const lines = search?.length === 0 ? ['no search recorded for this goal'] : search?.flatMap(describeTree);
    process.stdout.write(lines?.map((line) => `  ${linesForPeople(line)}\n`).join('') ?? '');
    process.stderr.write(`${legend}\n`);
  }
  return ExitCode.done;
}

const legend =
  'slate: arms that race on a goal; arm: a strategy or a variant of one. `orch explain TERM` explains more.';

function describe(goal: GoalDetail): string {
  const bought = boughtRows(goal.attempt_rows).map(([name, figure]) => `${name} ${figure}`);
  const lines = [
    `${goal.goal}: ${goal.status}${goal.reason === null || goal.reason === goal.status ? '' : ` (${goal.reason})`}`,
    ...(goal.source === null ? [] : [`  ${goal.source}`]),
    `  ${goal.statement}`,
    ...(goal.refuted === null ? [] : [`  false; counterexample: ${goal.refuted}`]),
    `  run ${goal.run} · difficulty ${goal.difficulty.toFixed(2)} · priority ${goal.priority.toFixed(2)} · ${plural(goal.attempts, 'attempt')} · ${goal.cpu_seconds.toFixed(1)} CPU-s`,
    ...(bought.length === 0 ? [] : [`  model cost: ${bought.join(' · ')}`]),
  ];
  const trail = [
    ...goal.slates.map((slate) => ({
      at: slate.at,
      lines: [
        `${time(slate.at)}  ${slate.slot} slate, ${slate.reason}; up to ${slate.limits.cpu_seconds.toFixed(1)} CPU-s in all`,
        ...slate.arms.map((choice) => `            ${choice.arm.padEnd(18)} ${groundsOf(choice)}`),
      ],
    })),
    ...goal.attempt_rows.map((row) => ({
      at: row.started,
      lines: [
        `${time(row.started)}  ${row.arm}: ${row.outcome}, ${row.cpu_seconds.toFixed(1)} CPU-s${row.error === null ? '' : `: ${firstLine(row.error)}`}`,
        ...modelLines(row),
        `            ${invocation()} replay ${row.attempt}`,
      ],
    })),
    ...goal.verdicts.map(({ at, verdict, kind, message, proof }) => ({
      at,
      lines: [
        `${time(at)}  the gate: ${verdict}${verdict === 'accepted' ? '' : ` (${kind}: ${firstLine(message)})`}`,
        ...proof.split('\n').map((line) => `            ${line}`),
      ],
    })),
  ].sort((first, second) => first.at - second.at); // stable: a slate comes before its attempts
  const all = [...lines, ...trail.flatMap((step) => step.lines.map((line) => `  ${line}`))];
  return `${all.map(linesForPeople).join('\n')}\n`;
}

/** What the choice of an arm was made on. */
function groundsOf({ score, mean, trials, seconds }: ArmChoice): string {
  // one order for all: nothing is expected of the arm, it has a place
  if (mean === 0 && trials === 0) return `position ${Math.round(1 / score)} in the fixed order`;
  return seconds === undefined
    ? `score ${score.toFixed(2)} = mean ${mean.toFixed(2)} + exploration after ${trials} trials`
    : `score ${score.toFixed(2)} = chance ${mean.toFixed(2)} ÷ ${seconds.toFixed(2)} CPU-s, from ${plural(trials, 'attempt')} on other goals`;
}

/** Which model was asked with which prompts, the cost, and the outcomes of its answers. */
function modelLines({ model, input_tokens, output_tokens, microdollars }: AttemptRow): string[] {
  if (model === null) return [];
  const { name, prompts, calls, recorded, said } = model;
  const asked = prompts.map((one) => `${one.name}@${one.version}`).join(', ') || 'nothing';
  const cost = `${calls} calls, ${recorded} recorded, ${input_tokens} + ${output_tokens} tokens, ${formatDollars(microdollars)}`;
  return [`asked ${name} (${asked}): ${cost}`, ...said].map((line) => `            ${line}`);
}

const time = (at: number): string => new Date(at).toISOString().slice(11, 19);
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
