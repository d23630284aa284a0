import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anyCodePoints } from '../../helpers/code-points.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { asClaim, type RemoteClaim } from '../../../src/remote/claim.ts';
import type { RunFinished } from '../../../src/shared/events.ts';
import { copyLedger } from '../../../src/store/ledger/copy.ts';
import { openLedger } from '../../../src/store/open.ts';
import { GoalQueue } from '../../../src/store/queue/queue.ts';
import { WorkerQueue, type HeldJob } from '../../../src/store/queue/worker-queue.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { workerRole } from '../../helpers/postgres.ts';
import { times } from '../../helpers/tier.ts';
import { coordinatorOf, factorGround, workerOf, type Factor } from '../../remote/factors.ts';
import { Story } from '../ledger/story.ts';
import type { Temporary } from '../ledger/temporary.ts';

/** Goals sent to workers and back through the real queue and real engines, in a simple arithmetic domain. */
export function goalsTravel(open: () => Promise<Temporary>): void {
  describe('remote goals', () => {
    test('results of workers are judged by the run: proofs, refutations and unreadable ones', async () => {
      const stage = await Stage.set(open);
      const goals = [goal('composite', 91), goal('prime', 97), goal('hard', 1009 * 1013), goal('odd', 1.5)];
      const ended = stage.coordinate('run', goals);
      const { worker, over } = await stage.work('one');
      expect(await ended).toMatchObject({ goals_total: 4, goals_solved: 1 });
      worker.drain();
      await over;
      const { views } = stage.ledger;
      const rows = (await views.goalsOf('run')).map((row) => [
        row.goal,
        row.status,
        row.refuted ?? row.reason,
      ]);
      expect(rows).toEqual([
        ['composite', 'solved', 'proved'],
        ['prime', 'refuted', '97 is prime'],
        ['hard', 'unsolved', 'the only arm failed'],
        ['odd', 'unsolved', '1.5 is not a whole number'],
      ]);
      expect(await views.goal('run', 'composite')).toMatchObject({
        proofs: [{ proof: '7', arm: 'remote/one' }],
      });
      expect(await stage.ledger.verify()).toEqual([]);
    });

    test('a worker that leaves returns its goals; one without the modules is informed', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [{ ...goal('slow', 91), ms: 3_600_000 }, goal('quick', 35)]);
      await stage.queue.want({ ...factorGround, version: '2' });
      const leaving = await stage.work('leaving');
      await stage.untilStatus('run', 'quick', 'solved');
      leaving.worker.drain();
      leaving.engine.stop();
      await leaving.over;
      expect(leaving.said).toEqual(['goals of 2 are not for 1']);
      await stage.answer('slow/1', 'next', { proof: '13' });
      expect(await ended).toMatchObject({ goals_solved: 2 });
    });

    test('a lying worker does not block the proof: the first accepted one counts, a later one is kept', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('g', 91), goal('last', 55)]);
      await stage.worker.offer('honest', [await stage.queue.want(factorGround)]);
      await stage.answer('g/1', 'liar', { proof: '8' });
      await stage.answer('g/2', 'false', { refuted: '91 is prime' });
      await stage.answer('g/3', 'blind', { opened: false, reason: 'unreadable' });
      await stage.answer('g/4', 'mad', { attempts: -1 });
      await stage.answer('g/5', 'liar', { proof: '13' }); // nothing listens to it here now
      const held = await stage.answer('g/6', 'honest', { proof: '7' });
      await stage.untilStatus('run', 'g', 'solved');
      await stage.worker.answer(held, 'late', claim({ proof: '13' }));
      const proofs = async (): Promise<unknown> =>
        (await stage.ledger.views.goal('run', 'g'))?.proofs.map(({ proof, arm }) => [arm, proof]);
      await expect.poll(proofs).toEqual([
        ['remote/honest', '7'],
        ['remote/late', '13'],
      ]);
      await stage.answer('last/1', 'honest', { proof: '5' });
      expect(await ended).toMatchObject({ goals_solved: 2 });
      const told = await stage.ledger.views.goal('run', 'g');
      expect(told?.verdicts.map(({ arm, verdict }) => [arm, verdict])).toEqual([
        ['remote/liar', 'rejected'],
        ['remote/honest', 'accepted'],
        ['remote/late', 'accepted'],
      ]);
      const failed = told?.attempt_rows.filter(({ outcome }) => outcome === 'failed').map(({ arm }) => arm);
      expect(failed?.sort()).toEqual(['remote/blind', 'remote/false', 'remote/liar', 'remote/mad']);
      expect(await stage.ledger.verify()).toEqual([]);
    });

    test('a liar with a hundred names causes a limited number of judgements, and wins nothing', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('g', 91), goal('other', 55)]);
      await stage.worker.offer('honest', [await stage.queue.want(factorGround)]);
      const held = await stage.held('g/1');
      for (let name = 0; name < 110; name++)
        await stage.worker.answer(held, `liar ${name}`, claim({ proof: String(8 + name * 2) }));
      await stage.untilStatus('run', 'g', 'unsolved');
      await stage.answer('other/1', 'honest', { proof: '5' });
      expect(await ended).toMatchObject({ goals_solved: 1 });
      const told = await stage.ledger.views.goal('run', 'g');
      expect(told?.proofs).toEqual([]);
      expect(told?.verdicts.length).toBeLessThanOrEqual(50);
      expect(told?.reason).toContain("every worker's answer was refused");
      expect(await stage.ledger.verify()).toEqual([]);
    });

    test('a lying role cannot block a goal for other roles, whatever names it uses', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('g', 91)]);
      await stage.worker.offer('honest', [await stage.queue.want(factorGround)]);
      const { role, url } = await workerRole(stage.file);
      const liar = await opened(url);
      const held = await stage.held('g/1');
      for (let name = 0; name < 99; name++)
        await liar.answer(held, `liar ${name}`, claim({ proof: String(8 + name * 2) }));
      await stage.answer('g/2', 'honest', { proof: '7' });
      expect(await ended).toMatchObject({ goals_solved: 1 });
      const told = await stage.ledger.views.goal('run', 'g');
      const [{ arm } = { arm: '' }, ...others] = told?.verdicts.toReversed() ?? [];
      expect(arm).toBe('remote/honest');
      expect(others.every((one) => one.arm?.startsWith(`remote/${role}/liar`))).toBe(true);
      expect(others.length).toBeLessThanOrEqual(50);
    });

    test('a liar that shares a role with an honest worker proves nothing false and blocks no other role', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('some', 91), goal('all', 55)]);
      await stage.worker.offer('other', [await stage.queue.want(factorGround)]);
      const { role, url } = await workerRole(stage.file);
      const [honest, liar] = [await opened(url), await opened(url)];
      const lie = async (held: HeldJob, names: readonly string[]): Promise<void> => {
        for (const name of names) await liar.answer(held, name, claim({ proof: '8' }));
      };
      const names = Array.from({ length: 50 }, (_, at) => `liar ${at}`);

      // fewer lies than end a role: the honest worker's proof counts
      const some = await stage.held('some/1');
      await lie(some, names.slice(0, 20));
      await honest.answer(some, 'honest', claim({ proof: '7' }));
      await stage.untilStatus('run', 'some', 'solved');

      // the honest worker's name used for a lie, and its role used up: another role gets the goal
      const all = await stage.held('all/1');
      await lie(all, ['honest', ...names.slice(1)]);
      await honest.answer(all, 'honest', claim({ proof: '5' }));
      await stage.answer('all/2', 'other', { proof: '11' });
      expect(await ended).toMatchObject({ goals_solved: 2 });

      const proofsOf = async (id: string): Promise<unknown> =>
        (await stage.ledger.views.goal('run', id))?.proofs.map(({ proof, arm }) => [arm, proof]);
      expect(await proofsOf('some')).toEqual([[`remote/${role}/honest`, '7']]);
      expect(await proofsOf('all')).toEqual([['remote/other', '11']]);
      expect(await stage.ledger.verify()).toEqual([]);
    });

    test('a role that reports nothing found does not end a goal before the other roles are heard', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('hidden', 91), goal('open', 77), goal('owner', 55)]);
      await stage.worker.offer('honest', [await stage.queue.want(factorGround)]);
      const { url } = await workerRole(stage.file);
      const liar = await opened(url);
      const hide = async (job: string): Promise<void> =>
        await liar.answer(await stage.held(job), 'liar', claim({ reason: 'nothing' }));

      await hide('hidden/1');
      await stage.answer('hidden/2', 'honest', { proof: '7' });
      await stage.untilStatus('run', 'hidden', 'solved');

      // nobody gets a goal twice for a report
      await hide('open/1');
      await stage.answer('open/2', 'honest', { reason: 'nothing here either' });
      await stage.untilStatus('run', 'open', 'unsolved');

      // a worker that has the ledger could end goals anyway
      await stage.answer('owner/1', 'honest', { reason: 'nothing' });
      expect(await ended).toMatchObject({ goals_total: 3, goals_solved: 1 });
      const told = await stage.ledger.views.goal('run', 'hidden');
      expect(told?.proofs).toMatchObject([{ proof: '7', arm: 'remote/honest' }]);
      expect(told?.attempts).toBe(2);
      expect(await stage.ledger.verify()).toEqual([]);
    });

    test('if every worker was refused, the goal is given up with the reason', async () => {
      const stage = await Stage.set(open);
      const ended = stage.coordinate('run', [goal('g', 91)]);
      await stage.worker.offer('liar', [await stage.queue.want(factorGround)]);
      await stage.answer('g/1', 'liar', { proof: '8' });
      expect(await ended).toMatchObject({ goals_solved: 0 });
      const [row] = await stage.ledger.views.goalsOf('run');
      expect(row?.reason).toBe(
        "every worker's answer was refused: liar: rejected: kernel: 8 does not divide 91",
      );
    });

    test('a resumed run finds answers given in the meantime, and the refused workers', async () => {
      const stage = await Stage.set(open);
      const killed = await stage.begin('run', [goal('a', 91), goal('b', 35)]);
      killed.engine.run().catch(() => undefined);
      await stage.worker.offer('honest', [await stage.queue.want(factorGround)]);
      await stage.answer('a/1', 'liar', { proof: '8' });
      const second = await stage.held('a/2');
      killed.engine.stop(); // its jobs are withdrawn; as after a kill, nothing is closed
      await expect.poll(async () => await stage.worker.beat([second])).toEqual([]);
      await killed.dispatch.close();
      await stage.worker.answer(second, 'liar', claim({ proof: '8' }));
      await stage.worker.answer(second, 'honest', claim({ proof: '13' }));
      const ended = stage.coordinate('again', [goal('a', 91), goal('b', 35)], 'run');
      await stage.answer('b/1', 'honest', { proof: '5' });
      expect(await ended).toMatchObject({ goals_solved: 2 });
      expect(await stage.ledger.views.goal('again', 'a')).toMatchObject({
        attempts: 1,
        proofs: [{ proof: '13', arm: 'remote/honest' }],
      });
    });

    test('the run survives any content of the answers, and both databases hold the same', async () => {
      const stage = await Stage.set(open);
      const bodies = fc.sample(anyAnswer, { seed: 1, numRuns: times(20, 60) });
      const goals = bodies.map((_, index) => goal(`g${index}`, 91));
      const ended = stage.coordinate('run', goals);
      const client = new pg.Client(stage.file);
      await client.connect();
      for (const [index, { worker, body }] of bodies.entries())
        await client.query('SELECT take_answer($1, $2, $3)', [stage.job(`g${index}/1`), worker, body]);
      await client.end();
      const honest = await stage.work('honest');
      await ended;
      honest.worker.drain();
      await honest.over;
      const rows = await stage.ledger.views.goalsOf('run');
      // a bare "not found" is the only answer of a worker that a run cannot check
      const isNotFound = ({ reason }: (typeof rows)[number]): boolean => reason === 'its only arm failed';
      expect(rows.filter((row) => row.status !== 'solved' && !isNotFound(row))).toEqual([]);
      expect(rows.filter(({ status }) => status === 'solved').length).toBeGreaterThan(
        (bodies.length * 2) / 3,
      );
      expect(new Set(rows.map(({ goal_hash }) => goal_hash))).toEqual(new Set(['91'])); // never on a worker's claim
      expect(await stage.ledger.verify()).toEqual([]);
      await using copy = await openLedger(path.join(temporaryFolder(), 'copy.db'), { clock: systemClock });
      await copyLedger(stage.ledger, copy); // throws when a table differs
      expect(await copy.verify()).toEqual([]);
    });

    test('a worker’s answer alone is not a proof in the ledger', async () => {
      const story = new Story().begin().add('g1').finishAttempt('a1', 'g1').judge('a1', 'g1').closeGoal('g1');
      const { ledger } = await open();
      await ledger.journal.append(story.events.map(asClaim));
      expect(await ledger.views.goal('run-1', 'g1')).toMatchObject({ status: 'unsolved', proofs: [] });
      expect(await ledger.views.totals()).toMatchObject({ goals_solved: 0, cached_goals: 0, successes: 0 });
      expect(await ledger.verify()).toEqual([]);
    });
  });
}

