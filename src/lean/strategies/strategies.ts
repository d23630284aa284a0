import type { Strategy } from '../../core/strategy.ts';
import type { Slot, StrategyInfo } from '../../shared/events.ts';
import type { Workbench } from '../workbench.ts';
import type { Candidate } from '../candidate.ts';
import { microStrategy } from './micro/micro.ts';

type LeanStrategy = Strategy<Workbench, Candidate>;

/** Every strategy that settings can name: the profile that brings it, its slot, what one attempt may take, how it is made. */
interface Entry {
  readonly tier: number;
  readonly slot: Slot;
  readonly seconds: number;
  /** Undefined: not part of this version. */
  readonly make?: (cpuSeconds: number) => LeanStrategy;
}
const entries: Readonly<Record<string, Entry>> = {
  micro: { tier: 0, slot: 'light', seconds: 8, make: microStrategy },
  copilot: { tier: 1, slot: 'heavy', seconds: 20 },
  sketch: { tier: 1, slot: 'light', seconds: 6 },
  reprover: { tier: 2, slot: 'heavy', seconds: 60 },
};

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
    const entry = entries[name];
    if (!entry) throw new Error(`no strategy ${name}`);
    const { tier, slot, seconds, make } = entry;
    const strategy = make?.(seconds);
    const readiness = (await strategy?.ready()) ?? { ready: false, why: 'not part of this version' };
    asked.push({ name, slot, tier, unavailable: readiness.ready ? null : readiness.why });
    if (strategy && readiness.ready) ready.push(strategy);
  }
  return { ready, asked };
}
