import type { LeanStrategy } from './strategy.ts';
import type { AttemptLimits, Slot, StrategyInfo } from '../../shared/events.ts';
import { copilotStrategy } from './copilot/copilot.ts';
import { microStrategy } from './micro/micro.ts';
import type { SharedParts, StrategyParts } from './parts.ts';
import { reproverStrategy } from './reprover/reprover.ts';
import { sketchStrategy } from './sketch/sketch.ts';

/** A strategy that settings can name: its profile, its slot, the limits of one attempt, and how to create it. */
interface Entry {
  readonly tier: number;
  readonly slot: Slot;
  readonly limits: AttemptLimits;
  readonly make: (parts: StrategyParts) => LeanStrategy;
}
const entries: Readonly<Record<string, Entry>> = {
  micro: { tier: 0, slot: 'light', limits: { cpu_seconds: 8, heartbeats: 20_000 }, make: microStrategy },
  copilot: { tier: 1, slot: 'heavy', limits: { cpu_seconds: 20, heartbeats: 20_000 }, make: copilotStrategy },
  sketch: { tier: 1, slot: 'light', limits: { cpu_seconds: 12, heartbeats: 20_000 }, make: sketchStrategy },
  reprover: {
    tier: 2,
    slot: 'heavy',
    limits: { cpu_seconds: 60, heartbeats: 40_000 },
    make: reproverStrategy,
  },
};

export interface StrategyChoice {
  readonly ready: readonly LeanStrategy[];
  /** All requested strategies, with the reason if one cannot run. */
  readonly asked: readonly StrategyInfo[];
}

/** The requested strategies: those that can run, and why the others cannot. */
export async function chooseStrategies(
  names: readonly string[],
  shared: SharedParts,
): Promise<StrategyChoice> {
  const budgets: Readonly<Partial<Record<string, number>>> = shared.settings.budgets;
  const ready: LeanStrategy[] = [];
  const asked: StrategyInfo[] = [];
  for (const name of names) {
    const entry = entries[name];
    if (!entry) throw new Error(`no strategy ${name}`);
    const { tier, slot, limits, make } = entry;
    const strategy = withBudget(make({ ...shared, budget: limits }), budgets[name] ?? 1);
    const readiness = await strategy.ready();
    asked.push({ name, slot, tier, unavailable: readiness.ready ? null : readiness.why });
    if (readiness.ready) ready.push(strategy);
  }
  return { ready, asked };
}

function withBudget(strategy: LeanStrategy, factor: number): LeanStrategy {
  if (factor === 1) return strategy;
  const scaled = ({ cpu_seconds, heartbeats }: AttemptLimits): AttemptLimits => ({
    cpu_seconds: factor * cpu_seconds,
    heartbeats: Math.round(factor * heartbeats),
  });
  return {
    ...strategy,
    budget: scaled(strategy.budget),
    arms: (work) =>
      strategy.arms(work).map((arm) => (arm.budget ? { ...arm, budget: scaled(arm.budget) } : arm)),
  };
}
