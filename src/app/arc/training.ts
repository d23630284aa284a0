import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolders } from '../../core/folders.ts';
import { readCheckpoint } from '../../arc/learning/checkpoints.ts';
import { rankingPairs } from '../../arc/learning/datasets/build.ts';
import { readTraces } from '../../arc/learning/datasets/read.ts';
import { describe } from '../../arc/grid/facts/describe.ts';
import { factFeatures } from '../../arc/grid/facts/features.ts';
import { gridToRows } from '../../arc/grid/grid.ts';
import { writeRows } from '../../arc/loop/write-rows.ts';
import type { TaskTrace } from '../../arc/learning/schemas.ts';
import {
  operationPrior,
  studentSchema,
  trainStudent,
  type StudentLesson,
} from '../../arc/learning/student/student.ts';
import {
  describerSchema,
  evaluateDescriber,
  trainDescriber,
} from '../../arc/learning/student/train-describer.ts';
import { makeTasks, type MadeTask } from '../../arc/learning/synth/synth.ts';
import { parseTask } from '../../arc/grid/tasks.ts';
import { UserError } from '../../core/errors.ts';

const synthKinds = ['describer', 'ruler', 'pipeline'] as const;

/** Tasks with a known rule, split by family; the manifest names counts and the hash of each file. */
export function synth(
  what: string,
  { out, count, seed }: { out: string; count: number; seed: number },
): void {
  const kind = synthKinds.find((one) => one === what);
  if (kind === undefined)
    throw new UserError('ARC_SYNTH_KIND', `there is no ${what} to make`, `Known: ${synthKinds.join(', ')}.`);
  makeFolders(out);
  const made = [...makeTasks(count, seed)];
  const files = (['train', 'validation'] as const).map((split) => {
    const name = `${split}.jsonl`;
    const own = made.filter((one) => one.split === split);
    writeRows(
      join(out, name),
      own.map((one) => madeRow(kind, one)),
    );
    const sha256 = createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex');
    return { name, rows: own.length, families: [...new Set(own.map(({ family }) => family))].sort(), sha256 };
  });
  writeRows(join(out, 'manifest.json'), [{ kind, count, seed, files }]);
  print({ kind, made: made.length, files });
}

function madeRow(kind: (typeof synthKinds)[number], { task, program, family }: MadeTask): unknown {
  const { id, train, test, answers } = task;
  const row = {
    id,
    train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
    test: test.map((input, i) => ({
      input: gridToRows(input),
      output: answers[i] ? gridToRows(answers[i]) : null,
    })),
  };
  if (kind === 'pipeline') return row;
  const facts = describe(task);
  return kind === 'describer' ? { ...row, facts } : { ...row, family, facts, program };
}

/** Supervised examples are solved tasks; preferences are pairs of candidates of one task and iteration. */
export function exportExamples({
  format,
  outDir,
  out,
}: {
  format: 'sft' | 'dpo';
  outDir: string;
  out: string;
}): void {
  const traces = readTraces(outDir, false);
  const rows = format === 'sft' ? traces.flatMap(supervised) : traces.flatMap(preferences);
  writeRows(out, rows);
  print({ format, rows: rows.length });
}

function promptOf({ task_id, fact_features }: TaskTrace): string {
  return `Task ${task_id}. Facts: ${fact_features.join('; ')}. Write a program in the rule language.`;
}

function supervised(trace: TaskTrace): unknown[] {
  const { row } = trace;
  return row.solved && row.best !== null
    ? [{ task_id: row.task_id, prompt: promptOf(trace), completion: JSON.stringify(row.best.program) }]
    : [];
}

function preferences(trace: TaskTrace): unknown[] {
  const programs = new Map(
    trace.iterations.flatMap(({ candidates }) => candidates.map((one) => [one.candidate_id, one.program])),
  );
  const textOf = (id: string): string => JSON.stringify(programs.get(id));
  return rankingPairs(trace).map(({ task_id, iter_idx, a_id, b_id, label }) => ({
    task_id,
    iter_idx,
    prompt: promptOf(trace),
    chosen: textOf(label === 'a' ? a_id : b_id),
    rejected: textOf(label === 'a' ? b_id : a_id),
  }));
}

/** Trained critics gained nothing on unseen tasks, so only the built-in critic exists. */
export function noTrainedCritic(): never {
  throw new UserError(
    'ARC_NO_TRAINED_CRITIC',
    'orch no longer trains critics: a trained critic ranked unseen candidates no better than the built-in one',
    '--critic-checkpoint takes builtin. To make ranking pairs for your own critic, type orch arc run --critic-build-ranking-ds --out-dir FOLDER.',
  );
}

function lessonsIn(folder: string): StudentLesson[] {
  return readTraces(folder, false).flatMap(({ row, fact_features }) =>
    row.solved && row.best !== null ? [{ fact_features, program: row.best.program }] : [],
  );
}

export function rulerTrain({ outDir, out }: { outDir: string; out: string }): void {
  const checkpoint = trainStudent(lessonsIn(outDir));
  writeRows(out, [checkpoint]);
  print(checkpoint.card);
}

export function rulerEval({ outDir, checkpoint }: { outDir: string; checkpoint: string }): void {
  const student = readCheckpoint(checkpoint, studentSchema, 'ruler');
  const places = lessonsIn(outDir).flatMap(({ fact_features, program }) => {
    const order = operationPrior(student, fact_features).map(({ op }) => op);
    return program.map(({ op }) => order.indexOf(op) + 1);
  });
  const within = (most: number): number =>
    places.filter((place) => place <= most).length / Math.max(1, places.length);
  print({ operations: places.length, within_5: within(5), within_10: within(10), within_20: within(20) });
}

export async function rulerInfer({ checkpoint }: { checkpoint: string }): Promise<void> {
  const student = readCheckpoint(checkpoint, studentSchema, 'ruler');
  const task = parseTask(JSON.parse(await text(process.stdin)), 'task', 'stdin');
  print(operationPrior(student, factFeatures(describe(task))).slice(0, 20));
}

export function describerTrain({ outDir, out }: { outDir: string; out: string }): void {
  const checkpoint = trainDescriber(lessonsIn(outDir));
  writeRows(out, [checkpoint]);
  print({ kinds: checkpoint.kinds, ...checkpoint.card });
}

export function describerEval({ outDir, checkpoint }: { outDir: string; checkpoint: string }): void {
  const trained = readCheckpoint(checkpoint, describerSchema, 'describer');
  print(evaluateDescriber(trained, lessonsIn(outDir)));
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
