import type { AttemptLimits } from '../../../shared/events.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import type { HoleSearch } from '../close-holes.ts';

/** A named variant of the strategy: looks for a closed state of one hole. */
export interface MicroArm {
  readonly name: string;
  /** Increased whenever the arm changes. */
  readonly version: string;
  /** Lower ones run first. */
  readonly stage: number;
  /** Overrides the strategy's budget. */
  readonly budget?: AttemptLimits;
  /** It may use open theorems. */
  readonly assumes?: true;
  isFor?(workbench: Workbench): boolean;
  readonly search: HoleSearch;
}
