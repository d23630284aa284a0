import type { Command } from 'commander';
import type { ExitCode } from '../core/exit.ts';
import { addRunOptions, parseSeconds } from './options.ts';
import type { ProveFilesOptions } from './prove-files.ts';

export function registerProve(program: Command): void {
  addRunOptions(
    program
      .command('prove')
      .description('Prove the sorrys of a project, file by file in the order of the imports')
      .argument('[paths...]', 'Lean files, folders, or patterns (default: this folder)')
      .option('--goal <goal>', 'only this one: its name, the end of it, or FILE:LINE')
      .option('--write', 'put the proofs into their files, each file as soon as its goals are done')
      .option('--diff', 'print the proofs as a patch of their files, and nothing else, on stdout')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  )
    .addHelpText(
      'after',
      `
A proof replaces exactly its sorry. Before a file is written the gate judges it as a whole, and what imports it is compiled again.`,
    )
    .action(async (paths: string[], options: ProveFilesOptions) => {
      process.exitCode = await proveProject(paths, options);
    });
}

async function proveProject(paths: readonly string[], options: ProveFilesOptions): Promise<ExitCode> {
  const { proveFiles } = await import('./prove-files.ts');
  const { filesOf } = await import('../lean/goals/sources.ts');
  const file = /^(.+\.lean):\d+$/.exec(options.goal ?? '')?.[1];
  const named = paths.length > 0 ? paths : [file ?? '.'];
  return await proveFiles('prove', filesOf(named), options);
}
