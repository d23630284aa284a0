import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { open, type Orch } from '../../src/app/orch.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { fuzzServe, fuzzLeanDojo, fuzzMcp, fuzzRepl } from './fuzz.ts';

const count = 2000;

describe(`${count} malformed messages are answered or refused, and none hangs`, () => {
  const folder = sharedFolder();
  let orch: Orch;
  let unshare: () => void;
  beforeAll(async () => {
    unshare = shareOwnProcesses();
    orch = await open({
      settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') },
    });
  });
  afterAll(async () => {
    await orch.close();
    unshare();
  });

  test('REPL', async () => await fuzzRepl(orch, count));
  test('LeanDojo', async () => await fuzzLeanDojo(orch, count));
  test('MCP', async () => await fuzzMcp(orch, folder, count));
  test('Kimina and Lean Copilot', async () => await fuzzServe(orch, count));
});
