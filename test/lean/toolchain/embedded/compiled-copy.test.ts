import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyFile, packCopy, readCopy } from '../../../../src/lean/toolchain/embedded/compiled-copy.ts';
import { workerCompiler } from '../../../../src/lean/toolchain/embedded/worker-stage.ts';
import { moduleHashes, workerModules } from '../../../../src/lean/toolchain/worker-source.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';

const modules = [
  { name: 'A', hash: '1', bytes: Buffer.from('compiled a\n') },
  { name: 'A.B', hash: '2', bytes: Buffer.from([0, 10, 255]) },
];

test('the copy matches the current sources (otherwise run npm run lean:compile)', () => {
  const hashes = moduleHashes(workerModules(), workerCompiler());
  expect(Object.fromEntries(readCopy().map(({ name, hash }) => [name, hash]))).toEqual(
    Object.fromEntries(hashes),
  );
});

test('a packed copy is read back', () => {
  const file = path.join(temporaryFolder(), 'copy.br');
  writeFileSync(file, packCopy(modules));
  expect(readCopy(file)).toEqual(modules);
});

test('a missing, empty, truncated or changed copy yields no wrong module', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'copy.br');
  expect(readCopy(file)).toEqual([]);
  const whole = readFileSync(copyFile);
  for (const damaged of [Buffer.alloc(0), whole.subarray(0, whole.length / 2), Buffer.from('no copy')]) {
    writeFileSync(file, damaged);
    expect(readCopy(file)).toEqual([]);
  }
  const [first, second] = modules;
  if (!first || !second) throw new Error('two modules');
  const packed = packCopy([first, second]);
  for (let position = 0; position < packed.length; position++) {
    const changed = Buffer.from(packed);
    changed[position] = (changed[position] ?? 0) ^ 1;
    writeFileSync(file, changed);
    for (const { name, hash, bytes } of readCopy(file)) {
      const real = modules.find((module) => module.name === name && module.hash === hash);
      if (real) expect(bytes).toEqual(real.bytes);
    }
  }
});

test('a changed module changes its hash and those of its importers, and no other', () => {
  const before = workerModules();
  const changed = 'Worker.Rows';
  const after = before.map((module) =>
    module.name === changed ? { ...module, text: `${module.text}\n` } : module,
  );
  const [first, second] = [moduleHashes(before, 'Lean'), moduleHashes(after, 'Lean')];
  const above = (name: string): boolean =>
    name === changed || (before.find((module) => module.name === name)?.imports.some(above) ?? false);
  for (const { name } of before)
    expect([name, first.get(name) !== second.get(name)]).toEqual([name, above(name)]);
  expect(moduleHashes(before, 'other Lean').get('Worker.Names')).not.toBe(first.get('Worker.Names'));
});
