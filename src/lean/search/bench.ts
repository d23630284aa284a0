import type { Facts } from '../premises/facts.ts';
import type { Account } from '../workbench/account.ts';
import type { Workbench } from '../workbench.ts';

/** What a search works with on one goal. */
export interface Bench {
  readonly workbench: Workbench;
  readonly account: Account;
  readonly facts: Facts;
}
