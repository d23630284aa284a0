import type { SearchState, SearchStep, SearchTree } from './search-tree.ts';

/** A line of the tree: a step and the state that it led to, a step that closed its goal, or one of several states that it left. */
export interface Branch {
  readonly key: string;
  /** Null: the start, or one of several states under their step. */
  readonly step: SearchStep | null;
  /** Null: the step closed the goal, left several, or the state was left out. */
  readonly state: SearchState | null;
  /** The state itself is drawn elsewhere, or not at all. */
  readonly instead: 'seen above' | 'left out' | null;
  /** The state's place in the queue; null: it does not wait. */
  readonly score: number | null;
  readonly kind: 'solved' | 'waits' | 'dead' | 'between';
  readonly below: readonly Branch[];
  readonly failures: readonly SearchStep[];
  /** CPU-seconds of the step and of all below it. */
  readonly cpuSeconds: number;
  /** On the way of the script that solved it. */
  readonly isWay: boolean;
}

/** The tree as it is drawn, from the start. Steps may join: a state has what is below it where it is met first. */
export function branchesOf(tree: SearchTree): Branch {
  const states = new Map(tree.states.map((state) => [state.state, state]));
  const seen = new Set<string>();

  const at = (key: string, step: SearchStep | null, id: string, isWay: boolean): Branch => {
    const state = states.get(id) ?? null;
    const own = step?.cpu_seconds ?? 0;
    if (!state || seen.has(id)) {
      const score = state?.score ?? null;
      const kind = state?.solved === true ? 'solved' : score === null ? 'between' : 'waits';
      const instead = state === null ? 'left out' : 'seen above';
      return { key, step, state, score, instead, kind, below: [], failures: [], cpuSeconds: own, isWay };
    }
    seen.add(id);
    const way = isWay ? state.steps.findIndex((each) => solves(each, states)) : -1;
    const below = state.steps.flatMap((each, index) =>
      isLed(each) ? [after(`${key}.${index}`, each, index === way)] : [],
    );
    const failures = state.steps.filter((each) => !isLed(each));
    const { score } = state;
    const kind = kindOf(state, below);
    const cpuSeconds = own + sum(below) + failures.reduce((all, { cpu_seconds }) => all + cpu_seconds, 0);
    return { key, step, state, score, instead: null, kind, below, failures, cpuSeconds, isWay };
  };

  const after = (key: string, step: SearchStep, isWay: boolean): Branch => {
    const [only, ...others] = step.next;
    if (only !== undefined && others.length === 0) return at(key, step, only, isWay);
    const below = step.next.map((id, index) => at(`${key}-${index}`, null, id, isWay));
    const kind = solves(step, states)
      ? 'solved'
      : below.some((each) => each.kind === 'dead')
        ? 'dead'
        : 'between';
    const cpuSeconds = step.cpu_seconds + sum(below);
    return {
      key,
      step,
      state: null,
      score: null,
      instead: null,
      kind,
      below,
      failures: [],
      cpuSeconds,
      isWay,
    };
  };

  return at('0', null, tree.start, states.get(tree.start)?.solved === true);
}

/** What is to be shown in a state, in one line. */
export function targetsOf(goals: string): string {
  return goals
    .split('\n\n')
    .map((goal) =>
      goal
        .slice(Math.max(0, goal.lastIndexOf('⊢')))
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .join(' | ');
}

const isLed = ({ outcome }: SearchStep): boolean => outcome === 'closed' || outcome === 'advanced';

function solves(step: SearchStep, states: ReadonlyMap<string, SearchState>): boolean {
  return isLed(step) && step.next.every((id) => states.get(id)?.solved === true);
}

/** Dead: neither it nor anything below it waits to be looked into. */
function kindOf({ solved, score }: SearchState, below: readonly Branch[]): Branch['kind'] {
  if (solved) return 'solved';
  if (score !== null) return 'waits';
  return below.every(({ kind }) => kind === 'dead') ? 'dead' : 'between';
}

const sum = (branches: readonly Branch[]): number =>
  branches.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0);
