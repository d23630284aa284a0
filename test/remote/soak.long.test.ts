import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { processTreeUsage } from '../../src/io/process-usage.ts';
import { openLedger } from '../../src/store/open.ts';
import { folderWith } from '../e2e/goal-files.ts';
import { PostgresServer } from '../helpers/postgres.ts';
import { descendantsOf } from '../helpers/processes.ts';
import { SeededRandom } from '../helpers/random.ts';
import { shareWorkers } from '../helpers/shared-workers.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const bank = fileURLToPath(new URL('../../data/bank.jsonl', import.meta.url));
/** SOAK_MINUTES makes it shorter, to try it out. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 120);
const sampleMs = 5000;
/** The server is killed and started again this often. */
const restartMs = Math.min(300_000, (minutes * 60_000) / 3);

describe('a soak', () => {
  test(`${minutes} minutes of bg with edits, two workers, runs and server restarts: flat memory, no orphans, a sound ledger`, async () => {
    const server = new PostgresServer(['max_connections=100']);
    const unshare = shareWorkers(() => server.pids);
    onTestFinished(async () => {
      await server.remove();
      unshare();
    });
    await server.start();
    const url = await server.database();
    await (await openLedger(url, { clock: systemClock })).close();
    const all = readFileSync(bank, 'utf8').trim().split('\n');
    const random = new SeededRandom(1);
    const cwd = folderWith({ 'goals.jsonl': '', 'Main.lean': fileOf(0) });
    const common = ['--ledger', url, '--num-procs', '1', '--cpu-target', '1', '--goal-cpu', '5'];
    const start = (...args: readonly string[]): ChildProcess & { said: string } => {
      const env = { ...process.env, ORCH_LEAN: 'embedded' };
      const stdio = ['ignore', 'ignore', 'pipe'] as const;
      const child = spawn(process.execPath, [cli, ...args, ...common], { cwd, env, stdio: [...stdio] });
      const heard = Object.assign(child, { said: '' });
      child.stderr?.on(
        'data',
        (chunk: Buffer) => (heard.said = (heard.said + chunk.toString()).slice(-2000)),
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      return heard;
    };
    const staying = {
      bg: start('bg', 'Main.lean'),
      one: start('worker', '--name', 'one'),
      two: start('worker', '--name', 'two'),
    };
    const memory = new Map<string, number[]>(Object.keys(staying).map((name) => [name, []]));
    const until = Date.now() + minutes * 60_000;
    let restartAt = Date.now() + restartMs;
    let run: ChildProcess | undefined;
    for (let edits = 1; Date.now() < until; edits++) {
      writeFileSync(path.join(cwd, 'Main.lean'), fileOf(edits));
      if (run === undefined || run.exitCode !== null) {
        const from = random.below(all.length - 4);
        writeFileSync(path.join(cwd, 'goals.jsonl'), `${all.slice(from, from + 4).join('\n')}\n`);
        run = start('run', 'goals.jsonl', '--workers', 'remote', '--timeout', '600');
      }
      if (Date.now() > restartAt) {
        restartAt = Date.now() + restartMs;
        await server.stop('SIGKILL');
        await sleep(random.below(5000));
        await server.start();
      }
      await sleep(sampleMs);
      for (const [name, { pid = 0, exitCode, said }] of Object.entries(staying)) {
        expect({ name, exitCode, said }).toEqual({ name, exitCode: null, said });
        memory.get(name)?.push(processTreeUsage(pid)?.residentBytes ?? 0);
      }
      if (edits % 60 === 0) process.stderr.write(`minute ${edits / 12}: ${lastMegabytes(memory)}\n`);
    }
    const children = [...Object.values(staying), ...(run ? [run] : [])].filter(
      ({ exitCode }) => exitCode === null,
    );
    const below = children.flatMap(({ pid = 0 }) => descendantsOf(pid).map((each) => each.pid));
    const ended = children.map(async (child) => await once(child, 'exit'));
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ended);
    const left = new Set(descendantsOf(1).map(({ pid }) => pid));
    expect(below.filter((pid) => left.has(pid))).toEqual([]);
    // a worker is replaced when it has grown, so its peaks repeat; what must not happen is that they rise
    for (const [name, samples] of memory) {
      const half = Math.floor(samples.length / 2);
      const [early, late] = [highest(samples.slice(0, half)), highest(samples.slice(half))];
      process.stderr.write(`${name}: ${(early / 1e6).toFixed(0)} MB, then ${(late / 1e6).toFixed(0)} MB\n`);
      expect({ name, early, late, isFlat: late < 1.3 * early }).toMatchObject({ isFlat: true });
    }
    await using ledger = await openLedger(url, { clock: systemClock });
    const runs = await ledger.views.runs(10_000);
    process.stderr.write(`${runs.length} runs, ${await ledger.journal.lastSeq()} events\n`);
    expect(await ledger.verify()).toEqual([]);
    expect((await ledger.views.totals()).goals_solved).toBeGreaterThan(0);
  });
});

/** A file that changes with every edit: some goals go, others come. */
function fileOf(edit: number): string {
  const goals = [edit, edit + 1, edit + 2].map(
    (n) => `theorem soak_${n} (a b : Nat) : a + b + ${n} = b + a + ${n} := by\n  sorry\n`,
  );
  return goals.join('\n');
}

function lastMegabytes(memory: ReadonlyMap<string, readonly number[]>): string {
  const parts = [...memory].map(([name, samples]) => `${name} ${((samples.at(-1) ?? 0) / 1e6).toFixed(0)}`);
  return `${parts.join(', ')} MB`;
}

function highest(samples: readonly number[]): number {
  return Math.max(0, ...samples);
}
