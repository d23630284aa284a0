import type { Strategy } from '../../core/strategy.ts';
import type { StrategyInfo } from '../../shared/events.ts';
import type { Workbench } from '../workbench.ts';
import { microStrategy, type Candidate } from './micro/micro.ts';

type LeanStrategy = Strategy<Workbench, Candidate>;

/** Every strategy that is built, by name. */
const built: Readonly<Record<string, () => LeanStrategy>> = { micro: microStrategy };

export interface StrategyChoice {
  readonly ready: readonly LeanStrategy[];
  /** All that were asked for, with what keeps the others from running. */
  readonly asked: readonly StrategyInfo[];
}

/** The strategies that were asked for, those among them that can run, and why the others cannot. */
export async function chooseStrategies(names: readonly string[]): Promise<StrategyChoice> {
  const ready: LeanStrategy[] = [];
  const asked: StrategyInfo[] = [];
  for (const name of names) {
    const strategy = built[name]?.();
    if (!strategy) {
      asked.push({ name, slot: 'heavy', tier: 0, unavailable: 'not part of this version' });
      continue;
    }
    const readiness = await strategy.ready();
    const { slot, tier } = strategy;
    asked.push({ name, slot, tier, unavailable: readiness.ready ? null : readiness.why });
    if (readiness.ready) ready.push(strategy);
  }
  return { ready, asked };
}
