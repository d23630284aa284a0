import type { MicroArm } from './arm.ts';
import { closeArm } from './close.ts';
import { relateArm } from './relate.ts';

/**
 * Closers and the prover with the open theorems that stand above the goal. It runs after the cheap arms that need none: what it finds is proved
 * only when these are.
 */
export const givenArm: MicroArm = {
  name: 'micro/given',
  version: `1.${closeArm.version}.${relateArm.version}`,
  stage: 0.4,
  // a larger share would leave the prover that needs no open theorem too little
  budget: { cpu_seconds: 10, heartbeats: 20_000 },
  assumes: true,
  // what the goal was proved from since it was opened is forgone, but the arm stays on offer
  isFor: ({ given }) => given !== undefined,
  async search(bench, root) {
    if (bench.workbench.assumable.size === 0) return undefined;
    return (await closeArm.search(bench, root)) ?? (await relateArm.search(bench, root));
  },
};
