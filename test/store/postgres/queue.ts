import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openLedger } from '../../../src/store/open.ts';
import { GoalQueue, type Ground } from '../../../src/store/queue/queue.ts';
import { WorkerQueue, type HeldJob } from '../../../src/store/queue/worker-queue.ts';
import { workerRole } from '../../helpers/postgres.ts';
import { longTest } from '../../helpers/tier.ts';
import { factorGround } from '../../remote/factors.ts';
import type { Temporary } from '../ledger/temporary.ts';

/** Databases are used again, with the jobs of earlier tests: each test has a queue of its own. */
let ground: Ground;
let queues = 0;

/** Goals as jobs of pg-boss. */
export function queueHolds(open: () => Promise<Temporary>): void {
  describe('the queue', () => {
    beforeEach(() => {
      ground = { ...factorGround, toolchain: `${factorGround.toolchain}-${++queues}` };
    });

    test('gives each goal to one worker, and takes it back', async () => {
      const { file } = await open();
      const run = await opened(file);
      const [one, two] = [await working(file), await working(file)];
      const queue = await run.want(ground);
      expect(await run.want({ ...ground, project: '/elsewhere' })).toBe(queue);
      expect(await two.grounds()).toMatchObject([{ queue, version: '1', isWanted: true }]);

      for (const job of ['run/a/1', 'run/b/1', 'run/a/1']) await run.send(queue, job, { goal: job });
      const [first, second, ...none] = [...(await one.claim(queue, 9)), ...(await two.claim(queue, 9))];
      expect(none).toEqual([]);
      if (!first || !second) throw new Error('two jobs were sent');
      expect([first, second].map(({ job }) => job).sort()).toEqual(['run/a/1', 'run/b/1']);
      expect(first.task).toEqual({ goal: first.job });
      expect(await one.beat([first, second])).toEqual([first, second]);

      // a worker that has given it back keeps nothing alive, although another one holds it now
      await one.giveBack(first);
      const [again] = await two.claim(queue, 9);
      expect(again?.job).toBe(first.job);
      expect(await one.beat([first, second])).toEqual([second]);
      expect(await two.beat(again ? [again] : [])).toEqual([again]);

      await run.withdraw(queue, second.job);
      expect(await two.beat([second])).toEqual([]);
      expect(await two.claim(queue, 9)).toEqual([]);
      await run.keep(queue, [second.job]); // wanted again
      expect(await two.claim(queue, 9)).toMatchObject([{ job: second.job }]);
    });

    test('accepts a worker before the first run', async () => {
      const { file } = await open();
      const worker = await working(file);
      expect(await worker.grounds()).toEqual([]);
      await worker.offer('early', []);
      expect(await worker.claim('no such queue', 1)).toEqual([]);
    });

    test('stores every answer once; the first accepted one wins, by a key', async () => {
      const { file } = await open();
      const queue = await opened(file);
      const name = await queue.want(ground);
      await queue.send(name, 'run/a/b/1', {});
      const queueOfWorker = await working(file);
      const [job] = await queueOfWorker.claim(name, 1);
      if (!job) throw new Error('a job was sent');
      const say = async (worker: string, proof: string): Promise<void> =>
        await queueOfWorker.answer(job, worker, { proof });
      await say('liar', 'sorry');
      await say('two', 'rfl');
      await say('two', 'rfl'); // asked again: the same answer
      await say('late', 'by simp');
      const answers = await queue.unsettled('run');
      expect(answers.map(({ worker, question, verdict }) => [worker, question, verdict])).toEqual([
        ['liar', 'run/a/b', null],
        ['two', 'run/a/b', null],
        ['late', 'run/a/b', null],
      ]);
      const [liar, two, late] = answers;
      if (!liar || !two || !late) throw new Error('three answers were given');
      expect(await queue.settle(liar, 'refused')).toBe(false);
      expect(await queue.settle(two, 'accepted')).toBe(true);
      expect(await queue.settle(late, 'accepted')).toBe(false);
      expect(await queue.settle(two, 'accepted')).toBe(true); // as often as it is asked
      expect(await queue.unsettled('run')).toEqual([]);
      expect((await queue.answersTo(['run/a/b'])).map(({ verdict }) => verdict)).toEqual([
        'refused',
        'accepted',
        'accepted',
      ]);
    });

    test('goals with different base environments use different queues, and workers report theirs', async () => {
      const { file } = await open();
      const queue = await opened(file);
      const names = new Set<string>();
      for (const other of [
        {},
        { version: '1.0.1' },
        { toolchain: 'lean-5' },
        { closure: 'c', imports: ['A'] },
      ])
        names.add(await queue.want({ ...ground, ...other }));
      expect(names.size).toBe(4);
      const [name = '', other = ''] = names;
      const worker = await working(file);
      await worker.offer('two', [name]);
      await worker.offer('one', [name, other, 'no such queue']);
      await worker.offer('one', [name]);
      expect([await queue.offering(name), await queue.offering(other)]).toEqual([['one', 'two'], ['one']]);
    });

    test('refuses an oversized answer or an unknown job, and stores at most a hundred per job', async () => {
      const { file } = await open();
      const run = await opened(file);
      const worker = await working(file);
      const queue = await run.want(ground);
      await run.send(queue, 'large/a/1', {});
      const job = await claimed(worker, queue, 'large/a/1');
      await expect(worker.answer(job, 'one', { proof: 'x'.repeat(5 << 20) })).rejects.toThrow(/4 MiB/);
      await expect(worker.answer(job, 'w'.repeat(300), {})).rejects.toThrow(/200 bytes/);
      const forged = { ...job, claim: job.claim.replace(/^.{8}/, '00000000') };
      await worker.answer(forged, 'one', { proof: 'rfl' });
      expect(await run.unsettled('large')).toEqual([]);
      for (let count = 0; count < 110; count++) await worker.answer(job, 'one', { proof: String(count) });
      expect(await run.unsettled('large')).toHaveLength(100);
    });

    test("two ledgers of one database do not see each other's jobs", async () => {
      const { file } = await open();
      const client = new pg.Client(file);
      await client.connect();
      await client.query('DROP SCHEMA IF EXISTS beside CASCADE; CREATE SCHEMA beside');
      await client.end();
      const beside = `${file}&options=-csearch_path%3Dbeside`;
      await (await openLedger(beside, { clock: systemClock })).close();
      const [here, there] = [await opened(file), await opened(beside)];
      const queue = await here.want(ground);
      expect(await there.want(ground)).toBe(queue);
      await here.send(queue, 'beside/a/1', {});
      expect(await (await working(beside)).claim(queue, 9)).toEqual([]);
      await claimed(await working(file), queue, 'beside/a/1');
    });

    test("a role cannot end another role's jobs or use up its answers", async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      await run.send(queue, 'two/a/1', {});
      const [honest, liar] = [await workingAs(file), await workingAs(file)];
      const job = await claimed(honest.worker, queue, 'two/a/1');
      for (let count = 0; count < 110; count++)
        await liar.worker.answer(job, 'one', { proof: String(count) });
      await liar.worker.giveBack(job);
      expect(await liar.worker.beat([job])).toEqual([]);
      expect(await honest.worker.beat([job])).toEqual([job]);
      await honest.worker.answer(job, 'one', { proof: 'rfl' });
      const workers = (await run.unsettled('two')).map(({ worker }) => worker);
      expect(Map.groupBy(workers, (name) => name).get(`${liar.role}/one`)).toHaveLength(100);
      expect(workers.at(-1)).toBe(`${honest.role}/one`);
      expect(await honest.worker.beat([job])).toEqual([]); // answered
    });

    test('the answers and workers of a role are bounded', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      const [greedy, honest] = [await workingAs(file), await workingAs(file)];
      await run.send(queue, 'bytes/a/1', {});
      const job = await claimed(greedy.worker, queue, 'bytes/a/1');
      for (let count = 0; count < 3; count++) await greedy.worker.answer(job, 'one', large(count));
      await honest.worker.answer(job, 'one', { proof: 'rfl' });
      const stored = await run.unsettled('bytes');
      expect(stored.map(({ worker }) => worker)).toEqual([
        `${greedy.role}/one`,
        `${greedy.role}/one`,
        `${honest.role}/one`,
      ]);
      // bodies are read once
      const numbers = stored.map(({ number }) => number);
      expect((await run.unsettled('bytes', numbers.slice(0, 2))).map(({ body }) => body)).toEqual([
        null,
        null,
        { proof: 'rfl' },
      ]);

      const client = new pg.Client(greedy.url);
      await client.connect();
      onTestFinished(async () => await client.end());
      const offer = 'SELECT offer_work(name::text, ARRAY[$1]) FROM generate_series($2::int, $3) AS name';
      await client.query(offer, [queue, 1, 1000]);
      await expect(client.query(offer, [queue, 1001, 1001])).rejects.toThrow(/at most 1000 workers/);
      await client.query(offer, [queue, 1000, 1000]);
      expect(await run.offering(queue)).toHaveLength(1000);
    });

    longTest('a role has at most 64 MiB of answers that wait', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      const { worker } = await workingAs(file);
      for (let at = 0; at < 10; at++) await run.send(queue, `full/${at}/1`, {});
      const jobs = await worker.claim(queue, 10);
      for (const job of jobs)
        for (let count = 0; count < 2; count++) await worker.answer(job, 'one', large(count));
      const stored = await run.unsettled('full');
      expect(stored.map(({ job }) => job)).toEqual(jobs.slice(0, 8).flatMap(({ job }) => [job, job]));
      // a refused answer no longer counts, and is not read again
      const [first] = stored;
      const last = jobs.at(-1);
      if (!first || !last) throw new Error('ten jobs were sent');
      await run.settle(first, 'refused');
      expect((await run.answersTo([first.question])).map(({ body }) => body === null)).toEqual([true, false]);
      await worker.answer(last, 'one', large(0));
      expect((await run.unsettled('full')).at(-1)?.job).toBe(last.job);
    });

    test('a returned job goes to another role first, and never to an excluded role', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      const [one, two] = [await workingAs(file), await workingAs(file)];
      await run.send(queue, 'back/a/1', {});
      await run.send(queue, 'back/b/1', { roles: [one.role] });
      await two.worker.offer('two', [queue]);
      const held = await one.worker.claim(queue, 9);
      expect(held.map(({ job }) => job)).toEqual(['back/a/1']);
      for (const job of held) await one.worker.giveBack(job);
      expect(await one.worker.claim(queue, 9)).toEqual([]);
      expect((await two.worker.claim(queue, 9)).map(({ job }) => job).sort()).toEqual([
        'back/a/1',
        'back/b/1',
      ]);
    });

    test('a role cannot keep the goals of a queue from other roles', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      const jobs = Array.from({ length: 24 }, (_, at) => `share/${at}/1`);
      for (const job of jobs) await run.send(queue, job, {});
      const [greedy, honest] = [await workingAs(file), await workingAs(file)];
      await greedy.worker.offer('greedy', [queue]);
      // names of its own are no others
      for (const name of ['a', 'b/c', `${honest.role}/d`]) await greedy.worker.offer(name, [queue]);
      await honest.worker.offer('honest', [queue]);

      // many connections at a time take no more than one
      const connections = await Promise.all(Array.from({ length: 4 }, async () => await working(greedy.url)));
      const taken = await Promise.all(connections.map(async (each) => await each.claim(queue, 1000)));
      expect(taken.flat()).toHaveLength(12);
      expect(await greedy.worker.claim(queue, 1)).toEqual([]);
      expect(await honest.worker.claim(queue, 1000)).toHaveLength(12);

      // alone, it may have all
      const alone = await run.want({ ...ground, version: 'alone' });
      for (const job of jobs) await run.send(alone, `${job}/alone`, {});
      await greedy.worker.offer('greedy', [alone]);
      expect(await greedy.worker.claim(alone, 1000)).toHaveLength(24);
    });

    test('no worker can hold a job forever', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      await run.send(queue, 'long/a/1', {}, { holdSeconds: 1 });
      const [one, two] = [await working(file), await working(file)];
      const job = await claimed(one, queue, 'long/a/1');
      expect(await one.beat([job])).toEqual([job]);
      await expect.poll(async () => await one.beat([job])).toEqual([]);
      // its lease runs out like that of a worker that is silent
      await expect
        .poll(async () => (await two.claim(queue, 9)).map((each) => each.job))
        .toEqual(['long/a/1']);
    });

    test('the role in deploy/worker-role.sql can take jobs and store answers, and nothing else', async () => {
      const { file } = await open();
      const run = await opened(file);
      const queue = await run.want(ground);
      await run.send(queue, 'role/a/1', { goal: 'a' });
      const { role, url } = await workerRole(file);
      const worker = await working(url);
      expect(await worker.grounds()).toMatchObject([{ queue }]);
      await worker.offer('one', [queue]);
      expect(await run.offering(queue)).toEqual([`${role}/one`]);
      const job = await claimed(worker, queue, 'role/a/1');
      expect(await worker.beat([job])).toEqual([job]);
      await worker.giveBack(job);
      const again = await claimed(worker, queue, 'role/a/1');
      await worker.answer(again, 'one', { proof: 'rfl' });
      expect(await run.unsettled('role')).toMatchObject([{ worker: `${role}/one`, body: { proof: 'rfl' } }]);
      expect(await allowedTo(url)).toEqual([]);
      expect(await isWrittenBeside(file, url)).toBe(true);
      expect(await groundsBehindOwnTable(url)).toEqual([queue]);
    });
  });
}

