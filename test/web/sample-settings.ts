import type { RunStarted, Slot, StrategyInfo } from '../../src/shared/events.ts';

/** How the sample runs were started: profile 2 on four cores. */
export const runStarted = (seed: number): RunStarted => ({
  command: 'bank',
  resumes: null,
  seed,
  toolchain: 'lean-4.28.0-embedded',
  version: '0.1.0',
  sources: ['bank'],
  config: {
    profile: 2,
    timeout: 900,
    goal_cpu: 60,
    cpu_target: 0.5,
    cores: 4,
    workers: 2,
    max_light: 8,
    max_heavy: 2,
    escalate_threshold: 0.6,
  },
  strategies: [strategyInfo('micro', 0), strategyInfo('search', 1), strategyInfo('reprover', 2, 'heavy')],
  learned: { arms: [], weights: {} },
});

const strategyInfo = (name: string, tier: number, slot: Slot = 'light'): StrategyInfo => ({
  name,
  slot,
  tier,
  unavailable: null,
});
