import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { EventBus } from '../../src/core/events.ts';
import { replayDecisions } from '../../src/core/scheduler/replay.ts';
import { startDashboard } from '../../src/server/server.ts';
import type { ControlAccepted, RunDetail, Stats } from '../../src/shared/api.ts';
import { openLedger } from '../../src/store/open.ts';
import { division, engineOf, forgetful, patience, strategyOf } from '../core/scheduler/factoring.ts';
import type { Factoring } from '../core/scheduler/factoring.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { smallPage, token } from './started.ts';

test('a run carries out requests over HTTP and records them in the ledger', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const ledger = await openLedger(file, { clock: systemClock });
  onTestFinished(async () => await ledger.close());
  const server = await startDashboard({
    ledger: file,
    port: 0,
    token,
    clock: systemClock,
    pageFolder: smallPage(),
  });
  onTestFinished(async () => await server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const get = async <Body>(address: string): Promise<Body> =>
    (await (await fetch(origin + address)).json()) as Body;
  const ask = async (body: object): Promise<ControlAccepted> => {
    const response = await fetch(`${origin}/api/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
    return (await response.json()) as ControlAccepted;
  };
  /** Waits until the page would show it. */
  const shown = async (condition: (stats: Stats) => boolean): Promise<void> => {
    while (!condition(await get<Stats>('/api/stats'))) await sleep(50);
  };

  let heard = 0;
  let isPatient = true;
  const way = async (goal: Factoring, signal: AbortSignal) =>
    isPatient ? await patience(goal, signal) : await division(100)(goal);
  const { engine } = engineOf([strategyOf('micro', { way })], {
    bus: new EventBus('run', systemClock, ledger.journal),
    memory: {
      ...forgetful,
      newRequests: async (run) => {
        const requests = await ledger.views.controlRequests(run, heard);
        heard = requests.at(-1)?.seq ?? heard;
        return requests;
      },
    },
  });
  for (const n of [15, 21, 35]) engine.add({ n });
  const running = engine.run();
  await shown(({ in_flight }) => in_flight.length === 2);
  await ask({ action: 'pause' });
  await shown(({ run }) => run?.paused === true);
  await ask({ action: 'cancel', goal: 'factor 15' });
  await shown(({ goals }) => goals.unsolved === 1);
  isPatient = false;
  await ask({ action: 'retry', goal: 'factor 15' });
  await shown(({ goals }) => goals.unsolved === 0);
  await ask({ action: 'priority', goal: 'factor 35', priority: 0.125 });
  await ask({ action: 'cancel', goal: 'factor 21' });
  await ask({ action: 'resume' });
  expect(await running).toMatchObject({ reason: 'done', goals_solved: 2, goals_total: 3 });

  const { controls, run } = await get<RunDetail>('/api/runs/run');
  expect(run).toMatchObject({ state: 'finished', paused: false });
  expect(controls.toReversed().map(({ action, obeyed }) => [action, obeyed?.refused])).toEqual([
    ['pause', null],
    ['cancel', null],
    ['retry', null],
    ['priority', null],
    ['cancel', null],
    ['resume', null],
  ]);
  expect((await ledger.views.goal('run', 'factor 35'))?.priority).toBe(0.125);
  expect(replayDecisions(await ledger.journal.eventsSince(0, 10_000)).differences).toEqual([]);
  expect(await ledger.verify()).toEqual([]);
});
