import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leanCacheFolder, settingsFrom } from '../../../src/app/settings.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { build } from '../../../src/lean/project/build.ts';
import { embeddedBuilder } from '../../../src/lean/project/embedded-builder.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { embeddedStatus } from '../../../src/lean/toolchain/embedded/status.ts';
import { projectWarmUp } from '../../../src/lean/toolchain/embedded/warm-up.ts';
import type { Toolchain } from '../../../src/lean/toolchain/toolchain.ts';
import { LeanWorker } from '../../../src/lean/toolchain/worker.ts';
import { TestProject } from '../../helpers/project.ts';

const cacheFolder = leanCacheFolder(settingsFrom());
const { name, text, attempts } = projectWarmUp();

let project: TestProject;
let modulesSeen = '';
beforeAll(async () => {
  project = await TestProject.open();
});
afterAll(async () => {
  await project.close();
  // a gigabyte that other runs cannot use
  for (const manifest of globSync(`${cacheFolder}/image-project-*/manifest.json`))
    if (modulesSeen !== '' && readFileSync(manifest, 'utf8').includes(modulesSeen))
      rmSync(path.dirname(manifest), { recursive: true });
});

test('the warm-up module compiles, can be imported and runs; the second worker starts from an image', async () => {
  const file = project.write(`warm/${name}.lean`, text);
  const builder = embeddedBuilder({ cacheFolder, image: 'lean' }, project.builder);
  const found = findProject(file);
  const { modules, failed, folder } = await build(() => graphOf(found, [found.moduleAt(file)]), builder);
  modulesSeen = path.basename(folder);
  expect(failed).toEqual(new Map());
  expect(modules.get(name)).toMatchObject({ cached: false, code: true, errors: [] });
  const { stages } = await embeddedStatus(cacheFolder);
  expect(stages.find((stage) => stage.name === 'code for projects')).toMatchObject({ ready: true });

  const importing = { imports: [name], options: {} };
  const toolchain = await builder.importerFor(folder, importing);
  // the second attempt is one that the module's tactic refuses
  const answers = [true, false, true];
  expect(await startAndAttempt(toolchain)).toEqual({ hasImported: false, answers });
  expect(await startAndAttempt(toolchain)).toEqual({ hasImported: true, answers });
  // the next caller finds it, unless it needs something else
  const again = await builder.importerFor(folder, importing);
  expect(await startAndAttempt(again)).toEqual({ hasImported: true, answers });
  const other = await builder.importerFor(folder, { ...importing, options: { maxRecDepth: 600 } });
  expect(await startAndAttempt(other)).toEqual({ hasImported: false, answers });
});

/** As a pool starts workers. */
async function startAndAttempt(toolchain: Toolchain): Promise<object> {
  const worker = await LeanWorker.start(toolchain, systemClock);
  try {
    await worker.ready;
    const { hasImported } = worker;
    if (!hasImported) {
      const imported = await worker.request('import', { imports: [[name]], options: {} });
      expect(imported).toMatchObject({ ok: true, session: toolchain.rootSession });
    }
    const answers: boolean[] = [];
    for (const [statement, proof] of attempts) {
      const body = { session: toolchain.rootSession, statement, proof, code: true };
      const reply = await worker.request('check', body);
      answers.push(reply.ok);
    }
    return { hasImported, answers };
  } finally {
    worker.kill();
    await worker.exited;
  }
}
