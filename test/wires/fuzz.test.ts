import path from 'node:path';
import { test } from 'vitest';
import { open } from '../../src/app/orch.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { fuzzMcp } from './fuzz.ts';

test('300 malformed messages to the MCP server: none hangs, and Lean is not asked', async () => {
  const folder = temporaryFolder();
  await using orch = await open({ settings: { lean: 'embedded', ledger: path.join(folder, 'ledger.db') } });
  await fuzzMcp(orch, folder, 300);
});
