import path from 'node:path';
import { loadSettings, type SettingFlags } from '../config/load.ts';
import { refuseLinkedState } from '../config/trust.ts';
import { asTyped } from '../core/invocation.ts';
import { linesForPeople } from '../shared/for-people.ts';
import type { Settings } from '../config/schema.ts';

/** The settings in effect. `recorded`: those of an earlier run, from the ledger. */
export function settingsFrom(flags: SettingFlags = {}, recorded: SettingFlags = {}): Settings {
  const folder = process.cwd();
  refuseLinkedState(folder, process.env);
  return loadSettings({
    folder,
    environment: process.env,
    recorded,
    flags,
    onIgnored: noticeOnce,
  });
}

const noticed = new Set<string>();

/** On stderr, once per process: commands load their settings more than once. */
export function noticeOnce(notice: string): void {
  if (!noticed.has(notice)) process.stderr.write(`orch: ${asTyped(linesForPeople(notice))}\n`);
  noticed.add(notice);
}

/** The folder of the embedded Lean inside the cache. */
export function leanCacheFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'lean');
}

/** Where the second kernel keeps library data. */
export function secondKernelFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'second-kernel');
}

/** Where the indexes of premises are kept. */
export function premisesFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'premises');
}
