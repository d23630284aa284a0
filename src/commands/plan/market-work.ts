import type { Command } from 'commander';
import { addRunOptions, exitFrom, parseSeconds } from '../options/options.ts';

export function registerMarketWork(market: Command): void {
  addRunOptions(
    market
      .command('work')
      .description('Let the strategies work on open tickets; results go through the gate')
      .argument('[tickets...]', 'tickets (default: all open ones)')
      .option(
        '--timeout <seconds>',
        'wall-clock limit for the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  ).action(exitFrom(async () => (await import('../../app/market-work.ts')).workOnTickets));
}
