import { expect, test, vi } from 'vitest';
import { Git } from '../../src/io/git.ts';
import { temporaryFolder } from '../helpers/folders.ts';

test('without git, the error says what to install', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const answer = await new Git(temporaryFolder()).root();
  vi.unstubAllEnvs();
  expect(answer).toMatchObject({
    ok: false,
    error: {
      message: 'git is not installed, or not on PATH',
      fix: 'Install git (Debian: apt-get install git) and try again.',
    },
  });
});
