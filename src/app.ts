import path from 'node:path';
import { loadSettings, type SettingFlags } from './config/load.ts';
import { workersOf, type Settings } from './config/schema.ts';
import { systemClock } from './core/clock.ts';
import { Gate } from './lean/gate/gate.ts';
import { LeanPool } from './lean/pool.ts';
import type { ImageName } from './lean/toolchain/embedded/embedded.ts';
import { resolveToolchain } from './lean/toolchain/resolve.ts';
import { setupProgress } from './reporters/progress.ts';

/** The composition root: the one place where settings, clock and processes of the real world meet the domains. */

export function settingsFrom(flags: SettingFlags = {}): Settings {
  return loadSettings({ folder: process.cwd(), environment: process.env, flags });
}

/** The folder of the embedded Lean inside the cache. */
export function leanCacheFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'lean');
}

export interface LeanChoice {
  readonly image: ImageName;
  readonly slots?: number;
  readonly spare?: boolean;
}

/** Workers that look for proofs, and a gate with a judge of its own. */
export interface Lean {
  readonly pool: LeanPool;
  readonly gate: Gate;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Lean as the settings want it; sets the embedded one up first where that is needed. */
export async function openLean(
  settings: Settings,
  { image, slots, spare = false }: LeanChoice,
): Promise<Lean> {
  const progress = setupProgress(process.stderr);
  const toolchain = await resolveToolchain({
    lean: settings.lean,
    folder: process.cwd(),
    cacheFolder: leanCacheFolder(settings),
    environment: process.env,
    image,
    onProgress: progress.update,
  }).finally(progress.done);
  const pool = new LeanPool(toolchain, systemClock, { slots: slots ?? workersOf(settings), spare });
  const judges = new LeanPool(toolchain, systemClock, { slots: 1, spare: false });
  return {
    pool,
    gate: new Gate(pool, judges),
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.close(), judges.close()]);
    },
  };
}
