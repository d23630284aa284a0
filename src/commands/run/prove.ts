import type { Command } from 'commander';
import type { ExitCode } from '../../core/exit.ts';
import { addRunOptions, exitWith, timeoutOption } from '../options/options.ts';
import type { ProveFilesOptions } from '../../app/prove-files.ts';

export function registerProve(program: Command): void {
  addRunOptions(
    program
      .command('prove')
      .description("Prove a project's sorrys, file by file in import order")
      .argument('[paths...]', 'Lean files, folders, or patterns (default: this folder)')
      .option('--goal <goal>', 'one goal: its name, the end of its name, or FILE:LINE')
      .option('--write', 'write the proofs into the files, each file as soon as its goals are done')
      .option('--diff', 'print the proofs as a patch')
      .option(...timeoutOption),
  )
    .addHelpText(
      'after',
      `
A proof replaces exactly its sorry. Before a file is written the gate judges it as a whole, and what imports it is compiled again.`,
    )
    .action(exitWith(proveProject));
}

async function proveProject(paths: readonly string[], options: ProveFilesOptions): Promise<ExitCode> {
  const { proveFiles } = await import('../../app/prove-files.ts');
  const { filesOf } = await import('../../lean/goals/sources.ts');
  const file = /^(.+\.lean):\d+$/.exec(options.goal ?? '')?.[1];
  const named = paths.length > 0 ? paths : [file ?? '.'];
  return await proveFiles('prove', filesOf(named), options);
}
