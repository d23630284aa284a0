import type { WorkState } from '../../workbench.ts';
import type { Bench, MicroArm } from './arm.ts';
import { closers, closersVersion } from './closers.ts';

/** One tactic that does it all, with the preamble's definitions and lemmas as arguments. */
export const closeArm: MicroArm = {
  name: 'micro/close',
  version: `1.${closersVersion}`,
  async search(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
    for (const { heartbeats, tactics } of closers(bench.facts)) {
      const answers = await bench.workbench.run(root, tactics, bench.account, { heartbeats });
      const last = answers.at(-1);
      if (last?.kind === 'state' && last.state.closed) return last.state;
    }
    return undefined;
  },
};
