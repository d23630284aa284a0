import type { SettingFlags } from '../config/load.ts';
import { SettingsFile } from '../config/schema.ts';
import { isSetting } from '../config/text.ts';
import { systemClock } from '../core/clock.ts';
import type { UnfinishedRun } from '../store/ledger/experience.ts';
import { lives } from '../io/owner.ts';

/** A live run is never taken over. */
export function isUnderWay({ owner }: UnfinishedRun): boolean {
  return owner !== null && lives(owner, systemClock.date().getTime() - owner.heard);
}

/** Settings of the machine, not of the run. */
const ofThePlace: ReadonlySet<string> = new Set(['ledger', 'cache_dir', 'data', 'log_level', 'log_file']);

/**
 * The settings that a run had. Another version may have recorded values that this one does not accept (0.1.0 wrote
 * `max_light = 10000` for remote runs): those fall back to their defaults.
 */
export function settingsOf({ settings }: Pick<UnfinishedRun, 'settings'>): SettingFlags {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) =>
        !ofThePlace.has(name) && isSetting(name) && SettingsFile.shape[name].safeParse(value).success,
    ),
  );
}
