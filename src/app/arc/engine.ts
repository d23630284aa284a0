import type { ArcEvidence, ArcTrace } from '../../arc/rows.ts';
import os from 'node:os';
import { ArcDomain, type ArcWork } from '../../arc/domain.ts';
import type { Program } from '../../arc/language/program.ts';
import type { ThreadPool } from '../../arc/solve/pool.ts';
import type { Task } from '../../arc/grid/task.ts';
import type { Settings } from '../../config/schema.ts';
import { systemClock } from '../../core/clock.ts';
import { firstWeights } from '../../core/difficulty.ts';
import type { Strategy } from '../../core/strategy.ts';
import { EventBus } from '../../core/events.ts';
import { Engine } from '../../core/scheduler/engine.ts';
import { Throttle } from '../../core/throttle.ts';
import { readMachine } from '../../io/machine.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type RunChoice, startOf, keepBeating, memoryOf, newRunId } from '../run.ts';

export interface ArcChoice<Sent, Report> extends RunChoice {
  readonly workers: number;
  readonly strategy: Strategy<ArcWork<Sent, Report>, Program, ArcTrace>;
}

export type ArcEngine<Sent, Report> = Engine<Task, ArcWork<Sent, Report>, Program, ArcTrace, ArcEvidence>;

/**
 * An engine over ARC tasks. It uses nothing from earlier runs: a task's row depends only on the task and the
 * flags, so equal runs give equal bytes. All requested threads may be busy, whatever the CPU target for Lean.
 */
export async function openArcEngine<Sent, Report>(
  settings: Settings,
  threads: ThreadPool<Sent, Report>,
  ledger: Ledger,
  { workers, strategy, ...choice }: ArcChoice<Sent, Report>,
  listen: (bus: EventBus) => void,
): Promise<ArcEngine<Sent, Report>> {
  const bus = new EventBus(newRunId(), systemClock, ledger.journal);
  await keepBeating(ledger, bus);
  const memory = memoryOf(ledger, bus.run, undefined);
  const { name, slot, tier } = strategy;
  const asked = [{ name, slot, tier, unavailable: null }];
  const cores = os.availableParallelism();
  const cpu_target = Math.max(settings.cpu_target, Math.min(1, workers / cores));
  const shares = { cpu_target, workers, max_light: Math.max(workers, settings.max_light) };
  const start = startOf({
    settings,
    shares,
    choice,
    toolchain: 'arc rules',
    strategies: asked,
    learned: { arms: [], weights: firstWeights },
  });
  listen(bus);
  return new Engine({
    domain: new ArcDomain(threads),
    strategies: [strategy],
    memory: {
      ...memory,
      tried: async () => [],
      provedBefore: async () => [],
      failures: async () => 0,
    },
    bus,
    clock: systemClock,
    throttle: new Throttle(cpu_target, cores),
    readMachine,
    start,
  });
}
