import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Market } from '../../../src/lean/market/market.ts';
import { TicketWork } from '../../../src/lean/market/ticket-work.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

/** The clock that orders claims moves only when the test says so; so do the checks of a run that follows tickets. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const lookSeconds = 30;
const nobody = async (): Promise<never> => await Promise.reject(new Error('not asked'));
const nobodyJudges = { check: nobody, judgeFile: nobody };

interface Followed {
  readonly market: Market;
  readonly id: string;
  /** Goals that joined the run later. */
  readonly added: readonly string[];
  /** Advances both clocks by these seconds, one per look. */
  readonly pass: (seconds: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A ticket that someone has posted, and a run that has taken it on. */
async function followed(): Promise<Followed> {
  const { ledger, clock } = await temporaryLedger();
  const market = new Market(ledger.tickets, ledger.journal, clock);
  const { ticket } = await market.request({
    goal: 'theorem double_eq (n : Nat) : n + n = 2 * n',
    context: [''],
    suggested_name: 'double_eq',
    constraints: [],
    priority: 0.5,
    requester: 'someone',
    dependencies: [],
  });
  const id = ticket.ticket_id;
  const work = new TicketWork(market, () => true);
  expect((await work.takeOn()).map((goal) => goal.id)).toEqual([id]);
  const begin = clock.at;
  const added: string[] = [];
  const engine = { add: (goal: { readonly id: string }) => added.push(goal.id) > 0, note: () => {} };
  const stop = work.follow(engine, nobodyJudges, () => ({ proved: [], refuted: new Map() }));
  const expires = async (): Promise<number> => (await market.retrieve(id))?.expires ?? 0;
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += lookSeconds) {
      clock.at += 1000 * lookSeconds;
      vi.advanceTimersByTime(1000 * lookSeconds);
      // a worker that polls in time renews until a minute before the end
      if (clock.at - begin <= 540_000) await expect.poll(expires).toBe(clock.at + 60_000);
    }
  };
  return { market, id, added, pass, stop };
}

test('a run keeps its claim for ten minutes; then anyone can claim the ticket', async () => {
  const { market, id, added, stop, pass } = await followed();
  await pass(570);
  expect(await market.claim(id, 'a person', 60)).toMatchObject({ kind: 'taken' });
  await pass(30);
  expect(await market.claim(id, 'a person', 60)).toMatchObject({ kind: 'claimed' });
  // it becomes free again, and the run that used up its time leaves it to others
  await pass(120);
  await stop();
  expect(added).toEqual([]);
  expect(await market.claim(id, 'another person', 60)).toMatchObject({ kind: 'claimed' });
});

test('a finished run renews no claim', async () => {
  const { market, id, stop, pass } = await followed();
  await pass(30);
  await stop();
  const held = (await market.retrieve(id))?.expires;
  vi.advanceTimersByTime(600_000);
  expect((await market.retrieve(id))?.expires).toBe(held);
});
