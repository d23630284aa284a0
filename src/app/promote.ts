import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { settingFlags } from '../config/flags.ts';
import type { PromotedAll } from '../lean/promotion/requests.ts';
import type { Promoted } from '../shared/api.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import type { FileLean } from '../lean/writing/writer.ts';
import type { GoalDetail, TicketRow } from '../shared/ledger.ts';
import { escaped } from '../shared/for-people.ts';
import { noTicket } from './market-work.ts';
import type { ShipCommandOptions, ShipFlags } from './ship.ts';

/** 0: every requested ticket is now a theorem. */
export async function promoteCommand(
  named: readonly string[],
  options: ShipCommandOptions,
): Promise<ExitCode> {
  const { settingsFrom } = await import('./settings.ts');
  const { exitCodeOfShipped, tellShipped } = await import('./ship.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  const all = await promoteFinished(settings, named, options);
  if (options.json) process.stdout.write(`${JSON.stringify(all.lemmas)}\n`);
  else for (const lemma of all.lemmas) process.stdout.write(describe(lemma));
  if (!options.json) tellShipped(all.shipped, false);
  if (all.lemmas.length === 0)
    process.stderr.write('orch: no proof of the project contains a finished lemma\n');
  const isFailed = all.lemmas.some(({ result }) => result === 'failed');
  return isFailed ? ExitCode.notAll : exitCodeOfShipped(all.shipped);
}

async function promoteFinished(
  settings: Settings,
  named: readonly string[],
  flags: ShipFlags,
): Promise<PromotedAll> {
  const { fileIn, openYard, solvedGoals } = await import('./ship.ts');
  const { openLean } = await import('./lean.ts');
  const { imageFor } = await import('../lean/project/image-choice.ts');
  const finished = await finishedTickets(settings);
  const wanted = named.length === 0 ? finished : named.map((id) => finishedAmong(finished, id));
  const yard = await openYard(flags);
  const solved = await solvedGoals(settings);
  await using lean = await openLean(settings, { image: imageFor(...solved), slots: 1 });
  return await promoted(lean, yard, wanted, Map.groupBy(solved, fileIn(yard)), named.length > 0);
}

/** One ticket, with the default base branch and remote. */
export async function promoteTicket(settings: Settings, id: string): Promise<Promoted> {
  const flags = { base: 'dev', remote: 'origin', pullRequest: true };
  const { lemmas } = await promoteFinished(settings, [id], flags);
  const [lemma] = lemmas;
  if (!lemma) throw new UserError('not-promoted', `${id} was not promoted`, `orch market promote ${id}`);
  return lemma;
}

/** Oldest first, because a lemma may use earlier ones. */
export async function finishedTickets(settings: Settings): Promise<TicketRow[]> {
  const { ledgerOf } = await import('./ledger.ts');
  await using ledger = await ledgerOf(settings, { readOnly: true });
  const all = await ledger.tickets.all();
  return all.filter(({ status }) => status === 'completed').toSorted((one, two) => one.opened - two.opened);
}

/** Promotes tickets; if none are named, those that a proof of the project contains. */
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
