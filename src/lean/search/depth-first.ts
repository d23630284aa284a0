import type { WorkState } from '../workbench/workbench.ts';
import type { Bench } from './bench.ts';
import type { Tier } from './closers.ts';
import { namingMove, type Moves } from './moves.ts';

export interface DepthPlan {
  /** What may finish a goal, cheap ones first. */
  readonly tiers: readonly Tier[];
  /** What may be done at each depth, from the goal inwards. */
  readonly moves: readonly Moves[];
  /** Moves are steps, not proofs: they get little. */
  readonly moveHeartbeats: number;
  /** Maximum number of states that are expanded after each move. */
  readonly width: number;
}

/** How deep to go with how many of the tiers, round by round: depth with cheap closers before expensive closers. */
const rounds: readonly { readonly depth: number; readonly tiers: number }[] = [
  { depth: 1, tiers: 1 },
  { depth: 1, tiers: 2 },
  { depth: 2, tiers: 1 },
  { depth: 2, tiers: 2 },
  { depth: 3, tiers: 2 },
  { depth: 1, tiers: 3 },
  { depth: 3, tiers: 3 },
];

/**
 * Depth-first with growing effort: close the goal in front, or move and then close every goal that the move left. What an
 * earlier round tried costs nothing again.
 */
export async function searchDepth(
  bench: Bench,
  root: WorkState,
  plan: DepthPlan,
): Promise<WorkState | undefined> {
  for (const { depth, tiers } of rounds) {
    const round = { ...plan, moves: plan.moves.slice(0, depth), tiers: plan.tiers.slice(0, tiers) };
    const closed = await solveFront(bench, root, round, 0);
    if (closed) return closed;
    if (bench.account.stopped !== undefined) return undefined;
  }
  return undefined;
}

/** A state in which the goal in front is solved, with everything that was made of it. */
async function solveFront(
  bench: Bench,
  state: WorkState,
  plan: DepthPlan,
  depth: number,
): Promise<WorkState | undefined> {
  // what needs no move at all is the business of the arm that goes first
  const finished = depth === 0 ? undefined : await finish(bench, state, plan.tiers);
  const moves = plan.moves[depth];
  if (finished || !moves || bench.account.stopped !== undefined) return finished;
  const target = state.goals.length - 1;
  const named = await nameAll(bench, state);
  const [front] = named.goals;
  const proposals = front ? moves(front, bench.facts) : [];
  for (let from = 0, left = plan.width; from < proposals.length && left > 0; from += movesAtOnce) {
    const some = proposals.slice(from, from + movesAtOnce);
    for (const next of (await take(bench, named, some, plan.moveHeartbeats)).slice(0, left)) {
      left--;
      let current: WorkState | undefined = next;
      while (current && current.goals.length > target && !current.closed)
        current = await solveFront(bench, current, plan, depth + 1);
      if (current) return current;
      if (bench.account.stopped !== undefined) return undefined;
    }
  }
  return undefined;
}

/** The first few moves are the likely ones: what they lead to is looked into before the others are made. */
const movesAtOnce = 3;

/** Try closers on the goal in front. */
export async function finish(
  bench: Bench,
  state: WorkState,
  tiers: readonly Tier[],
): Promise<WorkState | undefined> {
  for (const { tactics, heartbeats } of tiers) {
    const answers = await bench.workbench.run(state, tactics, bench.account, {
      heartbeats,
      until: 'fewer-goals',
    });
    for (const answer of answers)
      if (answer.kind === 'state' && (answer.state.closed || answer.state.goals.length < state.goals.length))
        return answer.state;
  }
  return undefined;
}

/** Where some moves lead, as far as it is somewhere else. */
async function take(
  { workbench, account }: Bench,
  from: WorkState,
  moves: readonly string[],
  heartbeats: number,
): Promise<WorkState[]> {
  const answers = await workbench.run(from, moves, account, { heartbeats, until: 'fewer-goals' });
  const states = answers.flatMap((answer) => (answer.kind === 'state' ? [answer.state] : []));
  return states.filter((next) => isNews(from, next));
}

/** The same state with names for everything in its front goal. */
async function nameAll(bench: Bench, state: WorkState): Promise<WorkState> {
  const [front] = state.goals;
  const tactic = front && namingMove(front);
  if (tactic === undefined) return state;
  const [answer] = await bench.workbench.run(state, [tactic], bench.account, { until: 'end' });
  return answer?.kind === 'state' ? answer.state : state;
}

function isNews(before: WorkState, after: WorkState): boolean {
  return textOf(before) !== textOf(after);
}

/** Without names: a hypothesis that is only called something else is no news. */
function textOf({ goals }: WorkState): string {
  return goals
    .map(({ hypotheses, target }) => `${hypotheses.map(({ type }) => type).join()}⊢${target}`)
    .join('|');
}
