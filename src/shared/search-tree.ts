import type { goalSearch } from './schemas/responses.ts';
import type { Answer } from './schemas/rows.ts';

export const stepOutcomes = ['closed', 'advanced', 'timeout', 'failed'] as const;

/** The search for a goal, or for one hole of its proof: states, and the tactics between them. */
export type SearchTree = Answer<typeof goalSearch>['trees'][number];
export type SearchState = SearchTree['states'][number];
export type SearchStep = SearchState['steps'][number];

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
