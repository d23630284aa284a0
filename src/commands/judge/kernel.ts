import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
import { formatSeconds } from '../../reporters/format.ts';
import { escaped } from '../../shared/for-people.ts';
import { ExitCode } from '../../core/exit.ts';
import { exitWith, parseSeconds } from '../options/options.ts';

const exitCodes = { accept: ExitCode.done, refuse: ExitCode.notAll, decline: ExitCode.broken } as const;

export function registerKernel(program: Command): void {
  program
    .command('kernel')
    .argument('<file>', 'NDJSON written by lean4export (format 3.1)')
    .description(
      'Check every declaration of an export with the second kernel. Exits 0: accepted, 1: refused, 2: declined.',
    )
    .option('--json', 'print the outcome as one line of JSON')
    .option('--timeout <seconds>', 'decline after this many seconds', parseSeconds, 3600)
    .action(
      exitWith(
        async (file: string, { json, timeout }: { json?: boolean; timeout: number }) =>
          await checkExport(file, json === true, timeout),
      ),
    );
}

/** The number of axioms that fit on a line. */
const MAX_NAMES = 10;

function namesOf(axioms: readonly string[]): string {
  const more = axioms.length - MAX_NAMES;
  return `${axioms.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more (--json lists all)` : ''}`;
}

async function checkExport(file: string, json: boolean, timeout: number): Promise<ExitCode> {
  try {
    await access(file, constants.R_OK);
  } catch {
    process.stderr.write(escaped`error: ${file} cannot be read. Name a file that lean4export wrote.\n`);
    return exitCodes.decline;
  }
  const { checkExportFile } = await import('../../lean/second-kernel/second-kernel.ts');
  const { outcome, declarations, unchecked, axioms, assumed, seconds } = await checkExportFile(
    file,
    AbortSignal.timeout(timeout * 1000),
  );
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ...outcome, declarations, unchecked, axioms, assumed, cpu_seconds: seconds })}\n`,
    );
  else {
    const words = { accept: 'accepted', refuse: 'refused', decline: 'declined' }[outcome.answer];
    const why = outcome.answer === 'accept' ? '' : `: ${outcome.message}`;
    process.stdout.write(
      escaped`${words}${why} (${declarations} declarations, ${formatSeconds(seconds)} of CPU)\n`,
    );
    if (unchecked > 0) process.stdout.write(`not checked: ${unchecked} unsafe or partial declarations\n`);
    if (outcome.answer === 'accept' && axioms.length > 0)
      process.stdout.write(escaped`axioms: ${namesOf(axioms)}\n`);
  }
  return exitCodes[outcome.answer];
}
