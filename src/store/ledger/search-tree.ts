import type { Search, SearchMemory, TacticStep } from './search-memory.ts';
import {
  stepOutcomes,
  type SearchState,
  type SearchStep,
  type SearchTree,
} from '../../shared/search-tree.ts';

/** Larger trees are truncated, because the dashboard must draw them. */
const mostStates = 400;

/** One tree per search of a goal, for `orch why --tree` and the goal view. */
export async function searchTreesOf(
  memory: Pick<SearchMemory, 'searches' | 'stepsFrom'>,
  { goal_hash, fingerprint }: { readonly goal_hash: string | null; readonly fingerprint: string | null },
  most = mostStates,
): Promise<SearchTree[]> {
  if (goal_hash === null || fingerprint === null) return [];
  const trees: SearchTree[] = [];
  for (const search of await memory.searches(goal_hash, fingerprint))
    trees.push(await treeOf(memory, search, most));
  return trees;
}

async function treeOf(
  memory: Pick<SearchMemory, 'stepsFrom'>,
  { start, nodes }: Search,
  most: number,
): Promise<SearchTree> {
  const goals = new Map([[start.state, start.goals.join('\n\n')]]);
  const steps = new Map<string, readonly TacticStep[]>();
  for (let level = [start.state]; level.length > 0 && steps.size < most;) {
    const looked = level.slice(0, most - steps.size);
    const found = Map.groupBy(await memory.stepsFrom(looked), ({ state }) => state);
    for (const state of looked) steps.set(state, found.get(state) ?? []);
    level = [];
    for (const { next, words } of [...found.values()].flat())
      for (const [index, state] of next.entries()) {
        if (!goals.has(state)) level.push(state);
        if (!goals.get(state)) goals.set(state, words[index] ?? '');
      }
  }
  // an open state is stored completely, with its position in the queue
  const open = new Map(nodes.map((node) => [node.state, node]));
  const solved = solvedOf(steps);
  const states = [...steps].map(([state, its]): SearchState => ({
    state,
    goals: open.get(state)?.goals.join('\n\n') ?? goals.get(state) ?? '',
    solved: solved.has(state),
    score: open.get(state)?.score ?? null,
    steps: its.map(stepOf).toSorted(byWorth),
  }));
  return { start: start.state, states, left_out: goals.size - states.length };
}

function stepOf({ tactic, outcome, cpuSeconds, words, next }: TacticStep): SearchStep {
  const isFailure = outcome === 'failed' || outcome === 'timeout';
  return { tactic, outcome, cpu_seconds: cpuSeconds, words: isFailure ? (words[0] ?? null) : null, next };
}

function byWorth(one: SearchStep, two: SearchStep): number {
  return (
    stepOutcomes.indexOf(one.outcome) - stepOutcomes.indexOf(two.outcome) || one.cpu_seconds - two.cpu_seconds
  );
}

/** States from which a complete script is known. Steps may form cycles, so this is computed backwards from the ends. */
function solvedOf(steps: ReadonlyMap<string, readonly TacticStep[]>): ReadonlySet<string> {
  const solved = new Set<string>();
  for (let before = -1; before < solved.size;) {
    before = solved.size;
    for (const [state, its] of steps)
      if (its.some(({ outcome, next }) => outcome === 'closed' || closes(outcome, next, solved)))
        solved.add(state);
  }
  return solved;
}

function closes(
  outcome: TacticStep['outcome'],
  next: readonly string[],
  solved: ReadonlySet<string>,
): boolean {
  return outcome === 'advanced' && next.length > 0 && next.every((state) => solved.has(state));
}
