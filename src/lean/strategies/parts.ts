import type { Settings } from '../../config/schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { SearchMemory } from '../../store/ledger/search-memory.ts';
import type { GoalModel } from '../../models/configured.ts';
import type { AttemptLimits } from '../../shared/events.ts';
import type { RefutedLemmas } from '../search/refuted-lemmas.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { PremiseSource } from '../premises/source.ts';

/** Shared by all strategies of a run, besides their goals. */
export interface SharedParts {
  /** Workers for tasks outside a goal's own workbench. */
  readonly pool: LeanPool;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Memory of searches across attempts and runs; without it each starts over. */
  readonly memory?: SearchMemory | undefined;
  /** Finds premises in the library. */
  readonly premises?: PremiseSource | undefined;
  /** False lemmas, which plans must not use. */
  readonly refuted?: RefutedLemmas | undefined;
  /** The language model named in the settings. */
  readonly model?: GoalModel | undefined;
}

/** The parts of one strategy. */
export interface StrategyParts extends SharedParts {
  /** The cost limit of one attempt. */
  readonly budget: AttemptLimits;
}
