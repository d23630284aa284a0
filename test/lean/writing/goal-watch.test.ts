import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('a file that becomes a link out of the folder is reported and not read', async () => {
  const folder = temporaryFolder();
  const [low, high] = [path.join(folder, 'Low.lean'), path.join(folder, 'High.lean')];
  writeFileSync(low, 'theorem low : 1 = 1 := sorry\n');
  writeFileSync(high, 'import Low\ntheorem high : 1 = 1 := sorry\n');
  const notes: string[] = [];
  const engine = { note: (_: string, text: string) => notes.push(text) } as unknown as LeanEngine;
  const lean = { pool: { environments: { forget: () => undefined }, use } } as unknown as Lean;
  const stop = await GoalWatch.open([folder]).follow(engine, lean);
  rmSync(low);
  symlinkSync('/etc/hostname', low);
  symlinkSync('/dev/zero', path.join(folder, 'Zero.lean'));
  symlinkSync('Self.lean', path.join(folder, 'Self.lean'));
  symlinkSync('/', path.join(folder, 'root'));
  await expect
    .poll(() => notes)
    .toContainEqual(expect.stringMatching(/Low\.lean is not read: .*is a link to a file outside/));
  await expect
    .poll(() => notes)
    .toContainEqual(expect.stringMatching(/Zero\.lean is not read: .*is not a plain file/));
  await expect.poll(() => notes).toContainEqual(expect.stringMatching(/ELOOP/));
  // its importer cannot be read either, and that ends nothing
  writeFileSync(high, 'import Low\ntheorem high : 2 = 2 := sorry\n');
  await expect.poll(() => notes).toContainEqual(expect.stringMatching(/High\.lean.*Low/));
  await stop();
});
