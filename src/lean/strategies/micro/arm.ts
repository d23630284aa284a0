import type { Bench } from '../../search/bench.ts';
import type { WorkState, Workbench } from '../../workbench.ts';

/** A named variant of the strategy: looks for a closed state of one hole. */
export interface MicroArm {
  readonly name: string;
  /** Grows whenever the arm would do something else. */
  readonly version: string;
  /** Lower ones run first. */
  readonly stage: number;
  isFor?(workbench: Workbench): boolean;
  search(bench: Bench, root: WorkState): Promise<WorkState | undefined>;
}
