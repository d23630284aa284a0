import { expect, onTestFinished, test } from 'vitest';
import { startDashboard } from '../../src/server/server.ts';
import type { Promoted } from '../../src/shared/api.ts';
import { Story } from '../store/ledger/story.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { smallPage, token } from './started.ts';

const promoted: Promoted = {
  ticket: 'done',
  result: 'promoted',
  name: 'len_append',
  message: 'Lists.lean',
  file: 'Lists.lean',
  branch: 'auto/lem/len_append',
};

test('finished lemmas are promoted one at a time, by those who have the token', async () => {
  const story = new Story();
  const { file, clock } = await temporaryLedger(
    story.begin().openTicket('open').openTicket('done').claimTicket('done').completeTicket('done').events,
  );
  const wanted: string[] = [];
  const { promise: isDone, resolve: finish } = Promise.withResolvers<undefined>();
  const server = await startDashboard({
    ledger: file,
    port: 0,
    token,
    clock,
    pageFolder: smallPage(),
    promote: async (ticket) => {
      wanted.push(ticket);
      await isDone;
      return promoted;
    },
  });
  onTestFinished(async () => await server.close());
  const ask = async (ticket: string, bearer = token): Promise<[number, unknown]> => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/promote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    });
    return [response.status, await response.json()];
  };
  expect(await ask('done', 'wrong')).toMatchObject([401, {}]);
  expect(await ask('none')).toMatchObject([404, { error: { code: 'no-ticket' } }]);
  expect(await ask('open')).toMatchObject([409, { error: { code: 'not-completed' } }]);
  expect(wanted).toEqual([]);
  const first = ask('done');
  await expect.poll(() => wanted, { timeout: 60_000 }).toEqual(['done']);
  expect(await ask('done')).toMatchObject([409, { error: { code: 'busy' } }]);
  finish(undefined);
  expect(await first).toEqual([200, promoted]);
});
