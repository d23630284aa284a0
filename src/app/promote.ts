import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { settingFlags } from '../config/flags.ts';
import { type PromotedAll, promoteTickets } from '../lean/promotion/requests.ts';
import type { Promoted } from '../shared/api.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import type { FileLean } from '../lean/writing/writer.ts';
import type { GoalDetail, TicketRow } from '../shared/ledger.ts';
import { escaped } from '../shared/for-people.ts';
import { noTicket } from './market-work.ts';
import {
  type ShipCommandOptions,
  type ShipFlags,
  exitCodeOfShipped,
  tellShipped,
  fileIn,
  openYard,
  solvedGoals,
} from './ship.ts';
import { settingsFrom } from './settings.ts';
import { openLean } from './lean.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { ledgerOf } from './ledger.ts';
import { openMarket } from './market.ts';
import { recordStated } from '../lean/promotion/stated.ts';
import { containsHelper } from '../lean/promotion/by-name.ts';
import { theoremOf } from '../lean/market/lemma.ts';

/** 0: every requested ticket is now a theorem. */
export async function promoteCommand(
  named: readonly string[],
  options: ShipCommandOptions,
): Promise<ExitCode> {
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
  const finished = named.length === 0 ? [] : await finishedTickets(settings);
  const wanted = named.map((id) => finishedAmong(finished, id));
  const yard = await openYard(flags);
  const solved = await solvedGoals(settings);
  await using lean = await openLean(settings, { image: imageFor(...solved), slots: 1 });
  const byFile = Map.groupBy(solved, fileIn(yard));
  if (named.length === 0) return await promoted(settings, lean, yard, byFile);
  return await promoteTickets(lean, yard, wanted, byFile);
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
async function finishedTickets(settings: Settings): Promise<TicketRow[]> {
  await using ledger = await ledgerOf(settings, { readOnly: true });
  const all = await ledger.tickets.all();
  return all.filter(({ status }) => status === 'completed').toSorted((one, two) => one.opened - two.opened);
}

/** Promotes the lemmas that proofs of the project contain: those of tickets, and those that a search has stated in a proof. */
export async function promoted(
  settings: Settings,
  lean: FileLean,
  yard: Yard,
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
): Promise<PromotedAll> {
  const goals = [...solved.values()].flat();
  await using open = await openMarket(settings);
  await recordStated(lean, open.market, yard, solved);
  const proofs = goals.flatMap(({ proofs: all }) => all.at(-1)?.proof ?? []);
  const isUsed = (ticket: TicketRow): boolean =>
    proofs.some((proof) => containsHelper(proof, theoremOf(ticket)));
  return await promoteTickets(lean, yard, (await finishedTickets(settings)).filter(isUsed), solved);
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
