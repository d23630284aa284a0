import path from 'node:path';
import { packageVersion } from '../config/package.ts';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { answerFormat } from '../remote/claim.ts';
import type { Ledger, LedgerOptions } from '../store/ledger/ledger.ts';
import { GoalQueue } from '../store/queue/queue.ts';
import { WorkerQueue } from '../store/queue/worker-queue.ts';
import { openLedger, refuseImpossible } from '../store/open.ts';
import { isPostgresUrl, placeOf } from '../store/ledger/place.ts';
import { talk } from '../reporters/talk.ts';

/** The ledger that the settings name. A ledger of an older orch is migrated first, for readers too. */
export async function ledgerOf(
  settings: Settings,
  options: Omit<LedgerOptions, 'clock'> = {},
): Promise<Ledger> {
  const open = async (more: Partial<LedgerOptions> = {}): Promise<Ledger> =>
    await openLedger(placeOf(settings.ledger), { clock: systemClock, onWait: talk, ...options, ...more });
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'ledger-older') throw error;
    await (await open({ readOnly: false, create: false })).close();
    return await open();
  }
}

/** The script cache is next to the ledger and has the same lifetime. */
export function scriptsFile({ ledger }: Pick<Settings, 'ledger'>): string {
  return path.resolve(
    isPostgresUrl(ledger) ? '.orch/scripts.db' : `${ledger.replace(/\.db$/, '')}.scripts.db`,
  );
}

/** Checks early, before anything costs time, that the ledger may be where the settings say. */
export async function refuseImpossibleLedger({ ledger }: Settings): Promise<void> {
  await refuseImpossible(placeOf(ledger), { onWait: talk });
}

/** An existing ledger, to read; undefined if there is none. */
export async function ledgerIfThere(settings: Settings): Promise<Ledger | undefined> {
  try {
    return await ledgerOf(settings, { readOnly: true });
  } catch (error) {
    if (error instanceof UserError && error.code === 'no-ledger') return undefined;
    throw error;
  }
}

/** Runs and workers of different versions or answer formats ignore each other's goals. */
export function remoteVersion(): string {
  return `${packageVersion()}+${answerFormat}`;
}

/** The queue in the ledger's database, for a run that sends goals to workers. */
export async function openQueue({ ledger }: Settings): Promise<GoalQueue> {
  refuseFile(ledger);
  let said = '';
  const onFailure = ({ message }: Error): void => {
    if (message !== said) talk(`the queue: ${message}`);
    said = message;
  };
  return await GoalQueue.open(ledger, onFailure, talk);
}

/** The same queue, for a worker. */
export async function openWorkerQueue(url: string): Promise<WorkerQueue> {
  refuseFile(url);
  return await WorkerQueue.open(url, talk);
}

function refuseFile(ledger: string): void {
  if (isPostgresUrl(ledger)) return;
  throw new UserError(
    'no-queue',
    `workers on other machines need a ledger in PostgreSQL, but ${ledger} is a file`,
    'Name one with --ledger postgres://… or ORCH_LEDGER; orch ledger copy copies a file there.',
  );
}
