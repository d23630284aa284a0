import type { SearchState, SearchStep, SearchTree } from './search-tree.ts';

/** A line of the tree: a step with its resulting state, a step that closed its goal, or one of several resulting states. */
export interface Branch {
  readonly key: string;
  /** Null: the start, or one of several states under their step. */
  readonly step: SearchStep | null;
  /** Null: the step closed the goal, left several, or the state was left out. */
  readonly state: SearchState | null;
  /** The state itself is drawn elsewhere or omitted. */
  readonly instead: 'seen elsewhere' | 'left out' | null;
  /** The state's position in the queue; null: not queued. */
  readonly score: number | null;
  readonly kind: 'solved' | 'waits' | 'dead' | 'between';
  readonly below: readonly Branch[];
  readonly failures: readonly SearchStep[];
  /** CPU-seconds of the step and everything below it. */
  readonly cpuSeconds: number;
  /** Whether it is part of the script that solved the goal. */
  readonly isWay: boolean;
  /** The best queue position here or below; null if nothing is queued. */
  readonly best: number | null;
}

/** Steps that failed for the same reason. */
export interface Reason {
  /** First line of Lean's message. */
  readonly words: string;
  readonly steps: readonly SearchStep[];
}

/** Why the steps of a state failed, most frequent reason first. */
export function reasonsOf(failures: readonly SearchStep[]): Reason[] {
  return [...Map.groupBy(failures, reasonOf)]
    .map(([words, steps]) => ({ words, steps }))
    .sort((one, two) => two.steps.length - one.steps.length);
}

function reasonOf({ outcome, words }: SearchStep): string {
  if (outcome === 'timeout') return 'timed out';
  const [first = ''] = (words ?? '').trim().split('\n');
  return first.replaceAll(/\s+/g, ' ').trim() || 'no reason given';
}

/** Kinds of step, by the tactics that belong to them. */
const kinds: readonly (readonly [name: string, tactics: RegExp])[] = [
  ['induction', /\b(?:fun_)?induction\b/],
  ['case split', /\b(?:r?cases|by_cases|fun_cases|split|obtain)\b/],
  ['rewriting', /\brw\b/],
  ['simplification', /\b(?:d?simp\w*|unfold)\b/],
  ['constructor or witness', /\b(?:constructor|refine|left|right)\b/],
  ['lemma or hypothesis', /\b(?:apply|exact|have|specialize|solve_by_elim)\b/],
  ['decision procedure', /\b(?:omega|decide|grind)\b/],
];

/** Kinds of step that were never tried in the tree. */
export function neverProposed({ states }: SearchTree): string[] {
  const tactics = states.flatMap(({ steps }) => steps.map(({ tactic }) => tactic));
  return kinds.flatMap(([name, words]) => (tactics.some((tactic) => words.test(tactic)) ? [] : [name]));
}

/** The tactics that lead to the next queued state; undefined: the queue is empty. */
export function bestUnfinished(
  branch: Branch,
): { readonly path: readonly string[]; readonly state: SearchState } | undefined {
  if (branch.best === null) return undefined;
  const own = branch.step === null ? [] : [branch.step.tactic];
  if (branch.score === branch.best && branch.state !== null && branch.instead === null)
    return { path: own, state: branch.state };
  const found = branch.below.flatMap((each) =>
    each.best === branch.best ? (bestUnfinished(each) ?? []) : [],
  )[0];
  return found && { path: [...own, ...found.path], state: found.state };
}

/** The tree as drawn, from the start. Steps may join: a state is expanded only where it is met first. */
export function branchesOf(tree: SearchTree): Branch {
  const states = new Map(tree.states.map((state) => [state.state, state]));
  const seen = new Set<string>();

  const at = (key: string, step: SearchStep | null, id: string, isWay: boolean): Branch => {
    const state = states.get(id) ?? null;
    const own = step?.cpu_seconds ?? 0;
    if (!state || seen.has(id)) {
      const score = state?.score ?? null;
      const kind = state?.solved === true ? 'solved' : score === null ? 'between' : 'waits';
      const instead = state === null ? 'left out' : 'seen elsewhere';
      const none = { below: [], failures: [], best: null };
      return { key, step, state, score, instead, kind, cpuSeconds: own, isWay, ...none };
    }
    seen.add(id);
    const way = isWay ? state.steps.findIndex((each) => solves(each, states)) : -1;
    const below = state.steps
      .flatMap((each, index) => (isLed(each) ? [after(`${key}.${index}`, each, index === way)] : []))
      .sort(byPromise);
    const failures = state.steps.filter((each) => !isLed(each));
    const { score } = state;
    const kind = kindOf(state, below);
    const cpuSeconds = own + sum(below) + failures.reduce((all, { cpu_seconds }) => all + cpu_seconds, 0);
    const best = bestOf(score, below);
    return { key, step, state, score, instead: null, kind, below, failures, cpuSeconds, isWay, best };
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
      best: bestOf(null, below),
    };
  };

  return at('0', null, tree.start, states.get(tree.start)?.solved === true);
}

function bestOf(score: number | null, below: readonly Branch[]): number | null {
  const all = [score, ...below.map(({ best }) => best)].filter((one) => one !== null);
  return all.length === 0 ? null : Math.max(...all);
}

/** First the path to the proof, then solved states, then queued ones, best first. */
function byPromise(one: Branch, two: Branch): number {
  const rank = ({ isWay, kind, best }: Branch): number =>
    isWay ? 0 : kind === 'solved' ? 1 : best === null ? 3 : 2;
  return rank(one) - rank(two) || (two.best ?? 0) - (one.best ?? 0);
}

/** The goal of a state, on one line. */
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

/** Dead: neither it nor anything below it is queued. */
function kindOf({ solved, score }: SearchState, below: readonly Branch[]): Branch['kind'] {
  if (solved) return 'solved';
  if (score !== null) return 'waits';
  return below.every(({ kind }) => kind === 'dead') ? 'dead' : 'between';
}

const sum = (branches: readonly Branch[]): number =>
  branches.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0);
