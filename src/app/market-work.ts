import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { TicketRow } from '../shared/ledger.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { settingsFrom } from './settings.ts';
import { openMarket } from './market.ts';
import { standingOf } from '../lean/market/standing.ts';
import { TicketWork } from '../lean/market/ticket-work.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { exitCodeOf, prove } from './reported-run.ts';

export interface WorkOptions extends RunOptions {
  readonly timeout?: number;
}

export async function workOnTickets(named: readonly string[], options: WorkOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options }));
  await using open = await openMarket(settings);
  for (const id of named) if (!(await open.market.retrieve(id))) throw noTicket(id);
  const isWanted = ({ ticket_id }: TicketRow): boolean => named.length === 0 || named.includes(ticket_id);
  const wanted = (await open.market.posted()).filter(isWanted);
  if (wanted.length === 0) {
    process.stderr.write('orch: no open tickets\n');
    return ExitCode.done;
  }
  const tickets = new TicketWork(open.market, isWanted);
  const finished = await prove({
    settings,
    reporter: options.reporter,
    choice: {
      command: 'market work',
      label: options.label,
      sources: wanted.map(({ ticket_id }) => ticket_id),
      seed: options.seed,
      timeout: options.timeout ?? null,
    },
    image: imageFor(...wanted.map(standingOf)),
    goals: async () => ({ goals: await tickets.takeOn(), unreadable: [] }),
    accompany: async (engine, { gate }, outcomes) => tickets.follow(engine, gate, outcomes),
    afterwards: async (outcomes, { gate }) => void (await tickets.deliver(outcomes, gate)),
  });
  return exitCodeOf(finished);
}

export function noTicket(id: string): UserError {
  return new UserError('no-ticket', `there is no ticket ${id}`, 'orch market list --all shows them.');
}
