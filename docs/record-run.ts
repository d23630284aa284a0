import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../src/core/clock.ts';
import type { TacticStep } from '../src/store/ledger/search-memory.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { searchTreesOf } from '../src/store/ledger/search-tree.ts';
import type { RecordedSearch } from '../test/web/recorded.ts';

/**
 * Records real runs on the files of docs/tour for the page's tests and pictures: `npm run docs:record [-- --ledger FILE]`. A first
 * one with little CPU per goal, and a second one that finds the proofs of the first in its cache. With `--ledger FILE`, all runs of that
 * ledger become `recorded-kinds.jsonl.gz`.
 */
const root = path.join(import.meta.dirname, '..');
const target = path.join(root, 'test', 'fixtures');
const { values } = parseArgs({ options: { ledger: { type: 'string' } } });
if (values.ledger === undefined) await recordNew();
else await recordEvents(values.ledger, 'recorded-kinds.jsonl.gz');

async function recordNew(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-record-'));
  try {
    const files = globSync('*.lean', { cwd: path.join(root, 'docs', 'tour') }).toSorted();
    for (const file of files) cpSync(path.join(root, 'docs', 'tour', file), path.join(folder, file));
    run(folder, ...files, '--label', 'first try', '--goal-cpu', '6');
    run(folder, ...files, '--label', 'with what is known', '--goal-cpu', '12');
    await record(path.join(folder, '.orch', 'ledger.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, ...args: string[]): void {
  const command = [path.join(root, 'src', 'cli.ts'), 'run', ...args, '--cpu-target', '0.9'];
  const { status } = spawnSync(process.execPath, command, {
    cwd,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0 && status !== 1) throw new Error(`orch run ended with ${status}`);
}

async function record(file: string): Promise<void> {
  await recordEvents(file, 'recorded-runs.jsonl.gz');
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  write('recorded-searches.jsonl.gz', await searchesOf(ledger));
}

async function recordEvents(file: string, name: string): Promise<void> {
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  const events = await ledger.journal.eventsSince(0, 1_000_000);
  // paths of this machine do not belong in the recording
  const folder = `${path.dirname(path.dirname(path.resolve(file)))}/`;
  write(
    name,
    events.map((event) => ({ ...event, settings: undefined, seq: undefined })),
    folder,
  );
}

async function searchesOf({ views, experience }: Ledger): Promise<RecordedSearch[]> {
  const recorded: RecordedSearch[] = [];
  const [newest] = await views.runs(1);
  for (const { goal_hash, fingerprint } of newest ? await views.goalsOf(newest.run) : []) {
    if (goal_hash === null || fingerprint === null) continue;
    const trees = await searchTreesOf(experience, { goal_hash, fingerprint });
    const steps: TacticStep[] = await experience.stepsFrom(
      trees.flatMap(({ states }) => states.map(({ state }) => state)),
    );
    const searches = await experience.searches(goal_hash, fingerprint);
    if (steps.length > 0) recorded.push({ goal_hash, fingerprint, searches, steps });
  }
  return recorded;
}

/** `folder`: what names of files begin with here; it is left out. */
function write(name: string, rows: readonly object[], folder = '\0'): void {
  const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`.replaceAll(folder, '');
  writeFileSync(path.join(target, name), gzipSync(text, { level: 9 }));
  console.log(`test/fixtures/${name}: ${rows.length} rows`);
}
