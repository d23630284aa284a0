import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Market } from '../../src/lean/market/market.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { openLedger } from '../../src/store/open.ts';
import { orch } from '../helpers/orch.ts';
import { sharedPostgres } from '../helpers/postgres.ts';

const claimer = path.resolve('test/fixtures/ticket-claimer.ts');

test('of two processes that claim at the same moment on PostgreSQL, one gets each ticket', async () => {
  const url = await (await sharedPostgres()).database();
  const ids = await posted(url, 40);
  const processes = ['forwards', 'backwards'].map((order) =>
    spawn(process.execPath, [claimer, url, order, order], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const said = processes.map(async ({ stdout }) => await text(stdout));
  await Promise.all(processes.map(async ({ stdout }) => await once(stdout, 'readable')));
  for (const { stdin } of processes) stdin.write('go\n');
  const answers = (await Promise.all(said)).map((all) => all.trim().split('\n').slice(1));
  expect(answers.map(({ length }) => length)).toEqual([40, 40]);
  const claimed = answers.flat().filter((line) => line.startsWith('claimed '));
  expect(claimed.map((line) => line.slice('claimed '.length)).toSorted()).toEqual(ids);
  expect(answers.flat().filter((line) => line.startsWith('taken '))).toHaveLength(40);
});

test('two commands that work on the tickets of one PostgreSQL never solve the same one', async () => {
  const url = await (await sharedPostgres()).database();
  const ids = await posted(url, 8);
  const work = [
    'market',
    'work',
    '--ledger',
    url,
    '--num-procs',
    '1',
    '--cpu-target',
    '1',
    '--reporter',
    'plain',
  ];
  const both = await Promise.all([orch(work), orch(work)]);
  expect(both.map(({ code, stderr }) => ({ code, stderr: code === 0 ? '' : stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  await using ledger = await openLedger(url, { clock: systemClock, readOnly: true });
  const events = await ledger.journal.eventsSince(0, 100_000);
  const worked = events.flatMap((event) => (event.type === 'goal-added' ? [event.goal] : []));
  expect(worked.toSorted()).toEqual(ids);
  const done = events.flatMap((event) => (event.type === 'ticket-completed' ? [event.ticket_id] : []));
  expect(done.toSorted()).toEqual(ids);
  expect((await ledger.tickets.all()).map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
});

/** Easy lemmas, all unclaimed. */
async function posted(url: string, count: number): Promise<string[]> {
  await using ledger: Ledger = await openLedger(url, { clock: systemClock });
  const market = new Market(ledger.tickets, ledger.journal, systemClock);
  const ids: string[] = [];
  for (let number = 1; number <= count; number++) {
    const { ticket } = await market.request({
      goal: `theorem sum_${number} (a b : Nat) : a + b + ${number} = ${number} + b + a`,
      context: [''],
      suggested_name: `sum_${number}`,
      constraints: [],
      priority: 0.5,
      requester: 'person',
      dependencies: [],
    });
    ids.push(ticket.ticket_id);
  }
  return ids.toSorted();
}
