import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';
import type { ExitCode } from '../core/exit.ts';
import { addRunOptions, parseSeconds, settingFlags, type RunOptions } from './options.ts';

interface RunCommandOptions extends RunOptions {
  readonly timeout?: number;
}

export function registerRun(program: Command): void {
  addRunOptions(
    program
      .command('run')
      .description('Prove the goals of files: JSONL rows, SorryDB records, or the sorrys of Lean files')
      .argument('<files...>', '.jsonl, .json or .lean')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  ).action(async (files: string[], options: RunCommandOptions) => {
    process.exitCode = await run(files, options);
  });
}

async function run(files: readonly string[], options: RunCommandOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../app.ts');
  const { exitCodeOf, goalsOfFiles, imageOfFiles, prove } = await import('./proving.ts');
  const finished = await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter: options.reporter,
    choice: { command: 'run', sources: files, seed: options.seed, timeout: options.timeout ?? null },
    image: imageOfFiles(files),
    goals: async (lean) => {
      const read = await goalsOfFiles(files, lean);
      if (read.goals.length + read.unreadable.length === 0)
        throw new UserError('no-goals', `nothing to prove in ${files.join(', ')}`);
      return read;
    },
  });
  return exitCodeOf(finished);
}
