import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { wholeStatement, type LeanGoal } from '../../src/lean/goals/goal.ts';
import type { RemoteClaim } from '../../src/remote/claim.ts';
import { openLedger } from '../../src/store/open.ts';
import { WorkerQueue, type HeldJob } from '../../src/store/queue/worker-queue.ts';
import { folderWith, full, rows } from '../e2e/goal-files.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { sharedPostgres } from '../helpers/postgres.ts';
import { eventually } from '../helpers/processes.ts';
import { Story } from '../store/ledger/story.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const bank = fileURLToPath(new URL('../../data/bank.jsonl', import.meta.url));
const isFalse = { id: 'false', statement: 'theorem wrong (n : Nat) : n * n = n + n' };
const isNone = { id: 'none', statement: 'theorem none (n : Nat) : nothing n = n' };

/** Eighteen of the bank, by induction too; a false one, and one that cannot be read. */
function twentyGoals(): object[] {
  const ids = new Set(['nat/double_eq', 'nat/fact_positive', 'nat/power_one', 'nat/half_le']);
  const all = jsonLines(readFileSync(bank, 'utf8')) as { id: string; label: string }[];
  const easy = all.filter(({ label }) => label === 'easy').slice(0, 18 - ids.size);
  return [...easy, ...all.filter(({ id }) => ids.has(id)), isFalse, isNone];
}

describe('Lean on several machines', () => {
  test('with two workers, one killed, and a liar, the same goals are solved as with SQLite, and the forgery is detected', async () => {
    const cwd = folderWith({ 'goals.jsonl': rows(...twentyGoals()) });
    const url = await (await sharedPostgres()).database();
    const run = ['run', 'goals.jsonl', '--reporter', 'json', ...full];
    await (await openLedger(url, { clock: systemClock })).close();

    const running = orch([...run, '--workers', 'remote', '--ledger', url], { cwd });
    await lie(url);
    const [doomed, steady] = [work(cwd, url, 'doomed'), work(cwd, url, 'steady')];
    await using ledger = await openLedger(url, { clock: systemClock });
    const isAnswered = async (): Promise<boolean> =>
      (await ledger.views.arms(0)).some(({ arm }) => arm.startsWith('remote/') && arm !== 'remote/liar');
    await eventually(isAnswered, 200);
    doomed.kill('SIGKILL');
    const { stdout } = await running;
    steady.kill('SIGTERM');
    await once(steady, 'exit');

    const ends = endsOf(stdout);
    expect(ends.size).toBe(20);
    const alone = await orch([...run, '--ledger', 'alone.db'], { cwd });
    expect(ends).toEqual(endsOf(alone.stdout));
    expect(ends.get('false')).toBe('refuted');
    const ofLiar = (await ledger.journal.eventsSince(0, 100_000)).filter(
      (event) => 'arm' in event && event.arm === 'remote/liar',
    );
    expect(ofLiar.flatMap((event) => (event.type === 'candidate-judged' ? [event.verdict] : []))).toEqual([
      'rejected',
    ]);
    expect(ofLiar.flatMap((event) => (event.type === 'attempt-finished' ? [event.outcome] : []))).toEqual(
      lies.map(() => 'failed'),
    );

    const judgeAgain = async () =>
      await orch(['ledger', 'audit', '--sample', '100%', '--ledger', url], { cwd });
    expect(await orch(['ledger', 'verify', '--ledger', url], { cwd })).toMatchObject({ code: 0 });
    expect(await judgeAgain()).toMatchObject({
      code: 0,
      stdout: 'judged 18 proofs again (0 of an older judge): 18 accepted, 0 rejected, 0 unknown\n',
    });
    await ledger.journal.append(forgery().events);
    const audit = await judgeAgain();
    expect(audit.code).toBe(1);
    expect(audit.stdout).toMatch(/^rejected: forged, accepted by remote\/liar/);
    expect(audit.stdout).toMatch(
      /judged 19 proofs again \(\d+ of an older judge\): 18 accepted, 1 rejected, 0 unknown\n$/,
    );
  });
});

function work(cwd: string, url: string, name: string): ChildProcess {
  const flags = ['worker', '--ledger', url, '--name', name, ...full, '--num-procs', '1'];
  const child = spawn(process.execPath, [cli, ...flags], {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The answers of a lying worker about true goals. */
const lies: readonly Partial<RemoteClaim>[] = [
  { proof: 'by sorry' },
  { refuted: 'a = 0' },
  { opened: false, reason: 'it cannot be read' },
];

/** Takes the first goals before other workers arrive, and lies about them. */
async function lie(url: string): Promise<void> {
  await using queue = await WorkerQueue.open(url);
  const held: HeldJob[] = [];
  while (held.length < lies.length) {
    for (const ground of await queue.grounds())
      held.push(...(await queue.claim(ground.queue, lies.length - held.length)));
    await sleep(100);
  }
  const honest = {
    proof: null,
    refuted: null,
    premises: [],
    reason: '',
    cpuSeconds: 1,
    attempts: 1,
    opened: true,
  };
  for (const [index, words] of lies.entries()) {
    const job = held[index];
    if (job) await queue.answer(job, 'liar', { ...honest, ...words });
  }
}

/** A forged run that anyone with write access can put into the ledger: its proof was never judged. */
function forgery(): Story {
  const goal: LeanGoal = {
    id: 'forged',
    preamble: '',
    statement: isFalse.statement,
    holes: wholeStatement,
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
  };
  return new Story('forged-run', systemClock.date().getTime())
    .begin()
    .add(goal.id, { statement: goal.statement, task: goal })
    .examine(goal.id)
    .judge(null, goal.id, { arm: 'remote/liar', proof: 'by simp' })
    .closeGoal(goal.id)
    .end();
}

function endsOf(stdout: string): Map<string, 'solved' | 'refuted' | 'open'> {
  const lines = jsonLines(stdout) as { type: string; id: string; solved: boolean; refuted: string | null }[];
  const goals = lines.filter(({ type }) => type === 'goal');
  return new Map(
    goals.map(({ id, solved, refuted }) => [id, solved ? 'solved' : refuted === null ? 'open' : 'refuted']),
  );
}
