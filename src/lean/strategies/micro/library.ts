import type { WorkState } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closers, closersVersion } from '../../search/closers.ts';
import { finderOf, premiseClosers, premiseSplits, type Found } from '../../search/retrieved.ts';
import { finish, fromIntroduced } from '../../search/finish.ts';
import { proposed } from '../../search/proposed.ts';

/** An unsuccessful `exact?` takes 0.3 to 0.7 s; three times that is enough for the others. */
const heartbeats = 5000;

/** Number of theorems to look for. */
const shown = 16;

/**
 * Uses what the library already proves: `exact?`, then the expensive closers and theorems found by premise retrieval,
 * then the steps proposed by `rw?`, each followed by the cheap closers.
 */
export const libraryArm: MicroArm = {
  name: 'micro/library',
  version: `6.${closersVersion}`,
  stage: 2.25,
  async search(bench, root) {
    const closed = await exact(bench, root);
    if (closed || bench.account.stopped !== undefined) return closed;
    const found = (await finderOf(bench, shown)?.()) ?? { names: [], grindable: [] };
    const tiers = [...closers(bench.facts).slice(2), ...premiseClosers(found, bench.facts)];
    return await fromIntroduced(
      bench,
      root,
      async (start) =>
        (await finish(bench, start, tiers)) ??
        (await splitting(bench, start, found)) ??
        (await steps(bench, start)),
    );
  },
};

async function splitting(bench: Bench, start: WorkState, found: Found): Promise<WorkState | undefined> {
  if (found.names.length === 0) return undefined;
  const moves = await bench.workbench.moves(start, bench.facts, bench.account);
  return await finish(bench, start, [premiseSplits(moves, found, bench.facts)]);
}

/** `exact?` and `apply?`, replaced by their suggestions. */
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
