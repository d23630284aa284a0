import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

test('orch sanity: one line, successes in a ledger of its own, exit 0', async () => {
  const cwd = temporaryFolder();
  const { code, stdout } = await orch(['sanity'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^[1-9]\d* of 100 lemmas solved in 30 s \(\d+ %\), [1-9]\d* successes in the ledger\n$/,
  );
  expect(existsSync(path.join(cwd, '.orch'))).toBe(false);
});
