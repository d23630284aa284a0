import type { WorkState } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closers, closersVersion } from '../../search/closers.ts';
import { fromIntroduced } from './plans.ts';
import { finish } from '../../search/depth-first.ts';
import { proposed } from '../../search/proposed.ts';

/** `exact?` that finds nothing takes 0.3 to 0.7 s; three times that is enough for the others. */
const heartbeats = 5000;

/** What the library knows already: `exact?`, then the steps that `rw?` and `apply?` propose, each with the cheap closers after it. */
export const libraryArm: MicroArm = {
  name: 'micro/library',
  version: `1.${closersVersion}`,
  stage: 3,
  async search(bench, root) {
    return (
      (await exact(bench, root)) ??
      (await fromIntroduced(bench, root, async (start) => await steps(bench, start)))
    );
  },
};

/** `exact?` and `apply?` replaced by what they found. */
async function exact(bench: Bench, state: WorkState): Promise<WorkState | undefined> {
  const [found] = await bench.workbench.run(state, ['exact?'], bench.account, { heartbeats });
  if (found?.kind !== 'state' || !found.state.closed) return undefined;
  const said = proposed(bench, found.state);
  if (said.length === 0) return undefined;
  const [written] = await bench.workbench.run(state, said, bench.account, { heartbeats });
  return written?.kind === 'state' && written.state.closed ? written.state : undefined;
}

async function steps(bench: Bench, start: WorkState): Promise<WorkState | undefined> {
  const again = await exact(bench, start);
  if (again) return again;
  const [rewrites] = await bench.workbench.run(start, ['rw?'], bench.account, { heartbeats, until: 'end' });
  const proposals = rewrites?.kind === 'state' ? proposed(bench, rewrites.state) : [];
  const answers = await bench.workbench.run(start, proposals.slice(0, 12), bench.account, {
    heartbeats: 1000,
  });
  const tiers = closers(bench.facts).slice(0, 2);
  for (const answer of answers) {
    if (answer.kind !== 'state') continue;
    let current: WorkState | undefined = answer.state;
    while (current && !current.closed) current = await finish(bench, current, tiers);
    if (current) return current;
    if (bench.account.stopped !== undefined) return undefined;
  }
  return undefined;
}
