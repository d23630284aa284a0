import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { settingFlags } from '../config/flags.ts';
import { type PromotedAll, promoteTickets } from '../lean/promotion/requests.ts';
import type { Promoted } from '../shared/api.ts';
import type { TicketRow } from '../shared/ledger.ts';
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
import { finishedTickets, promoteUsed } from './used-lemmas.ts';
import { imageFor } from '../lean/project/image-choice.ts';

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
  if (named.length === 0) return await promoteUsed(settings, lean, yard, byFile);
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

function finishedAmong(finished: readonly TicketRow[], id: string): TicketRow {
  const found = finished.find(({ ticket_id }) => ticket_id === id);
  if (found) return found;
  const { message } = noTicket(id);
  throw new UserError('no-ticket', `${message} that is completed`, 'orch market list --all shows them.');
}

function describe({ ticket, result, name, message }: Promoted): string {
  return escaped`${result}  ${ticket}  ${name}  ${message}\n`;
}
