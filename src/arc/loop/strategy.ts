import type { Strategy } from '../../core/strategy.ts';
import type { ArcWork } from '../domain.ts';
import { oneArmStrategy, outcome, searchBroke, spent } from '../one-arm.ts';
import type { ArcTrace } from '../rows.ts';
import type { Task } from '../grid/task.ts';
import type { Program } from '../language/program.ts';
import type { LoopRow, TaskTrace } from '../learning/schemas.ts';
import type { LoopModels } from './parts.ts';
import type { LoopOrder, LoopReport, ModelQuestion } from './worker.ts';

/** The result of a finished task: its trace, or the row of a failed one. The ledger stores it with the attempt. */
export type Ended = { readonly trace: TaskTrace } | { readonly row: LoopRow };

export type LoopWork = ArcWork<LoopOrder, LoopReport>;

interface LoopChoice {
  /** Identifies the run's tasks and flags: the same task with other flags is another attempt. */
  readonly runKey: string;
  readonly orderFor: (task: Task) => Omit<LoopOrder, 'models'>;
  readonly modelsFor: (task: string) => LoopModels;
  readonly failedRow: (task: Task, message: string) => LoopRow;
}

/** The loop as a strategy: it takes a task through all its iterations. */
export function loopStrategy({
  runKey,
  orderFor,
  modelsFor,
  failedRow,
}: LoopChoice): Strategy<LoopWork, Program, ArcTrace> {
  const brokenRow = (task: Task, message: string): Ended => ({ row: failedRow(task, message) });
  return oneArmStrategy<LoopOrder, LoopReport>({
    name: 'loop',
    arm: { name: 'loop/run', signature: `loop ${runKey}` },
    begin: (task) => {
      const models = modelsFor(task.id);
      return {
        order: { ...orderFor(task), models: farAway(models) },
        answer: async (question, signal) => {
          const { part, request } = question as ModelQuestion;
          return await models[part]?.model.generate(request, signal);
        },
      };
    },
    outcomeOf: (report, task) => {
      if (report.kind === 'failed')
        return searchBroke(brokenRow(task, report.message), report.message, report.cpuSeconds);
      const { trace, cpuSeconds } = report;
      const { best } = trace.row;
      const program = best?.verifier_score === 1 ? best.program : undefined;
      const its = { ...spent(cpuSeconds, { trace } satisfies Ended), ...tokensOf(trace) };
      return outcome(program, best?.verifier_score ?? 0, its);
    },
    brokenRow,
  });
}

function farAway(models: LoopModels): LoopOrder['models'] {
  return Object.fromEntries(
    Object.entries(models).map(([part, { model, price }]) => [part, { name: model.name, price }]),
  );
}

/** Undefined if no model was queried. */
function tokensOf({ iterations }: TaskTrace): { inputTokens?: number; outputTokens?: number } {
  const answers = iterations.flatMap((one) => one.answers);
  if (answers.length === 0) return {};
  return {
    inputTokens: answers.reduce((sum, one) => sum + one.input_tokens, 0),
    outputTokens: answers.reduce((sum, one) => sum + one.output_tokens, 0),
  };
}
