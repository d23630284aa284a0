import type { Command } from 'commander';
import { addRunOptions, exitFrom, timeoutOption } from '../options/options.ts';

export function registerMarketWork(market: Command): void {
  addRunOptions(
    market
      .command('work')
      .description('Let the strategies work on open tickets; results go through the gate')
      .argument('[tickets...]', 'tickets (default: all open ones)')
      .option(...timeoutOption),
  ).action(exitFrom(async () => (await import('../../app/market-work.ts')).workOnTickets));
}
