import type { Strategy } from '../core/strategy.ts';
import type { ArcWork } from './domain.ts';
import type { Program } from './language/program.ts';
import { oneArmStrategy, outcome, spent } from './one-arm.ts';
import type { ArcTrace } from './rows.ts';
import type { TeachLimits } from './search/teacher.ts';
import type { Order, SearchReport } from './solve/worker.ts';

/** The rule search as a strategy. Its row depends only on the task and these limits. */
export function teachStrategy({ maxNodes }: TeachLimits): Strategy<ArcWork, Program, ArcTrace> {
  return oneArmStrategy<Order, SearchReport>({
    name: 'teach',
    arm: { name: 'teach/fast', signature: `fast ${maxNodes}` },
    // without answers: the search never sees a test output
    begin: (task) => ({ order: { index: 0, task: { ...task, answers: [] }, maxNodes } }),
    outcomeOf: ({ row, cpu_seconds }) => {
      const fitting = row.candidates.find(({ verifier_score }) => verifier_score === 1);
      const program = row.fits ? fitting?.program : undefined;
      return outcome(program, row.candidates[0]?.verifier_score ?? 0, spent(cpu_seconds, row));
    },
    brokenRow: () => null,
  });
}
