import type { Command } from 'commander';
import { ExitCode } from '../core/exit.ts';
import { addRunOptions, parseSeconds, settingFlags, type RunOptions } from './options.ts';

interface BackgroundOptions extends RunOptions {
  readonly duration?: number;
}

export function registerBackground(program: Command): void {
  addRunOptions(
    program
      .command('bg')
      .description('Work on the sorrys of a project until stopped; changed files are picked up')
      .argument('[files...]', 'files or folders (default: every Lean file below the working folder)')
      .option('--duration <seconds>', 'stop after this long (default: never)', parseSeconds),
  ).action(async (files: string[], options: BackgroundOptions) => {
    process.exitCode = await background(files, options);
  });
}

/** Ends when it is told to: that it ran is its success. */
async function background(named: readonly string[], options: BackgroundOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../app.ts');
  const { imageOfFiles } = await import('../lean/goals/files.ts');
  const { prove } = await import('./proving.ts');
  const { GoalWatch } = await import('./goal-watch.ts');
  const watch = GoalWatch.open(named);
  await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter: options.reporter,
    choice: {
      command: 'bg',
      label: options.label,
      sources: watch.files,
      seed: options.seed,
      timeout: options.duration ?? null,
      staysOpen: true,
    },
    image: imageOfFiles(watch.files),
    goals: async (lean) => await watch.read(lean),
    accompany: async (engine, lean) => await watch.follow(engine, lean),
  });
  return ExitCode.done;
}
