import { Argument, type Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import { settingFlags } from '../../config/flags.ts';
import { describeTree } from '../../reporters/search-tree.ts';
import { goalInFull, goalInShort } from '../../reporters/why.ts';
import { linesForPeople } from '../../shared/for-people.ts';
import { exitWith } from '../options/options.ts';

interface WhyOptions {
  readonly run?: string;
  readonly ledger?: string;
  readonly full?: true;
  readonly tree?: true;
  readonly json?: true;
}

export function registerWhy(program: Command): void {
  program
    .command('why')
    .description('Show what was tried on a goal, what came close, and what to do next')
    .addArgument(new Argument('<goal>', 'name of the goal, or the end of it'))
    .option('--run <run>', 'run id (default: the latest with this goal)')
    .option('--ledger <file>', 'ledger file or URL')
    .option('--full', 'show every decision, attempt and verdict')
    .option('--tree', 'show the search tree, including queued states')
    .option('--json', 'print the ledger rows as JSON')
    .action(exitWith(why));
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
  const { helperLemmas } = await import('../../app/helper-lemmas.ts');
  const helper_lemmas = await helperLemmas(ledger, goal);
  const search = options.tree && (await searchTreesOf(ledger.experience, goal));
  if (options.json)
    process.stdout.write(`${JSON.stringify({ ...goal, helper_lemmas, ...(search && { search }) })}\n`);
  else {
    process.stdout.write(options.full ? goalInFull(goal, helper_lemmas) : goalInShort(goal, helper_lemmas));
    const lines = search?.length === 0 ? ['no search recorded for this goal'] : search?.flatMap(describeTree);
    process.stdout.write(lines?.map((line) => `  ${linesForPeople(line)}\n`).join('') ?? '');
    if (options.full) process.stderr.write(`${legend}\n`);
  }
  return ExitCode.done;
}

const legend =
  'slate: arms that race on a goal; arm: a strategy or a variant of one. `orch explain TERM` explains more.';
