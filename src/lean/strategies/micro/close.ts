import type { WorkState } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closers, closersVersion } from '../../search/closers.ts';
import { fromIntroduced } from './plans.ts';
import { finish } from '../../search/depth-first.ts';

/**
 * Single tactics that close the goal, with the preamble's definitions and lemmas as arguments. It runs first, and no
 * other arm tries closers on the unchanged goal, so that its statistics are its own.
 */
export const closeArm: MicroArm = {
  name: 'micro/close',
  version: `2.${closersVersion}`,
  stage: 0,
  async search(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
    const [cheap, usual, expensive] = closers(bench.facts);
    const some = [cheap, usual].filter((tier) => tier !== undefined);
    return (
      (await finish(bench, root, some)) ??
      (await fromIntroduced(bench, root, async (start) => {
        const found = start === root ? undefined : await finish(bench, start, some);
        return found ?? (expensive && (await finish(bench, start, [expensive])));
      }))
    );
  },
};
