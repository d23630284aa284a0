import { BestFirst } from '../../search/best-first.ts';
import { closersVersion } from '../../search/closers.ts';
import { fromIntroduced } from '../../search/finish.ts';
import { generatorOf, movesVersion } from '../../search/generators.ts';
import type { MicroArm } from './arm.ts';

const plan = { generator: generatorOf(), limits: { nodes: 400, depth: 6 } };

/** Best-first search over every kind of step, with premises from the preamble only. */
export const searchArm: MicroArm = {
  name: 'micro/search',
  version: `4.${movesVersion}.${closersVersion}`,
  stage: 3,
  async search(bench, root) {
    return await fromIntroduced(bench, root, async (start) => await new BestFirst(bench, plan, start).run());
  },
};
