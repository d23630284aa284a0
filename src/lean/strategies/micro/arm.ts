import type { Account } from '../../workbench/account.ts';
import type { WorkState, Workbench } from '../../workbench.ts';
import type { Facts } from './facts.ts';

/** What an arm works with on one goal. */
export interface Bench {
  readonly workbench: Workbench;
  readonly account: Account;
  readonly facts: Facts;
}

/** A named variant of the strategy: looks for a closed state of one hole. */
export interface MicroArm {
  readonly name: string;
  /** Grows whenever the arm would do something else. */
  readonly version: string;
  isFor?(workbench: Workbench): boolean;
  search(bench: Bench, root: WorkState): Promise<WorkState | undefined>;
}
