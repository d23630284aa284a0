import type { WorkState } from '../../workbench.ts';
import type { Bench, MicroArm } from './arm.ts';
import { closers, closersVersion } from './closers.ts';
import { movesVersion } from './moves.ts';
import { everyMove, fromIntroduced, moveHeartbeats } from './plans.ts';
import { explore, finish } from './search.ts';

const maxDepth = 3;
const maxStates = 60;

/**
 * Best first over all moves: the state that looks smallest is taken next, whatever way led to it. Closers are tried on a
 * state when it is taken, the cheap ones; the dear ones on the best few at the end.
 */
export const combineArm: MicroArm = {
  name: 'micro/combine',
  version: `1.${movesVersion}.${closersVersion}`,
  async search(bench, root) {
    return await fromIntroduced(bench, root, async (start) => await bestFirst(bench, start));
  },
};

interface Open {
  readonly state: WorkState;
  readonly depth: number;
}

async function bestFirst(bench: Bench, start: WorkState): Promise<WorkState | undefined> {
  const tiers = closers(bench.facts);
  const queue: Open[] = [{ state: start, depth: 0 }];
  const seen: Open[] = [];
  while (queue.length > 0 && seen.length < maxStates && bench.account.stopped === undefined) {
    queue.sort((first, second) => weight(first) - weight(second));
    const open = queue.shift();
    if (!open) break;
    seen.push(open);
    const closed = await finishAll(bench, open.state, tiers.slice(0, 2));
    if (closed.state.closed) return closed.state;
    if (open.depth >= maxDepth) continue;
    const next = await explore(bench, closed.state, everyMove, { moveHeartbeats, width: 12 });
    const done = next.find((state) => state.closed);
    if (done) return done;
    queue.push(...next.map((state) => ({ state, depth: open.depth + 1 })));
  }
  for (const { state } of seen.sort((first, second) => weight(first) - weight(second))) {
    if (bench.account.stopped !== undefined) break;
    const closed = await finishAll(bench, state, tiers);
    if (closed.state.closed) return closed.state;
  }
  return undefined;
}

/** Close goals from the front for as long as that works. */
async function finishAll(
  bench: Bench,
  state: WorkState,
  tiers: ReturnType<typeof closers>,
): Promise<{ state: WorkState }> {
  let current = state;
  while (!current.closed && bench.account.stopped === undefined) {
    const next = await finish(bench, current, tiers);
    if (!next) break;
    current = next;
  }
  return { state: current };
}

/** Less is better: goals that are left, how long they are, how far it was. */
function weight({ state, depth }: Open): number {
  const length = state.goals.reduce(
    (sum, { target, hypotheses }) =>
      sum + target.length + hypotheses.reduce((all, { type }) => all + type.length, 0) / 4,
    0,
  );
  return length + 30 * state.goals.length + 25 * depth;
}
