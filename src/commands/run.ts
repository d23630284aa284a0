import type { Command } from 'commander';
import type { ExitCode } from '../core/exit.ts';
import { addWorkersOption, parseSeconds } from './options.ts';
import type { ProveFilesOptions } from './prove-files.ts';

export function registerRun(program: Command): void {
  addWorkersOption(
    program
      .command('run')
      .description('Prove the goals of files: JSONL rows, SorryDB records, or the sorrys of Lean files')
      .argument('<paths...>', 'files (.jsonl, .json, .lean), folders with Lean files, or patterns')
      .option('--diff', 'print the proofs as a patch of their files, and nothing else, on stdout')
      .option('--write', 'put the proofs into their files')
      .option('--out <file>', 'write the file with its proofs, or the proofs of rows, into a new Lean file')
      .option('--strict', 'one row that cannot be read refuses them all')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  )
    .addHelpText(
      'after',
      '\nWith --diff, --write and --out the gate judges each edited file as a whole before anything is written.',
    )
    .action(async (paths: string[], options: ProveFilesOptions) => {
      process.exitCode = await run(paths, options);
    });
}

async function run(paths: readonly string[], options: ProveFilesOptions): Promise<ExitCode> {
  const { proveFiles } = await import('./prove-files.ts');
  const { filesOf } = await import('../lean/goals/sources.ts');
  return await proveFiles('run', filesOf(paths), options);
}
