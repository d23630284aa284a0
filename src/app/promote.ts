import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { settingFlags } from '../config/flags.ts';
import type { Promoted, PromotedAll } from '../lean/promotion/requests.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import type { FileLean } from '../lean/writing/writer.ts';
import type { GoalDetail, TicketRow } from '../shared/ledger.ts';
import { escaped } from '../shared/for-people.ts';
import { noTicket } from './market-work.ts';
import type { ShipCommandOptions } from './ship.ts';

/** 0: every wanted ticket is a theorem now, or was one before. */
export async function promoteCommand(
  named: readonly string[],
  options: ShipCommandOptions,
): Promise<ExitCode> {
  const { settingsFrom } = await import('./settings.ts');
  const { exitCodeOfShipped, fileIn, openYard, solvedGoals, tellShipped } = await import('./ship.ts');
  const { openLean } = await import('./lean.ts');
  const { imageFor } = await import('../lean/project/image-choice.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  const finished = await finishedTickets(settings);
  const wanted = named.length === 0 ? finished : named.map((id) => finishedAmong(finished, id));
  const yard = await openYard(options);
  const solved = await solvedGoals(settings);
  await using lean = await openLean(settings, { image: imageFor(...solved), slots: 1 });
  const all = await promoted(lean, yard, wanted, Map.groupBy(solved, fileIn(yard)), named.length > 0);
  if (options.json) process.stdout.write(`${JSON.stringify(all.lemmas)}\n`);
  else for (const lemma of all.lemmas) process.stdout.write(describe(lemma));
  if (!options.json) tellShipped(all.shipped, false);
  if (all.lemmas.length === 0)
    process.stderr.write('orch: no proof of the project contains a finished lemma\n');
  const isFailed = all.lemmas.some(({ result }) => result === 'failed');
  return isFailed ? ExitCode.notAll : exitCodeOfShipped(all.shipped);
}

/** The oldest first: a lemma may use those before it. */
export async function finishedTickets(settings: Settings): Promise<TicketRow[]> {
  const { ledgerOf } = await import('./ledger.ts');
  await using ledger = await ledgerOf(settings, { readOnly: true });
  const all = await ledger.tickets.all();
  return all.filter(({ status }) => status === 'completed').toSorted((one, two) => one.opened - two.opened);
}

/** Promotes tickets; without a wish for a certain one, those that no proof contains are left out. */
export async function promoted(
  lean: FileLean,
  yard: Yard,
  tickets: readonly TicketRow[],
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
  isNamed = false,
): Promise<PromotedAll> {
  const { promoteTickets } = await import('../lean/promotion/requests.ts');
  const { containsHelper } = await import('../lean/promotion/by-name.ts');
  const { theoremOf } = await import('../lean/market/lemma.ts');
  const proofs = [...solved.values()].flat().flatMap((goal) => goal.proofs.at(-1)?.proof ?? []);
  const used = tickets.filter((ticket) => proofs.some((proof) => containsHelper(proof, theoremOf(ticket))));
  return await promoteTickets(lean, yard, isNamed ? tickets : used, solved);
}

function finishedAmong(finished: readonly TicketRow[], id: string): TicketRow {
  const found = finished.find(({ ticket_id }) => ticket_id === id);
  if (found) return found;
  const { message } = noTicket(id);
  throw new UserError('no-ticket', `${message} that is completed`, 'orch market list --all shows them.');
}

function describe({ ticket, result, name, message }: Promoted): string {
  return escaped`${result}  ${ticket}  ${name}  ${message}\n`;
}
