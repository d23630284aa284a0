import { describe, expect, onTestFinished, test } from 'vitest';
import { Environments } from '../../../src/lean/environments.ts';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { asClaim } from '../../../src/lean/remote/claim.ts';
import { Dispatch } from '../../../src/lean/remote/dispatch.ts';
import { RemoteWorker } from '../../../src/lean/remote/worker.ts';
import type { Toolchain } from '../../../src/lean/toolchain/toolchain.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { GoalQueue } from '../../../src/store/queue/queue.ts';
import type { Temporary } from '../ledger/temporary.ts';
import { Story } from '../ledger/story.ts';

/** Goals on their way to workers and back, over the real queue; Lean has no part in it. */
export function goalsTravel(open: () => Promise<Temporary>): void {
  describe('goals on their way', () => {
    test('a goal comes back with what a worker says; one that drains leaves its goals to the next', async () => {
      const { file } = await open();
      const said: string[] = [];
      const dispatch = await Dispatch.open({ queue: await opened(file), pool, version: '1', scope: 'run' });
      const { signal } = new AbortController();
      const asked = ['slow', 'quick'].map(async (id) => await dispatch.ask(goalNamed(id), signal));

      const leaving = await startWorker(file, 'one', ['slow'], said);
      await expect.poll(() => leaving.taken.length).toBe(2);
      leaving.worker.drain();
      await leaving.ended;
      expect(await asked[1]).toMatchObject({ worker: 'one', body: { solved: true, proof: 'by quick' } });

      const other = await startWorker(file, 'other', [], said, '2');
      const next = await startWorker(file, 'two', [], said);
      expect(await asked[0]).toMatchObject({ worker: 'two', body: { solved: true, proof: 'by slow' } });
      // whoever goes on with the run is answered without anybody working again
      const again = await Dispatch.open({ queue: await opened(file), pool, version: '1', scope: 'run' });
      expect(await again.ask(goalNamed('slow'), signal)).toMatchObject({ worker: 'two' });
      for (const { worker, ended } of [next, other]) {
        worker.drain();
        await ended;
      }
      expect(other.taken).toEqual([]);
      expect(said).toEqual([expect.stringContaining('which is orch 2 on')]);
      await dispatch.close();
      await again.close();
    });

    test('what a worker has proved is no proof in the ledger', async () => {
      const story = new Story().begin().add('g1').finishAttempt('a1', 'g1').judge('a1', 'g1').closeGoal('g1');
      const { ledger } = await open();
      await ledger.journal.append(story.events.map(asClaim));
      expect(await ledger.views.goal('run-1', 'g1')).toMatchObject({ status: 'unsolved', proofs: [] });
      expect(await ledger.views.totals()).toMatchObject({ goals_solved: 0, cached_goals: 0, successes: 0 });
      expect(await ledger.verify()).toEqual([]);
    });
  });
}

const toolchain = { kind: 'embedded', version: '4.0.0' } as Toolchain;
const pool = { toolchain, environments: new Environments(toolchain) };

async function opened(file: string): Promise<GoalQueue> {
  return await GoalQueue.open(file, () => undefined);
}

function goalNamed(id: string): LeanGoal {
  const statement = `theorem ${id} : True`;
  return {
    id,
    preamble: '',
    statement,
    holes: wholeStatement,
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
  };
}

/** A worker whose engine proves everything at once, but for goals that it never ends. */
async function startWorker(
  file: string,
  name: string,
  never: readonly string[],
  said: string[],
  version = '1',
): Promise<{ worker: RemoteWorker; taken: string[]; ended: Promise<void> }> {
  const queue = await opened(file);
  onTestFinished(async () => await queue.close());
  const taken: string[] = [];
  const engine = {
    add({ id }: LeanGoal): boolean {
      const goal = id.replace(/ .*/, '');
      taken.push(goal);
      if (!never.includes(goal))
        queueMicrotask(() => tell(new Story(name).examine(id).closeGoal(id).events, goal));
      return true;
    },
    withdraw: () => undefined,
    drain: () => undefined,
  };
  const tell = (events: readonly RunEvent[], goal: string): void => {
    for (const event of events)
      worker.hear(event.type === 'goal-closed' ? { ...event, proof: `by ${goal}` } : event);
  };
  const say = (text: string): void => void said.push(text);
  const worker = new RemoteWorker({
    queue,
    engine,
    pool,
    name,
    version,
    slots: 4,
    projects: [],
    idleMs: null,
    say,
  });
  const ended = worker.run().then(async () => await worker.leave());
  return { worker, taken, ended };
}
