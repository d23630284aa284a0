import type { Command } from 'commander';
import type { ExitCode } from '../../core/exit.ts';
import { addWorkersOption, exitWith, timeoutOption } from '../options/options.ts';
import type { ProveFilesOptions } from '../../app/prove-files.ts';

export function registerRun(program: Command): void {
  addWorkersOption(
    program
      .command('run')
      .description('Prove goals: sorrys of Lean files, JSONL rows or SorryDB records')
      .argument('<paths...>', 'files (.jsonl, .json, .lean), folders with Lean files, or patterns')
      .option('--diff', 'print the proofs as a patch')
      .option('--write', 'write the proofs into the files')
      .option('--out <file>', 'write the proofs into a new Lean file')
      .option('--strict', 'fail if any row cannot be read')
      .option(...timeoutOption),
  )
    .addHelpText(
      'after',
      '\nWith --diff, --write and --out the gate judges each edited file as a whole before anything is written.',
    )
    .action(exitWith(run));
}

async function run(paths: readonly string[], options: ProveFilesOptions): Promise<ExitCode> {
  const { proveFiles } = await import('../../app/prove-files.ts');
  const { filesOf } = await import('../../lean/goals/sources.ts');
  return await proveFiles('run', filesOf(paths), options);
}
