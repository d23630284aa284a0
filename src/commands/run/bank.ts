import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { packageRoot } from '../../config/package.ts';
import { UserError } from '../../core/errors.ts';
import type { ExitCode } from '../../core/exit.ts';
import type { LeanGoal } from '../../lean/goals/goal.ts';
import { addWorkersOption, parseSeconds } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import type { RunOptions } from '../../app/run.ts';

export const bankFile = path.join(packageRoot, 'bench', 'bank.jsonl');

interface BankOptions extends RunOptions {
  readonly timeout: number;
  readonly goals?: number;
  readonly only?: 'easy' | 'medium' | 'hard';
  readonly filter?: RegExp;
}

export function registerBank(program: Command): void {
  addWorkersOption(
    program
      .command('bank')
      .description('Prove the lemma bank and write bench/results/bank-TIME.json')
      .option('--timeout <seconds>', 'wall-clock limit for the whole run, set-up excluded', parseSeconds, 120)
      .option('--goals <count>', 'first N goals only', parseCount)
      .addOption(
        new Option('--only <label>', 'only those of one difficulty').choices(['easy', 'medium', 'hard']),
      )
      .option('--filter <regexp>', 'only goals whose name matches', parseRegExp),
  ).action(async (options: BankOptions) => {
    process.exitCode = await bank(options);
  });
}

async function bank(options: BankOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { exitCodeOf, prove, remoteOptions } = await import('../../app/session.ts');
  const { readGoals } = await import('../../lean/goals/read.ts');
  const finished = await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter: options.reporter,
    choice: {
      command: 'bank',
      label: options.label,
      sources: ['bank'],
      seed: options.seed,
      timeout: options.timeout,
      ...remoteOptions(options.workers),
    },
    workers: options.workers,
    image: 'init',
    goals: async ({ pool }) => {
      const { goals, unreadable } = await readGoals(bankFile, async (_, talk) => await pool.use(talk));
      return { goals: select(goals, options), unreadable };
    },
    results: { folder: path.join('bench', 'results'), kind: 'bank' },
  });
  return exitCodeOf(finished);
}

function select(all: readonly LeanGoal[], { goals, only, filter }: BankOptions): LeanGoal[] {
  const selected = all
    .filter(({ label, id }) => (only === undefined || label === only) && (filter?.test(id) ?? true))
    .slice(0, goals);
  if (selected.length === 0)
    throw new UserError('no-goals', 'no lemma of the bank is left', 'Loosen --only, --filter or --goals.');
  return selected;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('expected a whole number above 0.');
  return count;
}

function parseRegExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
