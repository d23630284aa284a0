import type { Settings } from '../../config/schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { SearchMemory } from '../../store/ledger/search-memory.ts';
import type { GoalModel } from '../../models/configured.ts';
import type { AttemptLimits } from '../../shared/events.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { PremiseSource } from '../premises/source.ts';

/** What every strategy of a run may use, besides the goals that it is given: each takes what it needs. */
export interface SharedParts {
  /** Workers, for what does not belong on a goal's own workbench. */
  readonly pool: LeanPool;
  readonly settings: Settings;
  readonly clock: Clock;
  /** What searches remember between attempts and runs; without it each begins over. */
  readonly memory?: SearchMemory | undefined;
  /** Finds premises in the library. */
  readonly premises?: PremiseSource | undefined;
  /** The language model that the settings name. */
  readonly model?: GoalModel | undefined;
}

/** What one strategy consists of. */
export interface StrategyParts extends SharedParts {
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
}
