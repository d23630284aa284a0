import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markBuild, openBuildFolder } from '../../../src/lean/project/build-folder.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

test('a build removes the remains of a killed build, and nothing of a running one', async () => {
  const cache = temporaryFolder();
  const now = Date.now();
  const make = (name: string, hoursAgo: number): void => {
    mkdirSync(path.join(cache, name));
    writeFileSync(path.join(cache, name, 'A.olean'), '');
    const time = new Date(now - hoursAgo * 3_600_000);
    utimesSync(path.join(cache, name), time, time);
  };
  make('build-dead', 2);
  make('build-alive', 2);
  make('image-old', 50);
  await markBuild(path.join(cache, 'build-alive'));
  const own = await openBuildFolder(cache, now);
  expect(readdirSync(cache).toSorted()).toEqual(['build-alive', 'image-old', path.basename(own)].toSorted());
});
