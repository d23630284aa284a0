import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { recipes, root } from './recipes.ts';

const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

describe.each(recipes)('the recipe $name', ({ name, file, touched }) => {
  test('still applies', () => {
    execFileSync('git', ['apply', '--check', file], { cwd: root });
  });

  test('changes the files listed in its row, including a test', () => {
    const row = page.split('\n').find((line) => line.includes(`](docs/recipes/${name})`)) ?? '';
    expect(touched.filter((one) => !row.includes(one))).toEqual([]);
    expect(touched.some((one) => one.startsWith('test/'))).toBe(true);
  });
});

test('there are five recipes', () => {
  expect(recipes.map(({ name }) => name).toSorted()).toEqual(
    ['strategy', 'command', 'setting', 'dialect', 'operation'].map((name) => `${name}.patch`).toSorted(),
  );
});

test('decisions are numbered without gaps, and each is one page', () => {
  const folder = path.join(root, 'docs/decisions');
  const files = readdirSync(folder).toSorted();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
  const words = (name: string): number => readFileSync(path.join(folder, name), 'utf8').split(/\s+/).length;
  expect(files.filter((name) => words(name) > 500)).toEqual([]);
});
