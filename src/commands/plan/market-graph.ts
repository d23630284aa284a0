import type { Command } from 'commander';
import { plural } from '../../shared/plural.ts';
import { addLedgerOption } from '../options/options.ts';

interface GraphOptions {
  readonly out: string;
  readonly ledger?: string;
}

export function registerMarketGraph(market: Command): void {
  addLedgerOption(
    market
      .command('graph')
      .description('Draw tickets, who waits for them, and which lemma follows from which')
      .requiredOption('--out <file>', 'output file, .svg or .dot'),
  ).action(graph);
}

async function graph({ out, ledger: place }: GraphOptions): Promise<void> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { marketDot } = await import('../../lean/market/graph.ts');
  const { writeGraph } = await import('../../lean/base/dot.ts');
  await using ledger = await ledgerOf(settingsFrom({ ledger: place }), { readOnly: true });
  const tickets = await ledger.tickets.all();
  await writeGraph(out, marketDot(tickets, await ledger.tickets.requests()));
  process.stderr.write(`${out}: ${plural(tickets.length, 'ticket')}\n`);
}
