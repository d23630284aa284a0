import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** A reference has its own environment; `environments.long.test.ts` tries every way to pass one in. */
test('the library reads a reference with the modules at its own path, or with none', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const solution = write('submission/Solution.lean', 'import Defs\ntheorem t : Hard := trivial');
  write('submission/Defs.lean', 'def Hard : Prop := True');
  const reference = write('reference/Reference.lean', 'import Defs\ntheorem t : Hard := sorry');
  write('reference/Defs.lean', 'def Hard : Prop := 1 = 2');
  await using orch = await open({ project: path.dirname(solution), settings: { lean: 'embedded' } });
  expect(await orch.checkFile({ file: solution, against: { file: reference } })).toMatchObject([
    { verdict: 'rejected', kind: 'statement-changed', name: 't' },
  ]);
  expect(
    await orch.checkFile({ file: solution, against: 'import Defs\ntheorem t : Hard := sorry' }),
  ).toMatchObject([{ verdict: 'unknown', kind: 'missing-import' }]);
  expect(await orch.checkFile({ file: solution, against: 'theorem t : True := sorry' })).toMatchObject([
    { verdict: 'accepted', environments: { reference: { project: null } } },
  ]);
});
