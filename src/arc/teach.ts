import { messageOf } from '../core/errors.ts';
import type { Outcome, Spent, Strategy } from '../core/strategy.ts';
import type { ArcWork } from './domain.ts';
import type { TeachLimits } from './search/teacher.ts';
import type { Program } from './language/program.ts';
import type { ArcTrace } from './rows.ts';
import type { TaskRow } from './solve/row.ts';
import type { SearchReport } from './solve/worker.ts';

/** What a search may be thought to cost, for the scheduler's sums; nodes bound it, not time. */
const expectedSeconds = 10;

/**
 * The rule search as a strategy with one arm. Its row depends on nothing but
 * the task and these limits.
 */
export function teachStrategy({ maxNodes, recogniser }: TeachLimits): Strategy<ArcWork, Program, ArcTrace> {
  const arm = { name: 'teach/fast', signature: `fast ${maxNodes}${recogniser ? ' recogniser' : ''}` };
  return {
    name: 'teach',
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: expectedSeconds, heartbeats: 0 },
    isExhaustive: true,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => [arm],
    async attempt({ task, thread }, _arm, { signal, permit }) {
      await permit();
      // the answers stay behind: the search never sees a test output
      const order = { index: 0, task: { ...task, answers: [] }, maxNodes, recogniser };
      try {
        const report = await thread.search(order, signal);
        return report ? outcomeOf(report) : { kind: 'cancelled', message: 'cancelled', ...spent(0, null) };
      } catch (error) {
        // a search depends on nothing but its order: it would break again
        return { kind: 'failed', message: `the search broke: ${messageOf(error)}`, ...spent(0, null) };
      }
    },
  };
}

function outcomeOf({ row, cpu_seconds }: SearchReport): Outcome<Program, ArcTrace> {
  const its = spent(cpu_seconds, row);
  const fitting = row.candidates.find(({ verifier_score }) => verifier_score === 1);
  if (row.fits && fitting) return { kind: 'solved', candidate: fitting.program, ...its };
  const best = row.candidates[0]?.verifier_score ?? 0;
  return { kind: 'failed', message: `no rule fits every training pair; the best scores ${best}`, ...its };
}

function spent(cpuSeconds: number, row: TaskRow | null): Spent & ArcTrace {
  return { cpuSeconds, peakBytes: 0, cacheHits: 0, row };
}
