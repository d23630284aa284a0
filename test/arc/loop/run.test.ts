import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBatch } from '../../../src/arc/loop/batch.ts';
import { writeOutputs } from '../../../src/arc/loop/outputs.ts';
import { runBatch, type RunSettings } from '../../../src/arc/loop/run.ts';
import { schemas } from '../../../src/arc/learning/schemas.ts';
import { gridToRows } from '../../../src/arc/grid/grid.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { inventedTask } from '../invented.ts';
import { options } from './scripted.ts';

function line({ id, train, test, answers }: Task): string {
  return JSON.stringify({
    id,
    train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
    test: test.map((input, i) => ({
      input: gridToRows(input),
      output: answers[i] && gridToRows(answers[i]),
    })),
  });
}

const few = { ...options, iters: 2, maxNodes: 1500 };
const tasks = [inventedTask('flip'), inventedTask('row-of-anchor')];

function batchIn(folder: string, ...lines: string[]): string {
  const file = join(folder, 'batch.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function settingsIn(folder: string, more: Partial<RunSettings> = {}): RunSettings {
  return {
    options: few,
    version: 'test',
    workers: 2,
    progressFile: join(folder, 'progress'),
    resume: false,
    failFast: false,
    ...more,
  };
}

async function bytesOf(file: string, folder: string, more: Partial<RunSettings>): Promise<string> {
  const result = await runBatch(loadBatch(file), settingsIn(folder, more));
  const out = (name: string): string => join(folder, name);
  writeOutputs(result, {
    rows: out('rows'),
    metrics: out('metrics'),
    traces: out('traces.jsonl'),
    criticBuffer: out('critic'),
    studentBuffer: out('student'),
    folder: out('batch'),
  });
  return ['rows', 'metrics', 'traces.jsonl', 'critic', 'student', 'batch/index.jsonl']
    .map((name) => readFileSync(out(name), 'utf8'))
    .join('\n');
}

describe('a run', () => {
  it('gives equal bytes for 1, 2 and 4 workers, and after it was cut off and resumed', async () => {
    const folder = temporaryFolder();
    const file = batchIn(folder, ...tasks.map(line), '{"id":"bad","train":3}');
    const whole = await bytesOf(file, folder, { workers: 1 });
    expect(await bytesOf(file, folder, { workers: 4 })).toBe(whole);
    const abort = new AbortController();
    const stopped = await runBatch(
      loadBatch(file),
      settingsIn(folder, {
        workers: 1,
        signal: abort.signal,
        onEnded: (_, done) => done === 2 && abort.abort(),
      }),
    );
    expect(stopped.complete).toBe(false);
    // a kill may leave half a line
    appendFileSync(join(folder, 'progress'), '{"index":1,"trace":{"sch');
    const again: string[] = [];
    const resumed = await bytesOf(file, folder, {
      workers: 2,
      resume: true,
      onEnded: ({ task_id }) => again.push(task_id),
    });
    expect(resumed).toBe(whole);
    expect(again).toHaveLength(1);
    const rows = readFileSync(join(folder, 'rows'), 'utf8').trim().split('\n');
    for (const row of rows) schemas.row.parse(JSON.parse(row));
    for (const row of readFileSync(join(folder, 'critic'), 'utf8').trim().split('\n'))
      schemas['critic-buffer'].parse(JSON.parse(row));
    for (const row of readFileSync(join(folder, 'student'), 'utf8').trim().split('\n'))
      if (row !== '') schemas['student-buffer'].parse(JSON.parse(row));
    schemas.metrics.parse(JSON.parse(readFileSync(join(folder, 'metrics'), 'utf8')));
    expect(
      rows.map((row) => (JSON.parse(row) as { failure: { kind: string } | null }).failure?.kind),
    ).toEqual([undefined, undefined, 'TASK']);
  });

  it('gives one row to a task whose worker breaks, and ends at once only when told to', async () => {
    const folder = temporaryFolder();
    const file = batchIn(
      folder,
      ...['ok', 'throws', 'exits', 'fine'].map((id) => line({ ...(tasks[0] as Task), id })),
    );
    const workerFile = new URL('../../fixtures/breaking-worker.ts', import.meta.url);
    const settings = settingsIn(folder, { workers: 1, workerFile });
    const { rows, complete } = await runBatch(loadBatch(file), settings);
    expect(complete).toBe(true);
    expect(rows.map(({ failure }) => failure?.message)).toEqual([
      'not this time: ok',
      'thrown on purpose',
      'the worker ended with exit code 7',
      'not this time: fine',
    ]);
    const fast = await runBatch(loadBatch(file), { ...settings, failFast: true });
    expect(fast.rows).toHaveLength(1);
    expect(fast.complete).toBe(false);
  });

  it('takes no progress of another run, and says so when the disk is full', async () => {
    const folder = temporaryFolder();
    const entries = loadBatch(batchIn(folder, line(tasks[0] as Task)));
    writeFileSync(join(folder, 'progress'), '{"run_key":"other"}\n');
    await expect(runBatch(entries, settingsIn(folder, { resume: true }))).rejects.toThrow(/other flags/);
    symlinkSync('/dev/full', join(folder, 'full'));
    const full = settingsIn(folder, { progressFile: join(folder, 'full') });
    await expect(runBatch(entries, full)).rejects.toMatchObject({ code: 'ARC_DISK_FULL' });
  });

  it('reads a folder, and gives a second task with the same name its own row', () => {
    const folder = temporaryFolder();
    const file = batchIn(folder, line(tasks[0] as Task), line(tasks[0] as Task), 'not json');
    expect(loadBatch(file).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'task flip',
      'fault flip#2',
      'fault task-3',
    ]);
    writeFileSync(join(folder, 'one.json'), line({ ...(tasks[1] as Task), id: 'one' }));
    expect(loadBatch(folder).map(({ id }) => id)).toEqual(['one']);
  });
});
