import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Journal } from '../../core/journal.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { registerAudit } from './ledger-audit.ts';
import { addLedgerOption, exitWith } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';

interface LedgerOptions {
  readonly ledger?: string;
  readonly out?: string;
}

export function registerLedger(program: Command): void {
  const ledger = program.command('ledger').description('Verify, repair, copy and export the ledger');
  addLedgerOption(
    ledger.command('rebuild').description('Rebuild statistics, caches and frontiers from the events'),
  ).action(exitWith(rebuild));
  addLedgerOption(
    ledger
      .command('verify')
      .description('Check for damage, gaps, weak proofs and wrong statistics; read-only'),
  ).action(exitWith(verify));
  addLedgerOption(
    ledger
      .command('prune')
      .description('Rewrite the ledger with old CPU samples thinned out')
      .addHelpText('after', '\nStop all runs and dashboards first. Nothing else is ever removed.'),
  ).action(exitWith(prune));
  ledger
    .command('copy')
    .description('Copy a ledger into a new one and compare both; SQLite files or postgres:// URLs')
    .argument('<from>', 'ledger to read: a file or postgres://…')
    .argument('<to>', 'ledger to create')
    .addHelpText('after', '\nThe search memory is only a cache and is not copied.')
    .action(exitWith(copy));
  registerAudit(ledger);
  addLedgerOption(
    ledger
      .command('export')
      .description('Print every event as JSON lines, oldest first')
      .option('--out <file>', 'output file (default: stdout)'),
  ).action(exitWith(exportEvents));
}

/** The ledger that the options name; it must exist. */
async function opened(options: LedgerOptions, readOnly: boolean): Promise<Ledger> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  return await ledgerOf(settingsFrom(settingFlags({ ...options })), { readOnly, create: false });
}

async function rebuild(options: LedgerOptions): Promise<ExitCode> {
  await using ledger = await opened(options, false);
  await ledger.rebuild();
  process.stdout.write('rebuilt\n');
  return ExitCode.done;
}

async function verify(options: LedgerOptions): Promise<ExitCode> {
  await using ledger = await opened(options, true);
  const faults = await ledger.verify();
  process.stdout.write(
    faults.length === 0 ? '✓ the ledger is sound\n' : faults.map((fault) => `✗ ${fault}\n`).join(''),
  );
  return faults.length === 0 ? ExitCode.done : ExitCode.notAll;
}

async function prune(options: LedgerOptions): Promise<ExitCode> {
  const { formatBytes } = await import('../../reporters/format.ts');
  await using ledger = await opened(options, false);
  const { removed, bytes } = await ledger.prune();
  process.stdout.write(
    `removed ${removed} samples: ${formatBytes(bytes.before)} → ${formatBytes(bytes.after)}\n`,
  );
  return ExitCode.done;
}

async function copy(from: string, to: string): Promise<ExitCode> {
  const { copyLedger } = await import('../../store/ledger/copy.ts');
  await using source = await opened({ ledger: from }, true);
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  await using target = await ledgerOf(settingsFrom({ ledger: to }));
  const events = await copyLedger(source, target);
  process.stdout.write(`copied ${events} events; both ledgers hold the same\n`);
  return ExitCode.done;
}

async function exportEvents(options: LedgerOptions): Promise<ExitCode> {
  await using ledger = await opened(options, true);
  const lines = Readable.from(linesOf(ledger.journal));
  try {
    if (options.out === undefined) await pipeline(lines, process.stdout, { end: false });
    else await pipeline(lines, createWriteStream(options.out));
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    if ('code' in error && error.code === 'EPIPE') return ExitCode.done; // the reader closed the pipe, as `| head` does
    throw new UserError('cannot-write', `cannot write the export: ${error.message}`, undefined, {
      cause: error,
    });
  }
  return ExitCode.done;
}

const batch = 1000;

async function* linesOf(journal: Journal): AsyncIterable<string> {
  let events = await journal.eventsSince(0, batch);
  while (events.length > 0) {
    yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
    events = await journal.eventsSince(events.at(-1)?.seq ?? Infinity, batch);
  }
}
