import { messageOf } from '../../core/errors.ts';
import type { Outcome, Spent, Strategy } from '../../core/strategy.ts';
import type { ArcWork } from '../domain.ts';
import type { ArcTrace } from '../rows.ts';
import type { Task } from '../grid/task.ts';
import type { Program } from '../language/program.ts';
import type { LoopRow, TaskTrace } from '../learning/schemas.ts';
import type { LoopModels } from './parts.ts';
import type { LoopOrder, LoopReport, ModelQuestion } from './worker.ts';

/** What is known about a task that has ended: its trace, or the row of one that failed. The ledger keeps it with the attempt. */
export type Ended = { readonly trace: TaskTrace } | { readonly row: LoopRow };

export type LoopWork = ArcWork<LoopOrder, LoopReport>;

interface LoopChoice {
  /** Names the run's tasks and flags: the same task under other flags is another attempt. */
  readonly runKey: string;
  readonly orderFor: (task: Task) => Omit<LoopOrder, 'models'>;
  readonly modelsFor: (task: string) => LoopModels;
  readonly failedRow: (task: Task, message: string) => LoopRow;
}

/** What a task may be thought to cost, for the scheduler's sums; nodes bound it, not time. */
const expectedSeconds = 10;

/** The loop as a strategy with one arm: it takes a task through all its iterations. */
export function loopStrategy(choice: LoopChoice): Strategy<LoopWork, Program, ArcTrace> {
  const arm = { name: 'loop/run', signature: `loop ${choice.runKey}` };
  return {
    name: 'loop',
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: expectedSeconds, heartbeats: 0 },
    isExhaustive: true,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => [arm],
    async attempt({ task, thread }, _arm, { signal, permit }) {
      await permit();
      const models = choice.modelsFor(task.id);
      const order = { ...choice.orderFor(task), models: farAway(models) };
      try {
        const report = await thread.search(order, signal, async (question, ends) => {
          const { part, request } = question as ModelQuestion;
          return await models[part]?.model.generate(request, ends);
        });
        if (!report) return { kind: 'cancelled', message: 'cancelled', ...spent(0, null) };
        if (report.kind === 'trace') return outcomeOf(report);
        return broken(choice.failedRow(task, report.message), report.cpuSeconds);
      } catch (error) {
        return broken(choice.failedRow(task, messageOf(error)), 0);
      }
    },
  };
}

/** The loop depends on nothing but its order: it would break again, so the task has failed. */
function broken(row: LoopRow, cpuSeconds: number): Outcome<Program, ArcTrace> {
  return {
    kind: 'failed',
    message: `the search broke: ${row.failure?.message ?? ''}`,
    ...spent(cpuSeconds, { row }),
  };
}

function farAway(models: LoopModels): LoopOrder['models'] {
  return Object.fromEntries(
    Object.entries(models).map(([part, { model, price }]) => [part, { name: model.name, price }]),
  );
}

function outcomeOf({
  trace,
  cpuSeconds,
}: Extract<LoopReport, { kind: 'trace' }>): Outcome<Program, ArcTrace> {
  const answers = trace.iterations.flatMap((one) => one.answers);
  const its = {
    ...spent(cpuSeconds, { trace }),
    ...(answers.length > 0 && {
      inputTokens: answers.reduce((sum, one) => sum + one.input_tokens, 0),
      outputTokens: answers.reduce((sum, one) => sum + one.output_tokens, 0),
    }),
  };
  const { best } = trace.row;
  if (best?.verifier_score === 1) return { kind: 'solved', candidate: best.program, ...its };
  const score = best?.verifier_score ?? 0;
  return { kind: 'failed', message: `no rule fits every training pair; the best scores ${score}`, ...its };
}

function spent(cpuSeconds: number, row: Ended | null): Spent & ArcTrace {
  return { cpuSeconds, peakBytes: 0, cacheHits: 0, row };
}
