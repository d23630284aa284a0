import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadBatch } from '../../../src/arc/loop/batch.ts';
import { writeOutputs } from '../../../src/arc/loop/outputs.ts';
import { runBatch, type BatchSettings } from '../../../src/app/arc/run-batch.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { Budget } from '../../../src/models/budget.ts';
import { AnswerCache } from '../../../src/models/cache.ts';
import { careful } from '../../../src/models/careful.ts';
import { modelNamed } from '../../../src/models/choose.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { ledgerOf } from '../../../src/app/ledger.ts';
import { schemas } from '../../../src/arc/learning/schemas.ts';
import { gridToRows } from '../../../src/arc/grid/grid.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { inventedTask } from '../../arc/invented.ts';
import { options } from '../../arc/loop/scripted.ts';
import { serveReplies, type Service } from '../../models/wire.ts';

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

const breaking = new URL('../../fixtures/breaking-worker.ts', import.meta.url);
const few = { ...options, iters: 2, maxNodes: 1500 };
const tasks = [inventedTask('flip'), inventedTask('row-of-anchor')];

function batchIn(folder: string, ...lines: string[]): string {
  const file = join(folder, 'batch.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function settingsIn(folder: string, more: Partial<BatchSettings> = {}): BatchSettings {
  const flags = { ledger: join(folder, 'ledger.db') };
  return {
    settings: loadSettings({ folder, environment: {}, flags }),
    options: few,
    version: 'test',
    source: 'batch',
    workers: 2,
    resume: false,
    failFast: false,
    ...more,
  };
}

async function bytesOf(file: string, folder: string, more: Partial<BatchSettings>): Promise<string> {
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

/** A model that first proposes a wrong rule, then its repair; it answers slowly, so that calls of several tasks overlap. */
async function scriptedRuler(): Promise<Service> {
  const wrong = [{ op: 'move', args: { motion: 'rotate180' } }];
  const right = [{ op: 'move', args: { motion: 'flip-left-right' } }];
  const service = await serveReplies(({ messages }) => {
    const isEdit = JSON.stringify(messages).includes('is to blame');
    return { say: JSON.stringify({ programs: [isEdit ? right : wrong] }) };
  });
  onTestFinished(service.close);
  return service;
}

const sleep = (): Promise<void> => Promise.resolve();

/** Models of a run: one budget, and a cache in a folder. */
function modelsFrom(
  url: string,
  cache: string,
  replay = false,
): Pick<BatchSettings, 'models'> & { budget: Budget } {
  const price = { input: 1, output: 1 };
  const budget = new Budget({}, price);
  const care = { cache: new AnswerCache(cache), replay, budget, clock: systemClock, sleep };
  const model = careful(modelNamed(`openai:${url}/v1#local`, {}), care);
  return { models: () => ({ ruler: { model, price } }), budget };
}

describe('a run whose ruler is a model', () => {
  it('queries the model for several tasks at once, and replays its recorded answers byte for byte', async () => {
    const folder = temporaryFolder();
    const file = batchIn(folder, ...['a', 'b', 'c', 'd'].map((id) => line({ ...(tasks[0] as Task), id })));
    const { url, asked, close } = await scriptedRuler();
    const cache = join(folder, 'cache');
    const asking = { options: { ...few, teacher: false } };
    const live = modelsFrom(url, cache);
    const first = await bytesOf(file, folder, { ...asking, workers: 4, models: live.models });
    expect(asked.length).toBeGreaterThan(0);
    close();
    for (const workers of [1, 2]) {
      const recorded = modelsFrom(url, cache, true);
      expect(await bytesOf(file, folder, { ...asking, workers, models: recorded.models })).toBe(first);
      expect(recorded.budget.spent).toMatchObject({ microdollars: 0, recorded: 8 });
    }
    const traces = readFileSync(join(folder, 'traces.jsonl'), 'utf8').trim().split('\n');
    expect(traces).toHaveLength(4);
    expect(schemas.trace.parse(JSON.parse(traces[0] ?? ''))).toMatchObject({
      row: { solved: true },
      iterations: [
        { answers: [{ output_tokens: 20, microdollars: 120 }] },
        { candidates: [{ differences: [{ path: 'motion' }] }] },
      ],
    });
    expect(readFileSync(join(folder, 'student'), 'utf8').trim().split('\n')).toHaveLength(4);
    await using ledger = await ledgerOf(settingsIn(folder).settings, { readOnly: true });
    const [run] = await ledger.views.runs(1);
    expect(run).toMatchObject({ command: 'arc run', goals_total: 4, goals_solved: 4 });
  });
});

describe('a run', () => {
  it('writes the same bytes with 1, 2 and 4 workers, and after an interruption and resume', async () => {
    const folder = temporaryFolder();
    const twins = tasks.map((task) => ({ ...task, id: `${task.id} again` }));
    const file = batchIn(folder, ...[...tasks, ...twins].map(line), '{"id":"bad","train":3}');
    const whole = await bytesOf(file, folder, { workers: 1 });
    expect(await bytesOf(file, folder, { workers: 4 })).toBe(whole);
    const abort = new AbortController();
    const cut = temporaryFolder();
    const stopped = await runBatch(
      loadBatch(file),
      settingsIn(cut, {
        workers: 1,
        signal: abort.signal,
        onEnded: (_, done) => done === 2 && abort.abort(),
      }),
    );
    expect(stopped.complete).toBe(false);
    const again: string[] = [];
    const resumed = await bytesOf(file, cut, {
      workers: 2,
      resume: true,
      onEnded: ({ task_id }) => again.push(task_id),
    });
    expect(resumed).toBe(whole);
    // the malformed task has its row in both
    expect(again.length + stopped.rows.length).toBe(6);
    const rows = readFileSync(join(folder, 'rows'), 'utf8').trim().split('\n');
    for (const row of rows) schemas.row.parse(JSON.parse(row));
    for (const row of readFileSync(join(folder, 'critic'), 'utf8').trim().split('\n'))
      schemas['critic-buffer'].parse(JSON.parse(row));
    for (const row of readFileSync(join(folder, 'student'), 'utf8').trim().split('\n'))
      if (row !== '') schemas['student-buffer'].parse(JSON.parse(row));
    schemas.metrics.parse(JSON.parse(readFileSync(join(folder, 'metrics'), 'utf8')));
    expect(
      rows.map((row) => (JSON.parse(row) as { failure: { kind: string } | null }).failure?.kind),
    ).toEqual([undefined, undefined, undefined, undefined, 'TASK']);
  });

  it('writes one row for a task whose worker crashes, and stops early only on request', async () => {
    const folder = temporaryFolder();
    const file = batchIn(
      folder,
      ...['ok', 'throws', 'exits', 'fine'].map((id) => line({ ...(tasks[0] as Task), id })),
    );
    const settings = settingsIn(folder, { workers: 1, workerFile: breaking });
    const { rows, complete } = await runBatch(loadBatch(file), settings);
    expect(complete).toBe(true);
    expect(rows.map(({ failure }) => failure?.message)).toEqual([
      'not this time: ok',
      'thrown on purpose',
      'the worker ended with exit code 7',
      'not this time: fine',
    ]);
    const fast = await runBatch(loadBatch(file), { ...settings, failFast: true });
    // a running task is finished
    expect(fast.rows.length).toBeLessThan(4);
    expect(fast.complete).toBe(false);
  });

  it('reuses no results of a run with other flags', async () => {
    const folder = temporaryFolder();
    const entries = loadBatch(batchIn(folder, line(tasks[0] as Task)));
    const own = { workerFile: breaking };
    await runBatch(entries, settingsIn(folder, own));
    const same = await runBatch(entries, settingsIn(folder, { ...own, resume: true }));
    expect(same).toMatchObject({ recovered: 1, complete: true });
    const other = { ...few, maxNodes: 1400 };
    expect(
      await runBatch(entries, settingsIn(folder, { ...own, resume: true, options: other })),
    ).toMatchObject({
      recovered: 0,
    });
    const changed = settingsIn(folder, { ...own, resume: true, memory: 'another' });
    expect((await runBatch(entries, changed)).recovered).toBe(0);
  });

  it('reads a folder; two tasks with the same name get separate rows', () => {
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
