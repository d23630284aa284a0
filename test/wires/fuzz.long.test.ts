import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { open, type Orch } from '../../src/app/orch.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { embeddedLean } from '../helpers/toolchain.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import {
  fuzzComparator,
  fuzzDashboard,
  fuzzKernel,
  fuzzLeanDojo,
  fuzzMcp,
  fuzzMcpHttp,
  fuzzRepl,
  fuzzServe,
  fuzzWorker,
} from './fuzz.ts';

const count = 5000;

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
  test('MCP over HTTP', async () => await fuzzMcpHttp(orch, folder, count));
  test('the dashboard', async () => await fuzzDashboard(count));
  test('exports for the second kernel', () => fuzzKernel(count));
  test('comparator', () => fuzzComparator(folder, count));
  test('the worker', async () => await fuzzWorker(await embeddedLean(), count));
  test('Kimina and Lean Copilot', async () => await fuzzServe(orch, count));
});
