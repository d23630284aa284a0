import type { SearchMemory } from '../../core/search-memory.ts';
import type { AttemptLimits } from '../../shared/events.ts';

/** What a strategy is made of, besides the goals that it is given. */
export interface StrategyParts {
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
  /** What searches remember between attempts and runs; without it each begins anew. */
  readonly memory?: SearchMemory | undefined;
}
