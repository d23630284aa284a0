import type { SearchMemory } from '../../store/ledger/search-memory.ts';
import type { Premise } from '../../store/premises/premise.ts';
import type { Goal } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench } from '../workbench/workbench.ts';
import type { Hand } from './hand.ts';
import type { RefutedLemmas } from './refuted-lemmas.ts';

/** What a search works with on one goal. */
export interface Bench {
  readonly workbench: Workbench;
  readonly account: WorkAccount;
  readonly facts: Facts;
  /** What searches remember between attempts and runs. */
  readonly memory?: SearchMemory | undefined;
  /** Lemmas that are known to be false. */
  readonly refuted?: RefutedLemmas | undefined;
  /** Theorems of the library for the goal as it is stated, or for what is open in a state of it; best first. */
  readonly premises?: ((limit: number, open?: readonly Goal[]) => Promise<readonly Premise[]>) | undefined;
  /** Others that help with the same goal, each at a workbench of its own. */
  readonly helpers?: readonly Hand[];
}
