/** What searches did with a goal, or with one hole of its proof: states, and the tactics that led from one to the next. */
export interface SearchTree {
  /** The state that it began with: the first of `states`. */
  readonly start: string;
  /** In the order in which they are reached, step by step from the start; each once, although many steps may lead to it. */
  readonly states: readonly SearchState[];
  /** States that are known and left out: there are more than fit. */
  readonly left_out: number;
}

export interface SearchState {
  readonly state: string;
  /** Its goals as Lean prints them, perhaps cut short; empty where an older orch did not keep them. */
  readonly goals: string;
  /** Whether a script from here to the end is known. */
  readonly solved: boolean;
  /** Queued for expansion with this score (higher comes first); null: not queued. */
  readonly score: number | null;
  /** What closed it first, then what led on, then what failed; each by cost. */
  readonly steps: readonly SearchStep[];
}

export const stepOutcomes = ['closed', 'advanced', 'timeout', 'failed'] as const;

export interface SearchStep {
  readonly tactic: string;
  readonly outcome: (typeof stepOutcomes)[number];
  readonly cpu_seconds: number;
  /** Why it failed, in Lean's words. */
  readonly words: string | null;
  /** The states that it left; all of them have to be solved. */
  readonly next: readonly string[];
}

/** Steps and CPU-seconds of a whole tree, and how many states wait. */
export function figuresOf({ states }: SearchTree): {
  readonly steps: number;
  readonly cpu_seconds: number;
  readonly open: number;
} {
  const steps = states.flatMap((state) => state.steps);
  return {
    steps: steps.length,
    cpu_seconds: steps.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0),
    open: states.filter(({ score }) => score !== null).length,
  };
}
