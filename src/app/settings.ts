import path from 'node:path';
import { loadSettings, type SettingFlags } from '../config/load.ts';
import type { Settings } from '../config/schema.ts';

export function settingsFrom(flags: SettingFlags = {}): Settings {
  return loadSettings({ folder: process.cwd(), environment: process.env, flags });
}

/** The folder of the embedded Lean inside the cache. */
export function leanCacheFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'lean');
}

/** Where the indexes of premises are kept. */
export function premisesFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'premises');
}
