import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { recipes, root } from './recipes.ts';

test('all recipes together pass the checks and their tests in a copy', () => {
  const copy = path.join(temporaryFolder(), 'copy');
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 });
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(root, file), path.join(copy, file));
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'dir');

  // the inner test run is separate
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd: copy, env, stdio: ['ignore', 'inherit', 'inherit'] });
  };
  run('git', 'init', '--quiet');
  for (const { file } of recipes) run('git', 'apply', file);
  run('git', 'add', '--all');
  run('npm', 'run', 'docs:generated');
  run('npm', 'run', 'typecheck');
  run('npm', 'run', 'lint');
  run('npm', 'run', 'format:check');
  const tests = recipes.flatMap(({ touched }) => touched.filter((file) => file.endsWith('.test.ts')));
  expect(tests).toHaveLength(recipes.length);
  run('npx', 'vitest', 'run', ...tests, 'test/docs/documents.test.ts', 'test/config/documents.test.ts');
});
