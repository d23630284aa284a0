import type { Clock } from '../../../core/clock.ts';
import type { Views } from '../ledger.ts';
import { controlViews } from './controls.ts';
import { courseViews } from './course.ts';
import { goalViews } from './goals.ts';
import type { Reader } from './reader.ts';
import { runViews } from './runs.ts';
import { statisticsViews } from './statistics.ts';

/** Implements `Views`; the statements are in the neighbouring files. */
export function ledgerViews(reader: Reader, clock: Clock): Views {
  return {
    ...runViews(reader),
    ...goalViews(reader),
    ...courseViews(reader),
    ...statisticsViews(reader, clock),
    ...controlViews(reader),
  };
}
