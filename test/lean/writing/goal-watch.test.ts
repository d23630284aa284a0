import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Lean } from '../../../src/app/lean.ts';
import type { LeanEngine } from '../../../src/app/engine.ts';
import { GoalWatch } from '../../../src/lean/writing/goal-watch.ts';
import { UserError } from '../../../src/core/errors.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const use = async (): Promise<never> => await Promise.reject(new UserError('no-lean', 'nobody reads here'));

test('a deleted file is reported, and its importers are read again', async () => {
  const folder = temporaryFolder();
  const low = path.join(folder, 'Low.lean');
  writeFileSync(low, 'theorem low : 1 = 1 := sorry\n');
  writeFileSync(path.join(folder, 'High.lean'), 'import Low\ntheorem high : 1 = 1 := sorry\n');
  const notes: string[] = [];
  const engine = { note: (_: string, text: string) => notes.push(text) } as unknown as LeanEngine;
  let forgotten = 0;
  const lean = { pool: { environments: { forget: () => forgotten++ }, use } } as unknown as Lean;
  const watch = GoalWatch.open([folder]);
  const stop = await watch.follow(engine, lean);
  rmSync(low);
  await expect.poll(() => notes).toContain(`${low} was deleted`);
  await expect.poll(() => notes).toContain(`${path.join(folder, 'High.lean')}: nobody reads here`);
  expect(forgotten).toBe(1);
  expect(watch.files).toEqual([path.join(folder, 'High.lean')]);
  await stop();
});
