import type { Command } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import { systemClock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { writeWhole } from '../../io/whole-file.ts';
import { formatBytes } from '../../reporters/format.ts';

interface ReportFlags {
  readonly out: string;
  readonly ledger?: string;
}

export function registerReport(program: Command): void {
  program
    .command('report')
    .description("Write the dashboard's views of a run into one HTML file")
    .argument('[run]', 'run id', 'latest')
    .requiredOption('--out <file>', 'output file')
    .option('--ledger <file>', descriptions.ledger)
    .action(report);
}

async function report(run: string, { out, ledger: file }: ReportFlags): Promise<void> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { PageSource } = await import('../../server/page.ts');
  const { Problem } = await import('../../server/problems.ts');
  const { reportHtml, reportOf } = await import('../../server/report.ts');
  await using ledger = await ledgerOf(settingsFrom({ ledger: file }), { readOnly: true });
  const page = await new PageSource().page();
  try {
    const html = reportHtml(page, await reportOf(ledger, run, systemClock.date().getTime()));
    writeWhole(out, html);
    process.stderr.write(`${out}: ${formatBytes(Buffer.byteLength(html))}\n`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new UserError(error.code, error.message, '`orch stats --json` lists the runs.', { cause: error });
  }
}
