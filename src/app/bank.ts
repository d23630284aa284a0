import path from 'node:path';
import { packageRoot } from '../config/package.ts';
import { UserError } from '../core/errors.ts';
import type { ExitCode } from '../core/exit.ts';
import type { LeanGoal } from '../lean/goals/goal.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { settingsFrom } from './settings.ts';
import { exitCodeOf, prove, remoteOptions } from './reported-run.ts';
import { readGoals } from '../lean/goals/read.ts';

export const bankFile = path.join(packageRoot, 'data', 'bank.jsonl');

export interface BankOptions extends RunOptions {
  readonly timeout: number;
  readonly goals?: number;
  readonly only?: 'easy' | 'medium' | 'hard';
  readonly filter?: RegExp;
}

export async function bank(options: BankOptions): Promise<ExitCode> {
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
    results: { folder: resultsFolder(), kind: 'bank' },
  });
  return exitCodeOf(finished);
}

/** In a clone of orch, the folder of its benchmarks; elsewhere, a folder in .orch. */
export function resultsFolder(): string {
  return process.cwd() === packageRoot ? path.join('bench', 'results') : path.join('.orch', 'results');
}

function select(all: readonly LeanGoal[], { goals, only, filter }: BankOptions): LeanGoal[] {
  const selected = all
    .filter(({ label, id }) => (only === undefined || label === only) && (filter?.test(id) ?? true))
    .slice(0, goals);
  if (selected.length === 0)
    throw new UserError('no-goals', 'no lemma of the bank matches', 'Widen --only, --filter or --goals.');
  return selected;
}
