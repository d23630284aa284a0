import { keptWorkers } from '../../src/lean/workers/kept.ts';
import { shareWithLaterFiles } from './shared-workers.ts';

declare global {
  var hasBegun: true | undefined;
}

/**
 * Most files share a process with others, one after the other, and warm resources stay warm: a closed pool leaves its
 * idle workers to the next one. Vitest ends the process with a signal; exit handlers end what was kept.
 */
if (globalThis.hasBegun !== true) {
  globalThis.hasBegun = true;
  for (const kept of Object.values(keptWorkers)) {
    kept.keep(1);
    shareWithLaterFiles(() => kept.pids);
  }
  process.once('SIGTERM', () => process.exit());
}
