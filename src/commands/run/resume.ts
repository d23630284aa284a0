import type { ResumeOptions } from '../../app/resume.ts';
import type { Command } from 'commander';
import { addRunOptions, parseSeconds } from '../options/options.ts';

export function registerResume(program: Command): void {
  addRunOptions(
    program
      .command('resume')
      .description('Continue the latest unfinished run with its settings')
      .argument('[run]', 'run id (default: the latest)')
      .option(
        '--timeout <seconds>',
        'wall-clock limit for the whole run, set-up excluded (default: as before)',
        parseSeconds,
      ),
  ).action(async (run: string | undefined, options: ResumeOptions, command: Command) => {
    // a resumed run keeps its seed, unless another one is given
    const isGiven = command.getOptionValueSource('seed') !== 'default';
    process.exitCode = await (
      await import('../../app/resume.ts')
    ).resume(run, options, isGiven ? options.seed : undefined);
  });
}
