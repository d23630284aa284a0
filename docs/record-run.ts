import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../src/core/clock.ts';
import { openLedger } from '../src/store/ledger/open.ts';

/**
 * Records real runs on the files of docs/tour for the page's tests and pictures: `npm run docs:record`. A first one with little
 * CPU a goal, and a second one that finds the proofs of the first in its cache.
 */
const root = path.join(import.meta.dirname, '..');
const target = path.join(root, 'test', 'fixtures', 'recorded-runs.jsonl.gz');
const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-record-'));
try {
  const files = globSync('*.lean', { cwd: path.join(root, 'docs', 'tour') }).toSorted();
  for (const file of files) cpSync(path.join(root, 'docs', 'tour', file), path.join(folder, file));
  run(...files, '--label', 'first try', '--goal-cpu', '6');
  run(...files, '--label', 'with what is known', '--goal-cpu', '12');
  await using ledger = await openLedger(path.join(folder, '.orch', 'ledger.db'), {
    clock: systemClock,
    readOnly: true,
  });
  const events = await ledger.journal.eventsSince(0, 1_000_000);
  // where this machine keeps things is nobody's concern
  const lines = events.map((event) => JSON.stringify({ ...event, settings: undefined, seq: undefined }));
  writeFileSync(target, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  console.log(`${path.relative(root, target)}: ${events.length} events`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(...args: string[]): void {
  const command = [path.join(root, 'src', 'cli.ts'), 'run', ...args, '--cpu-target', '0.9'];
  const { status } = spawnSync(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0 && status !== 1) throw new Error(`orch run ended with ${status}`);
}
