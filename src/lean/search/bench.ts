import type { SearchMemory } from '../../store/ledger/search-memory.ts';
import type { Premise } from '../../store/premises/premise.ts';
import type { Goal } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench } from '../workbench/workbench.ts';
import type { Hand } from './hand.ts';
import type { RefutedLemmas } from './refuted-lemmas.ts';

/** The tools of a search on one goal. */
export interface Bench {
  readonly workbench: Workbench;
  readonly account: WorkAccount;
  readonly facts: Facts;
  /** Memory of searches, across attempts and runs. */
  readonly memory?: SearchMemory | undefined;
  /** Lemmas that are known to be false. */
  readonly refuted?: RefutedLemmas | undefined;
  /** Library theorems for the goal or for the open goals of one of its states, best first. */
  readonly premises?: ((limit: number, open?: readonly Goal[]) => Promise<readonly Premise[]>) | undefined;
  /** Idle workers that help with the same goal, each with its own workbench. */
  readonly helpers?: readonly Hand[];
}
