import { describe, expect, onTestFinished, test } from 'vitest';
import { GoalQueue, type Ground } from '../../../src/store/queue/queue.ts';
import type { Temporary } from '../ledger/temporary.ts';

const ground: Ground = {
  version: '1.0.0',
  toolchain: 'lean-4',
  imports: [],
  options: [],
  closure: '',
  project: null,
};

/** Goals as jobs of pg-boss. */
export function queueHolds(open: () => Promise<Temporary>): void {
  describe('the queue', () => {
    test('gives each goal to one worker, takes it back, and lets the first answer count', async () => {
      const { file } = await open();
      const [one, two] = [await opened(file), await opened(file)];
      const queue = await one.want(ground);
      expect(await two.want({ ...ground, project: '/elsewhere' })).toBe(queue);
      expect(await two.grounds()).toMatchObject([{ queue, version: '1.0.0', isWanted: true }]);

      for (const job of ['run/a/1', 'run/b/1', 'run/a/1']) await one.send(queue, job, { goal: job }, 0);
      const [first, second, ...none] = [...(await one.claim(queue, 9)), ...(await two.claim(queue, 9))];
      expect(none).toEqual([]);
      if (!first || !second) throw new Error('two jobs were sent');
      expect([first, second].map(({ job }) => job).sort()).toEqual(['run/a/1', 'run/b/1']);
      expect(first.task).toEqual({ goal: first.job });
      expect(await one.beat(first)).toBe(true);

      // a worker that gives it back, and one that had lost it and answers all the same
      await one.giveBack(first);
      expect(await one.beat(first)).toBe(false);
      const [again] = await two.claim(queue, 9);
      expect(again?.job).toBe(first.job);
      expect(await two.answer(first, 'two', { proof: 'rfl' })).toBe(true);
      expect(await one.answer(first, 'one', { proof: 'by simp' })).toBe(false);
      expect(await two.answer(first, 'two', { proof: 'rfl' })).toBe(true); // asked again: the same answer
      expect(await one.answers([first.job, second.job, 'none'])).toEqual([
        { job: first.job, worker: 'two', body: { proof: 'rfl' } },
      ]);
      await one.send(queue, first.job, { goal: first.job }, 0);
      expect(await one.claim(queue, 9)).toEqual([]); // closed once

      await two.withdraw(queue, second.job);
      expect(await two.beat(second)).toBe(false);
    });

    test('goals on different grounds wait in different queues', async () => {
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
    });
  });
}

async function opened(file: string): Promise<GoalQueue> {
  const queue = await GoalQueue.open(file, (error) => expect.fail(error.message));
  onTestFinished(async () => await queue.close());
  return queue;
}
