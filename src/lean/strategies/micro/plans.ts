import type { WorkState } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closers, closersVersion } from '../../search/closers.ts';
import { caseMoves, exhaustiveClosers, introductions, movesVersion, type Moves } from '../../search/moves.ts';
import { inductionMoves } from '../../search/induction-moves.ts';
import { finish, searchDepth } from '../../search/depth-first.ts';

const version = `1.${movesVersion}.${closersVersion}`;
/** A move is a single step, so it gets a third of a second. */
const moveHeartbeats = 1000;

/**
 * Splits on values, hypotheses and conditions, up to twice. It runs after induction, which splits too: in parallel,
 * one of the two would be wasted.
 */
export const casesArm: MicroArm = {
  name: 'micro/cases',
  version,
  stage: 2,
  async search(bench, root) {
    return await fromIntroduced(bench, root, async (start) => {
      const [front] = start.goals;
      const tactics = front ? exhaustiveClosers(front, bench.facts) : [];
      const all = await finish(bench, start, [{ heartbeats: 3500, tactics }]);
      return all ?? (await plan(bench, start, [caseMoves, caseMoves], 6));
    });
  },
};

/** Induction, then splits inside its cases. */
export const inductArm: MicroArm = {
  name: 'micro/induct',
  version,
  stage: 1,
  async search(bench, root) {
    return await fromIntroduced(
      bench,
      root,
      async (start) => await plan(bench, start, [inductionMoves, caseMoves], 8),
    );
  },
};

async function plan(
  bench: Bench,
  start: WorkState,
  moves: readonly Moves[],
  width: number,
): Promise<WorkState | undefined> {
  return await searchDepth(bench, start, { tiers: closers(bench.facts), moves, moveHeartbeats, width });
}

/** Works from the state after every successful `intro`, with names that later steps can use. */
export async function fromIntroduced(
  bench: Bench,
  root: WorkState,
  search: (start: WorkState) => Promise<WorkState | undefined>,
): Promise<WorkState | undefined> {
  const [front] = root.goals;
  if (!front) return undefined;
  const answers = await bench.workbench.run(root, introductions(front), bench.account, {
    heartbeats: moveHeartbeats,
    until: 'end',
  });
  const deepest = answers.find((answer) => answer.kind === 'state');
  return await search(deepest?.kind === 'state' ? deepest.state : root);
}
