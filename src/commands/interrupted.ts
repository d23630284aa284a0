import type { SettingFlags } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import type { UnfinishedRun } from '../core/experience.ts';
import { lives } from '../io/owner.ts';

/** A run that lives is never taken over, whatever else the ledger is used for. */
export function isUnderWay({ owner }: UnfinishedRun): boolean {
  return owner !== null && lives(owner, systemClock.date().getTime() - owner.heard);
}

/** Those belong to the place where orch runs, not to the run. */
const ofThePlace: ReadonlySet<string> = new Set(['ledger', 'cache_dir', 'data', 'log_level', 'log_file']);

/** The settings that a run had, as if they were given again; what is really given counts more. */
export function settingsOf({ settings }: Pick<UnfinishedRun, 'settings'>, flags: SettingFlags): SettingFlags {
  const had = Object.entries(settings).filter(([name]) => !ofThePlace.has(name));
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...had, ...given]);
}
