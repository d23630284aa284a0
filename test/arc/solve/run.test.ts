import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { solveTasks, type RunOptions } from '../../../src/arc/solve/run.ts';
import { invented } from '../invented.ts';

const folder = mkdtempSync(join(tmpdir(), 'arc-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

function options(name: string, more: Partial<RunOptions> = {}): RunOptions {
  return { mode: 'fast', maxNodes: 20_000, workers: 1, resume: false, out: folder2(name), ...more };
}

function folder2(name: string): string {
  return join(folder, name);
}

function rows(name: string): string {
  return readFileSync(join(folder2(name), 'rows.jsonl'), 'utf8');
}

describe('a run', { timeout: 120_000 }, () => {
  it('gives the same bytes with one and with two workers', async () => {
    const one = await solveTasks(invented, options('one'), () => undefined);
    await solveTasks(invented, options('two', { workers: 2 }), () => undefined);
    expect(rows('two')).toBe(rows('one'));
    expect(one.complete).toBe(true);
    expect(one.metrics.finished).toBe(invented.length);
  });

  it('gives the same bytes when interrupted and resumed, and does not do the work twice', async () => {
    const abort = new AbortController();
    const first = await solveTasks(invented, options('cut', { signal: abort.signal }), (_, finished) => {
      if (finished === 2) abort.abort();
    });
    expect(first.complete).toBe(false);
    // A kill in the middle of an append leaves a torn line.
    appendFileSync(join(folder2('cut'), 'journal.jsonl'), '{"index":4,"row":{"task');
    const solved: number[] = [];
    const second = await solveTasks(invented, options('cut', { resume: true, workers: 2 }), ({ index }) =>
      solved.push(index),
    );
    expect(rows('cut')).toBe(rows('one'));
    expect(solved.length).toBe(invented.length - 2);
    expect(second.metrics.recovered).toBe(2);
  });

  it('refuses the journal of another run', async () => {
    await expect(
      solveTasks(invented, options('one', { resume: true, maxNodes: 10 }), () => undefined),
    ).rejects.toMatchObject({ code: 'ARC_OTHER_RUN' });
  });

  it('writes a submission with every task', async () => {
    const path = join(folder, 'submission.json');
    await solveTasks(invented, options('sub', { submission: path, maxNodes: 1000 }), () => undefined);
    const written = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown[]>;
    expect(Object.keys(written)).toEqual(invented.map(({ id }) => id));
  });
});
