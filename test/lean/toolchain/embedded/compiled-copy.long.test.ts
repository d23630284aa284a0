import { expect, test } from 'vitest';
import { readCopy } from '../../../../src/lean/toolchain/embedded/compiled-copy.ts';
import { compileWorker } from '../../../../src/lean/toolchain/embedded/embedded.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';

test('the copy equals the compiled sources byte for byte', async () => {
  const compiled = await compileWorker({ cacheFolder: temporaryFolder() });
  const copy = readCopy();
  expect(copy.map(({ name, hash }) => ({ name, hash }))).toEqual(
    compiled.map(({ name, hash }) => ({ name, hash })),
  );
  for (const [index, { name, bytes }] of compiled.entries())
    expect([name, copy[index]?.bytes.equals(bytes)]).toEqual([name, true]);
});
