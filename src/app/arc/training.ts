import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankingPairs } from '../../arc/learning/datasets/build.ts';
import { readTraces } from '../../arc/learning/datasets/read.ts';
import { describe } from '../../arc/grid/facts/describe.ts';
import { gridToRows } from '../../arc/grid/grid.ts';
import { writeRows } from '../../arc/loop/write-rows.ts';
import type { TaskTrace } from '../../arc/learning/schemas.ts';
import { makeTasks, type MadeTask } from '../../arc/learning/synth/synth.ts';
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
  mkdirSync(out, { recursive: true });
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

/** What was trained gained nothing on unseen tasks, so only built-in components and models exist. */
export function nothingToTrain(part: 'critic' | 'ruler' | 'describer'): never {
  throw new UserError(
    'ARC_NOTHING_TO_TRAIN',
    `orch trains no ${part}: on tasks that it had not seen, a trained one was no better than the built-in one`,
    `--${part}-checkpoint takes builtin${part === 'critic' ? '' : ' or a model'}. For your own training, orch arc run writes traces, buffers and datasets, and orch arc export examples. Memory carries rules from task to task.`,
  );
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
