import { describe, expect, onTestFinished, test } from 'vitest';
import { GoalQueue } from '../../../src/store/queue/queue.ts';
import { factorGround as ground } from '../../remote/factors.ts';
import type { Temporary } from '../ledger/temporary.ts';

/** Goals as jobs of pg-boss. */
export function queueHolds(open: () => Promise<Temporary>): void {
  describe('the queue', () => {
    test('gives each goal to one worker, and takes it back', async () => {
      const { file } = await open();
      const [one, two] = [await opened(file), await opened(file)];
      const queue = await one.want(ground);
      expect(await two.want({ ...ground, project: '/elsewhere' })).toBe(queue);
      expect(await two.grounds()).toMatchObject([{ queue, version: '1', isWanted: true }]);

      for (const job of ['run/a/1', 'run/b/1', 'run/a/1']) await one.send(queue, job, { goal: job });
      const [first, second, ...none] = [...(await one.claim(queue, 9)), ...(await two.claim(queue, 9))];
      expect(none).toEqual([]);
      if (!first || !second) throw new Error('two jobs were sent');
      expect([first, second].map(({ job }) => job).sort()).toEqual(['run/a/1', 'run/b/1']);
      expect(first.task).toEqual({ goal: first.job });
      expect(await one.beat([first, second])).toEqual([first, second]);

      // whoever has given it back keeps nothing alive, although somebody else holds it now
      await one.giveBack(first);
      const [again] = await two.claim(queue, 9);
      expect(again?.job).toBe(first.job);
      expect(await one.beat([first, second])).toEqual([second]);
      expect(await two.beat(again ? [again] : [])).toEqual([again]);

      await two.withdraw(queue, second.job);
      expect(await two.beat([second])).toEqual([]);
      expect(await two.claim(queue, 9)).toEqual([]);
      await two.keep(queue, [second.job]); // wanted again
      expect(await two.claim(queue, 9)).toMatchObject([{ job: second.job }]);
    });

    test('keeps every answer once; the first accepted one wins, by a key', async () => {
      const { file } = await open();
      const queue = await opened(file);
      const name = await queue.want(ground);
      await queue.send(name, 'run/a/b/1', {});
      const [job] = await queue.claim(name, 1);
      if (!job) throw new Error('a job was sent');
      const say = async (worker: string, proof: string): Promise<void> =>
        await queue.answer(job, worker, { proof });
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

    test('goals on different grounds wait in different queues, and workers say where they are', async () => {
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
      await queue.offer('two', [name]);
      await queue.offer('one', [name, other]);
      await queue.offer('one', [name]);
      expect([await queue.offering(name), await queue.offering(other)]).toEqual([['one', 'two'], ['one']]);
    });
  });
}

async function opened(file: string): Promise<GoalQueue> {
  const queue = await GoalQueue.open(file, (error) => expect.fail(error.message));
  onTestFinished(async () => await queue.close());
  return queue;
}
