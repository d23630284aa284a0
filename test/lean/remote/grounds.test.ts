import { expect, test } from 'vitest';
import { howToGet } from '../../../src/lean/remote/grounds.ts';
import { factorGround } from '../../remote/factors.ts';

const ground = { ...factorGround, closure: 'c', imports: ['Sorting.Basic'], project: '/home/me/sorting' };

test('a worker that lacks the modules of a project learns where they are', () => {
  const origin = 'https://example.org/sorting.git';
  expect(howToGet({ ...ground, origin, revision: 'abc' })).toBe(
    'goals of the project /home/me/sorting need its modules (Sorting.Basic) in the same version: ' +
      'git clone https://example.org/sorting.git FOLDER && git -C FOLDER checkout abc, and start the worker with --project FOLDER',
  );
  expect(howToGet({ ...ground, origin, revision: null })).toContain(
    'copy that folder, which has uncommitted changes, and start the worker with --project and that copy',
  );
});
