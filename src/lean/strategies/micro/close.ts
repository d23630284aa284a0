import type { WorkState } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closers, closersVersion } from '../../search/closers.ts';
import { finish, fromIntroduced } from '../../search/finish.ts';

/**
 * Single tactics that close the goal quickly, with the preamble's definitions and lemmas as arguments. It runs first, and no
 * other arm tries closers on the unchanged goal, so that its statistics are its own.
 */
export const closeArm: MicroArm = {
  name: 'micro/close',
  version: `3.${closersVersion}`,
  stage: 0,
  async search(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
    const tiers = closers(bench.facts).slice(0, 2);
    return (
      (await finish(bench, root, tiers)) ??
      (await fromIntroduced(bench, root, async (start) =>
        start === root ? undefined : await finish(bench, start, tiers),
      ))
    );
  },
};
