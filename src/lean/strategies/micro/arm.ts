import type { Workbench } from '../../workbench/workbench.ts';
import type { HoleSearch } from '../close-holes.ts';

/** A named variant of the strategy: looks for a closed state of one hole. */
export interface MicroArm {
  readonly name: string;
  /** Grows whenever the arm would do something else. */
  readonly version: string;
  /** Lower ones run first. */
  readonly stage: number;
  isFor?(workbench: Workbench): boolean;
  readonly search: HoleSearch;
}
