import { expect, test } from 'vitest';
import { SpilledTree } from '../../../src/store/sqlite/spilled-tree.ts';

test('a text stays as long as someone holds it or builds on it', () => {
  const tree = new SpilledTree();
  const root = tree.add('root');
  const leaf = tree.add('leaf', tree.add('stem', root));
  tree.release(root);
  expect([tree.read(root), tree.read(leaf), tree.size]).toEqual(['root', 'leaf', 3]);
  tree.release(leaf);
  expect(tree.size).toBe(2); // the stem is still held
  tree.close();
});

test('texts take space on disk, not in this process', () => {
  const tree = new SpilledTree();
  const before = process.memoryUsage.rss();
  for (let number = 0, last: number | undefined; number < 1000; number++)
    last = tree.add(String(number).repeat(60_000), last);
  // of 174 MB; other tests share this process
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  expect(tree.read(1000)).toBe('999'.repeat(60_000));
  tree.close();
});
