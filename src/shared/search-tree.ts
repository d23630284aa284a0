/** The search for a goal, or for one hole of its proof: states, and the tactics between them. */
export interface SearchTree {
  /** The initial state, which is the first of `states`. */
  readonly start: string;
  /** In breadth-first order from the start; each once, even if many steps lead to it. */
  readonly states: readonly SearchState[];
  /** Number of known states omitted because of the size limit. */
  readonly left_out: number;
}

export interface SearchState {
  readonly state: string;
  /** Its goals as Lean prints them, possibly truncated; empty in data of an older orch. */
  readonly goals: string;
  /** Whether a script from here to the end is known. */
  readonly solved: boolean;
  /** Queued for expansion with this score (higher comes first); null: not queued. */
  readonly score: number | null;
  /** Closing steps first, then steps with open goals, then failures, each ordered by cost. */
  readonly steps: readonly SearchStep[];
}

export const stepOutcomes = ['closed', 'advanced', 'timeout', 'failed'] as const;

export interface SearchStep {
  readonly tactic: string;
  readonly outcome: (typeof stepOutcomes)[number];
  readonly cpu_seconds: number;
  /** Why it failed, in Lean's words. */
  readonly words: string | null;
  /** The resulting states, all of which must be solved. */
  readonly next: readonly string[];
}

/** Steps and CPU-seconds of a whole tree, and the number of queued states. */
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