let stages = 0;

/** A ledger, an unused scope, and a queue for manual participation. */
class Stage {
  readonly ledger: Temporary['ledger'];
  readonly queue: GoalQueue;
  readonly worker: WorkerQueue;
  readonly file: string;
  readonly #scope = `scope-${++stages}`;

  static async set(open: () => Promise<Temporary>): Promise<Stage> {
    const { file, ledger } = await open();
    const queue = await GoalQueue.open(file, () => undefined);
    onTestFinished(async () => await queue.close());
    return new Stage(file, ledger, queue, await opened(file));
  }

  private constructor(file: string, ledger: Temporary['ledger'], queue: GoalQueue, worker: WorkerQueue) {
    this.file = file;
    this.ledger = ledger;
    this.queue = queue;
    this.worker = worker;
  }

  /** The name of a job of this stage. */
  job(name: string): string {
    return `${this.#scope}/${name}`;
  }

  async begin(run: string, goals: readonly Factor[], resumes?: string) {
    const around = { run, ledger: this.ledger, clock: systemClock, slots: 20, ...(resumes && { resumes }) };
    const queue = await GoalQueue.open(this.file, () => undefined);
    const coordinator = await coordinatorOf(around, queue, this.#scope);
    for (const each of goals) coordinator.engine.add(each);
    return coordinator;
  }

  async coordinate(run: string, goals: readonly Factor[], resumes?: string): Promise<RunFinished> {
    const { engine, dispatch } = await this.begin(run, goals, resumes);
    try {
      return await engine.run();
    } finally {
      await dispatch.close();
    }
  }

  async work(name: string): Promise<ReturnType<typeof workerOf> & { readonly over: Promise<void> }> {
    const around = { run: name, ledger: this.ledger, clock: systemClock, slots: 4 };
    const worker = workerOf(around, await opened(this.file), name);
    return { ...worker, over: worker.run() };
  }

  /** A job of this goal, claimed by hand when it is there. */
  async held(job: string): Promise<HeldJob> {
    const name = await this.queue.want(factorGround);
    for (;;) {
      // other tests of this database have left jobs too
      const jobs = await this.worker.claim(name, 1000);
      const found = jobs.find((each) => each.job === this.job(job));
      for (const other of jobs) if (other !== found) await this.worker.giveBack(other);
      if (found) return found;
      await sleep(20);
    }
  }

  async answer(job: string, worker: string, words: Partial<RemoteClaim>): Promise<HeldJob> {
    const held = await this.held(job);
    await this.worker.answer(held, worker, claim(words));
    return held;
  }

  async untilStatus(run: string, id: string, status: string): Promise<void> {
    await expect.poll(async () => (await this.ledger.views.goal(run, id))?.status).toBe(status);
  }
}

const anyText = fc.oneof(
  fc.constantFrom('', '7', 'by sorry', '\0', '\ud800', '\u{1f600}', '__proto__', "'; DROP TABLE events; --"),
  anyCodePoints({ maxLength: 40 }),
  fc.constantFrom(300, 20_000, 1_100_000).map((length) => 'é'.repeat(length)),
);
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, 1.7e308, 1e9, 1e9 + 1, 5e-324, -1, 2 ** 53, 0.1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anyValue = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(anyText, { maxLength: 3 }),
);
/** Mostly in the form of a claim, new or old, with extreme values. */
const anyAnswer = fc.record({
  worker: fc.oneof(
    fc.constantFrom('w'.repeat(20_000), ''),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  ),
  body: fc
    .oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          proof: fc.option(anyText),
          refuted: fc.option(anyText),
          premises: fc.array(anyText, { maxLength: 5 }),
          reason: anyText,
          cpuSeconds: anyNumber,
          attempts: anyNumber,
          opened: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          proof: anyValue,
          refuted: anyValue,
          premises: anyValue,
          reason: anyValue,
          cpuSeconds: anyValue,
          attempts: anyValue,
          facts: fc.option(
            fc.record({ goalHash: anyText, fingerprint: anyText, context: anyText, features: anyValue }),
          ),
        }),
      },
      fc.jsonValue(),
    )
    .map((value) => JSON.stringify(value)),
});

function goal(id: string, n: number): Factor {
  return { id, n, ms: 0 };
}

function claim(words: Partial<RemoteClaim>): RemoteClaim {
  return {
    proof: null,
    refuted: null,
    premises: [],
    reason: '',
    cpuSeconds: 1,
    attempts: 1,
    opened: true,
    ...words,
  };
}

async function opened(file: string): Promise<WorkerQueue> {
  const queue = await WorkerQueue.open(file);
  onTestFinished(async () => await queue.close());
  return queue;
}
