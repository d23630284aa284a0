import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeRoom, trimStages } from '../../src/io/stage-trim.ts';

it('removes the least recently used stages, but nothing in use and nothing that is not a stage', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orch-trim-'));
  const now = Date.now();
  const make = (name: string, hoursAgo: number, files = ['manifest.json', 'data']): void => {
    mkdirSync(path.join(root, name));
    for (const file of files) writeFileSync(path.join(root, name, file), 'x'.repeat(500));
    const time = new Date(now - hoursAgo * 3_600_000);
    utimesSync(path.join(root, name), time, time);
  };
  try {
    make('old', 30);
    make('older', 40);
    make('new', 0.1);
    make('newer', 0);
    make('stranger', 90, ['data']);
    make('oldest', 50);
    expect(await makeRoom([root], 1000, 5000, now)).toBe(true);
    expect(readdirSync(root)).not.toContain('oldest');
    expect(await trimStages([root], 3000, now)).toEqual([path.join(root, 'older')]);
    expect(await trimStages([root], 1, now)).toEqual([path.join(root, 'old')]);
    expect(await makeRoom([root], 1000, 2500, now)).toBe(false);
    expect(readdirSync(root).toSorted()).toEqual(['new', 'newer', 'stranger']);
  } finally {
    rmSync(root, { recursive: true });
  }
});
