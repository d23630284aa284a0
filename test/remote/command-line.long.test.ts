import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openLedger } from '../../src/store/open.ts';
import { folderWith, full, rows } from '../e2e/goal-files.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { PostgresServer } from '../helpers/postgres.ts';
import { eventually } from '../helpers/processes.ts';
import { SeededRandom } from '../helpers/random.ts';
import { shareWorkers } from '../helpers/shared-workers.ts';
import { oldPostgres, oldSqlite } from '../store/old-ledgers.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const bank = fileURLToPath(new URL('../../data/bank.jsonl', import.meta.url));
const goals = 24;

/** A server of one test, which it may kill. */
async function ownServer(): Promise<PostgresServer> {
  const server = new PostgresServer(['max_connections=100']);
  const unshare = shareWorkers(() => server.pids);
  onTestFinished(async () => {
    await server.remove();
    unshare();
  });
  await server.start();
  return server;
}

/** `orch ARGS` as a process that may be killed. */
function start(cwd: string, ...args: readonly string[]): ChildProcess & { output: string } {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const started = Object.assign(child, { output: '' });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (started.output += chunk.toString()));
  return started;
}

describe('the command line, with real Lean', () => {
  test('a killed run of 0.1.0 is resumed, locally and with workers', async () => {
    const cwd = folderWith({});
    // what was open when the run was killed; a worker with a larger limit may prove the last one
    const sum: unknown = expect.any(Boolean);
    const ends = { power: true, reverse: true, square: true, sum };
    const file = oldSqlite('0.1.0', cwd);
    const here = await orch(['resume', '--ledger', file, '--reporter', 'json', ...full], { cwd });
    expect(here.stderr).toContain('resuming 20261118-070801-3302');
    expect(endsIn(here.stdout)).toEqual(ends);
    const replayed = await orch(['replay', '20261118-070455-7c83-1', '--ledger', file], { cwd });
    expect(replayed).toMatchObject({ code: 0 });

    const url = await (await ownServer()).database();
    await oldPostgres('0.1.0', url);
    const worker = start(cwd, 'worker', '--ledger', url, '--name', 'new', '--num-procs', '1', ...full);
    const remote = await orch(['resume', '--ledger', url, '--reporter', 'json', ...full], { cwd });
    expect(remote.stderr).toContain('resuming 20261118-070914-e799');
    expect(endsIn(remote.stdout)).toEqual(ends);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    await using ledger = await openLedger(url, { clock: systemClock });
    expect(await ledger.verify()).toEqual([]);
    // what the old worker had answered was judged, not asked again
    const proofs = (await ledger.journal.eventsSince(0, 100_000)).flatMap((event) =>
      event.type === 'candidate-judged' && event.goal === 'square' ? [event.arm] : [],
    );
    expect(proofs).toContain('remote/steady');
  });

  test('a command that starts while the server restarts waits for it', async () => {
    const server = await ownServer();
    const url = await server.database();
    const cwd = folderWith({ 'goals.jsonl': rows({ statement: 'theorem t (n : Nat) : n + 0 = n' }) });
    await server.stop('SIGKILL');
    const run = start(cwd, 'run', 'goals.jsonl', '--ledger', url, '--num-procs', '1', ...full);
    const ended = once(run, 'exit');
    await eventually(() => run.output.includes('waiting up to 30 s'));
    await server.start();
    expect(await ended).toEqual([0, null]);
  });

  test('after kills, stops and resumes every goal is closed once', async () => {
    const server = await ownServer();
    const url = await server.database();
    const random = new SeededRandom(1);
    const all = readFileSync(bank, 'utf8').split('\n').slice(0, goals).join('\n');
    const cwd = folderWith({ 'goals.jsonl': `${all}\n` });
    const work = (name: string): ChildProcess =>
      start(cwd, 'worker', '--ledger', url, '--name', name, '--num-procs', '1', '--cpu-target', '1');
    const remote = ['--ledger', url, '--reporter', 'json', ...full];
    let run = start(cwd, 'run', 'goals.jsonl', '--workers', 'remote', ...remote);
    await eventually(async () => await isThere(url), 600);
    let workers = [work('w0'), work('w1')];
    await using ledger = await openLedger(url, { clock: systemClock });
    const closed = async (): Promise<number> =>
      (await ledger.journal.eventsSince(0, 1_000_000)).filter(({ type }) => type === 'goal-closed').length;
    for (let blow = 0; blow < 6; blow++) {
      const before = await closed();
      await eventually(async () => run.exitCode !== null || (await closed()) > before + 1, 500);
      await sleep(random.below(2000));
      if (blow % 3 === 0) {
        await server.stop('SIGKILL');
        await sleep(random.below(3000));
        await server.start();
      } else if (blow % 3 === 1) {
        workers[0]?.kill('SIGKILL');
        workers = [...workers.slice(1), work(`w${blow + 1}`)];
      } else if (run.exitCode === null) {
        run.kill('SIGKILL');
        await once(run, 'exit');
        run = start(cwd, 'resume', ...remote);
      }
    }
    if (run.exitCode === null) await once(run, 'exit');
    for (const worker of workers) {
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    }
    const events = await ledger.journal.eventsSince(0, 1_000_000);
    const runs = new Set(
      events.flatMap((event) => (event.type === 'run-started' && event.command === 'run' ? [event.run] : [])),
    );
    const ends = events.flatMap((event) =>
      event.type === 'goal-closed' && runs.has(event.run) ? [event.goal] : [],
    );
    expect(ends.toSorted()).toEqual([...new Set(ends)].toSorted());
    expect(ends).toHaveLength(goals);
    expect(await ledger.verify()).toEqual([]);
  });
});

async function isThere(url: string): Promise<boolean> {
  return await openLedger(url, { clock: systemClock, readOnly: true }).then(
    async (ledger) => {
      const runs = await ledger.views.runs(1);
      await ledger.close();
      return runs.length > 0;
    },
    () => false,
  );
}

function endsIn(stdout: string): Record<string, boolean> {
  const lines = jsonLines(stdout) as { type: string; id: string; solved: boolean }[];
  const closed = lines.filter(({ type }) => type === 'goal');
  return Object.fromEntries(closed.map(({ id, solved }) => [id, solved]));
}