/** An answer that is nearly too large. */
function large(count: number): { readonly proof: string } {
  return { proof: `${count}${'x'.repeat(4_000_000)}` };
}

/** A worker under a role of its own. */
async function workingAs(
  file: string,
): Promise<{ readonly role: string; readonly url: string; readonly worker: WorkerQueue }> {
  const { role, url } = await workerRole(file);
  return { role, url, worker: await working(url) };
}

/** Statements that a worker's role must not be able to run; returns those that it could. */
async function allowedTo(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
     WHERE relkind IN ('r', 'p', 'v', 'S') AND nspname !~ '^(pg_|information_schema)'`,
  );
  const statements = [
    ...rows.flatMap(({ name }) => [
      `SELECT * FROM ${name}`,
      `DELETE FROM ${name}`,
      `DROP TABLE ${name}`,
      `DO $$ BEGIN LOCK TABLE ${name} IN ACCESS SHARE MODE; END $$`,
      `DO $$ BEGIN LOCK TABLE ${name} IN EXCLUSIVE MODE; END $$`,
    ]),
    "SELECT append_events('w', 1, ARRAY['r'], ARRAY[1], ARRAY['note'], ARRAY['{}'])",
    "SELECT take_answer('run/a/1', 'w', '{}')",
    "SELECT settle_answer(1, 'accepted')",
    'SELECT lock_role()',
    "INSERT INTO answers (job, worker, body) VALUES ('run/a/1', 'w', '{}')",
    'CREATE TABLE mine (x int)',
    'CREATE SCHEMA mine',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    "COPY (SELECT 1) TO PROGRAM 'true'",
  ];
  const allowed: string[] = [];
  for (const statement of statements)
    await client.query(statement).then(
      () => allowed.push(statement),
      () => undefined,
    );
  await client.end();
  return allowed;
}

/** Can the ledger be written while a worker's role holds every lock that it can take by its number? */
async function isWrittenBeside(file: string, url: string): Promise<boolean> {
  const [worker, writer] = [
    new pg.Client(url),
    new pg.Client({ connectionString: file, statement_timeout: 10_000 }),
  ];
  await Promise.all([worker.connect(), writer.connect()]);
  try {
    await worker.query(
      `SELECT pg_advisory_lock(oid::bigint) FROM pg_class WHERE relnamespace = current_schema()::regnamespace`,
    );
    await worker.query(`SELECT pg_advisory_lock(1869767528)`);
    await writer.query('SELECT lock_events()');
    return true;
  } finally {
    await Promise.all([worker.end(), writer.end()]);
  }
}

/** The tables that the functions read if the caller has a temporary table of the same name. */
async function groundsBehindOwnTable(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("CREATE TEMP TABLE grounds AS SELECT 'forged' AS queue, now() AS heard");
  await client.query('SET search_path = pg_temp, public');
  const { rows } = await client.query<{ queue: string }>('SELECT queue FROM public.work_grounds()');
  await client.end();
  return rows.map(({ queue }) => queue);
}

async function claimed(worker: WorkerQueue, queue: string, name: string): Promise<HeldJob> {
  const jobs = await worker.claim(queue, 100);
  return jobs.find(({ job }) => job === name) ?? expect.fail(`${name} was sent`);
}

async function working(file: string): Promise<WorkerQueue> {
  const queue = await WorkerQueue.open(file);
  onTestFinished(async () => await queue.close());
  return queue;
}

async function opened(file: string): Promise<GoalQueue> {
  const queue = await GoalQueue.open(file, (error) => expect.fail(error.message));
  onTestFinished(async () => await queue.close());
  return queue;
}
