import type { Command } from 'commander';
import type { ExitCode } from '../core/exit.ts';
import { addRunOptions, parseSeconds, settingFlags, type RunOptions } from './options.ts';

interface RunCommandOptions extends RunOptions {
  readonly timeout?: number;
  readonly strict?: true;
}

export function registerRun(program: Command): void {
  addRunOptions(
    program
      .command('run')
      .description('Prove the goals of files: JSONL rows, SorryDB records, or the sorrys of Lean files')
      .argument('<paths...>', 'files (.jsonl, .json, .lean), folders with Lean files, or patterns')
      .option('--strict', 'one row that cannot be read refuses them all')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  ).action(async (paths: string[], options: RunCommandOptions) => {
    process.exitCode = await run(paths, options);
  });
}

async function run(paths: readonly string[], options: RunCommandOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../app.ts');
  const { exitCodeOf, goalsOfFiles, imageOfFiles, prove } = await import('./proving.ts');
  const { filesOf } = await import('../lean/goals/sources.ts');
  const files = filesOf(paths);
  const finished = await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter: options.reporter,
    choice: { command: 'run', sources: files, seed: options.seed, timeout: options.timeout ?? null },
    image: imageOfFiles(files),
    goals: async (lean) => await goalsOfFiles(files, lean, { strict: options.strict ?? false }),
  });
  return exitCodeOf(finished);
}
