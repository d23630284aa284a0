import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { boundaries } from './boundaries.ts';

const root = new URL('../../', import.meta.url);

test.each(boundaries)('$what: its tests exist', ({ tests }) => {
  const missing = Object.entries(tests).filter(
    ([file, name]) => !readFileSync(fileURLToPath(new URL(file, root)), 'utf8').includes(name),
  );
  expect(missing).toEqual([]);
});
