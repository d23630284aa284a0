import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { comparatorVersion } from '../verify/comparator.ts';
import { attemptsIn, score } from '../verify/scoring.ts';
import type {
  CandidateRecord,
  criticBufferSchema,
  indexSchema,
  RunMetrics,
  LoopRow,
  studentBufferSchema,
  TaskTrace,
} from '../learning/schemas.ts';
import type { z } from 'zod';
import { answerEnds, type AnswerEnd } from '../learning/rulers/answers.ts';
import type { BatchEntry } from './batch.ts';
import { writeRows } from './write-rows.ts';

/** The output files of a run; only the rows are always written. */
export interface OutputFiles {
  readonly rows: string;
  readonly metrics?: string | undefined;
  readonly traces?: string | undefined;
  readonly criticBuffer?: string | undefined;
  readonly studentBuffer?: string | undefined;
  /** Folder of one trace per task and their index. */
  readonly folder?: string | undefined;
}

/** Everything a run has found, in the order of the batch. */
export interface LoopResult {
  readonly entries: readonly BatchEntry[];
  readonly rows: readonly LoopRow[];
  readonly traces: readonly TaskTrace[];
  readonly seed: number;
  readonly runKey: string;
}

export function writeOutputs(result: LoopResult, files: OutputFiles): void {
  const { rows, traces } = result;
  if (files.folder !== undefined) writeFolder(traces, files.folder);
  if (files.traces !== undefined) writeRows(files.traces, traces);
  if (files.criticBuffer !== undefined) writeRows(files.criticBuffer, traces.flatMap(criticBuffer));
  if (files.studentBuffer !== undefined) writeRows(files.studentBuffer, traces.flatMap(studentBuffer));
  if (files.metrics !== undefined) writeRows(files.metrics, [metricsOf(result)]);
  writeRows(files.rows, rows);
}

function writeFolder(traces: readonly TaskTrace[], folder: string): void {
  const below = join(folder, 'traces');
  rmSync(below, { recursive: true, force: true });
  makeFolders(below);
  for (const trace of traces) writeRows(join(below, traceFile(trace.task_id)), [trace]);
  writeRows(join(folder, 'index.jsonl'), traces.map(indexRow));
}

/** Task ids are untrusted: characters that a file name cannot contain are encoded. */
function traceFile(id: string): string {
  const safe = id.replaceAll(/[^A-Za-z0-9_-]/g, (char) => `%${char.codePointAt(0)?.toString(16) ?? ''}`);
  return `task_${safe}.json`;
}

function headOf({ comparator, seed, run_key, task_id }: TaskTrace) {
  return { comparator, seed, run_key, task_id };
}

function indexRow(trace: TaskTrace): z.infer<typeof indexSchema> {
  return {
    schema: 'arc-index-1',
    ...headOf(trace),
    iter_idx: trace.iter_idx,
    file: `traces/${traceFile(trace.task_id)}`,
    solved: trace.row.solved,
    verifier_score: trace.row.best?.verifier_score ?? 0,
    candidates: trace.iterations.reduce((sum, { candidates }) => sum + candidates.length, 0),
  };
}

function criticBuffer(trace: TaskTrace): z.infer<typeof criticBufferSchema>[] {
  return trace.iterations.flatMap(({ iter_idx, candidates }) =>
    candidates.map((one) => ({
      schema: 'arc-critic-buffer-2',
      ...headOf(trace),
      iter_idx,
      candidate_id: one.candidate_id,
      parent_id: one.parent_id,
      feature_vec: one.feature_vec,
      verifier_score: one.verifier_score,
      critic_score: one.critic_score,
      neighbours: one.neighbours,
      error_type: one.error_type,
      blame: one.blame,
    })),
  );
}

/** Every edit as a transition from a parent to a child, with its gain. */
function studentBuffer(trace: TaskTrace): z.infer<typeof studentBufferSchema>[] {
  const known = new Map<string, CandidateRecord>();
  const rows: z.infer<typeof studentBufferSchema>[] = [];
  for (const { iter_idx, candidates } of trace.iterations) {
    for (const one of candidates) {
      const parent = one.parent_id === null ? undefined : known.get(one.parent_id);
      if (parent?.program && one.program !== null && one.directive !== null)
        rows.push({
          schema: 'arc-student-buffer-2',
          ...headOf(trace),
          iter_idx,
          fact_features: trace.fact_features,
          parent_id: parent.candidate_id,
          parent: parent.program,
          parent_vec: parent.feature_vec,
          error_type: parent.error_type,
          directive: one.directive,
          differences: one.differences,
          candidate_id: one.candidate_id,
          program: one.program,
          feature_vec: one.feature_vec,
          delta: Math.round((one.verifier_score - parent.verifier_score) * 1e6) / 1e6,
        });
    }
    for (const one of candidates) known.set(one.candidate_id, one);
  }
  return rows;
}

/** Figures of a run, without times: equal runs have equal figures. */
export function metricsOf({ entries, rows, traces, seed, runKey }: LoopResult): RunMetrics {
  const sum = (of: (row: LoopRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const scored = score(
    entries.flatMap((entry, i) => {
      const row = rows[i];
      if (entry.kind === 'fault' || row === undefined) return [];
      return [{ task: entry.task, attempts: attemptsIn(row.attempts), confident: row.confident }];
    }),
  );
  const deepest = Math.max(0, ...traces.map(({ iterations }) => iterations.length));
  return {
    schema: 'arc-metrics-2',
    comparator: comparatorVersion,
    seed,
    run_key: runKey,
    tasks: rows.length,
    failed: sum((row) => Number(row.failure !== null)),
    solved_on_train: sum((row) => Number(row.solved)),
    confident: sum((row) => Number(row.confident)),
    nodes: sum((row) => row.nodes),
    nodes_to_best: sum((row) => row.nodes_to_best),
    iterations: Array.from({ length: deepest }, (_, iter) => iterationOf(traces, iter)),
    scored: {
      tasks: scored.tasks,
      solved_pass_1: scored.tasks_solved.pass_1,
      solved_pass_2: scored.tasks_solved.pass_2,
      confident_solved: scored.confident_solved,
      precision: scored.precision,
    },
    memory_left_out: sum((row) => row.memory.left_out),
    answers: answerFigures(traces),
  };
}

function answerFigures(traces: readonly TaskTrace[]): RunMetrics['answers'] {
  const all = traces.flatMap(({ iterations }) => iterations.flatMap(({ answers }) => answers));
  const sum = (of: (one: (typeof all)[number]) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const count = (end: AnswerEnd): number => sum((one) => Number(one.end === end));
  return {
    calls: all.length,
    ends: Object.fromEntries(answerEnds.flatMap((end) => (count(end) > 0 ? [[end, count(end)]] : []))),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
    microdollars: sum(({ microdollars }) => microdollars),
  };
}

/** Number of tasks that reached this iteration, number of solved ones, and the mean of the best scores. */
function iterationOf(traces: readonly TaskTrace[], iter: number): RunMetrics['iterations'][number] {
  const reached = traces.filter(({ iterations }) => iterations.length > iter);
  const best = traces.map(({ row }) => row.scores[Math.min(iter, row.scores.length - 1)] ?? 0);
  const mean = best.reduce((sum, value) => sum + value, 0) / Math.max(1, best.length);
  const solved = traces.filter(({ row }) => row.solved && row.scores.length <= iter + 1).length;
  return { iter_idx: iter, tasks: reached.length, solved, mean_score: Math.round(mean * 1e6) / 1e6 };
}
