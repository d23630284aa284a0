import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyLedger } from '../../../src/store/ledger/copy.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../src/store/open.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { wholeRun, type OpenLedger } from '../conformance/open.ts';
import { HandClock, temporaryLedger } from '../ledger/temporary.ts';
import { hashOf, Story } from '../ledger/story.ts';

/** The same events in both databases leave the same rows, to the last bit, and the same answers. */
export function bothAgree(open: OpenLedger, emptyDatabase: () => Promise<string>): void {
  describe('compared with SQLite', () => {
    test('derived tables are equal to the last bit, in every order of costs', async () => {
      const events = longStory();
      const { ledger: sqlite } = await temporaryLedger(events);
      const { ledger: postgres } = await open(events);
      expect(await postgres.digests()).toEqual(await sqlite.digests());
      await postgres.rebuild();
      expect(await postgres.digests()).toEqual(await sqlite.digests());
      expect(await postgres.verify()).toEqual([]);
    });

    test('every query has the same answer', async () => {
      const events = [...wholeRun().events, ...ticketStory()];
      const { ledger: sqlite } = await temporaryLedger(events);
      const { ledger: postgres } = await open(events);
      expect(await answersOf(postgres)).toEqual(await answersOf(sqlite));
    });

    test('a copy to the other database and back is the same ledger, including pruned numbers', async () => {
      const { ledger: first } = await temporaryLedger(wholeRun().events);
      await first.takeOver([
        { type: 'pruned', run: 'ledger', at: 5, seq: 30, removed: 11 } as unknown as RunEvent,
      ]);
      const { ledger: second } = await open();
      expect(await copyLedger(first, second)).toBe(19);
      const clock = new HandClock();
      const third = await openLedger(path.join(temporaryFolder(), 'back.db'), { clock });
      onTestFinished(async () => await third.close());
      expect(await copyLedger(second, third)).toBe(19);
      expect(await third.digests()).toEqual(await first.digests());
      expect(await second.verify()).toEqual([]);
      await expect(copyLedger(first, second)).rejects.toThrow('already contains events');
    });

    test('the tables have the same columns', async () => {
      const file = path.join(temporaryFolder(), 'ledger.db');
      await (await openLedger(file, { clock: new HandClock() })).close();
      const url = await emptyDatabase();
      await (await openLedger(url, { clock: new HandClock() })).close();
      const { postgresColumns, sqliteColumns } = await import('./columns.ts');
      expect(await postgresColumns(url)).toEqual(sqliteColumns(file));
    });
  });
}

/** Costs with all their digits: the order of the sums shows. */
function longStory(): RunEvent[] {
  const story = new Story().begin();
  for (let goal = 0; goal < 5; goal++) {
    story.add(`g${goal}`).examine(`g${goal}`).slate(`g${goal}`, 'micro/close');
    for (let attempt = 0; attempt < 6; attempt++) {
      const [name, arm] = [`a${goal}.${attempt}`, attempt % 2 ? 'micro/close' : 'micro/cases'];
      const cost = Math.sin(goal * 7 + attempt + 1) ** 2 / 3;
      const body = {
        arm,
        reward: cost / 7,
        cpu_seconds: cost,
        wall_seconds: cost * 1.1,
        context: `c${goal % 2}`,
      };
      story.startAttempt(name, `g${goal}`).finishAttempt(name, `g${goal}`, body);
      story.judge(name, `g${goal}`, {
        arm,
        cpu_seconds: cost / 9,
        verdict: attempt % 3 ? 'rejected' : 'accepted',
      });
    }
    story.closeGoal(`g${goal}`, goal % 2 === 0).sample();
  }
  return [...story.refute('g3', 'n := 3').events, ...ticketStory()];
}

function ticketStory(): readonly RunEvent[] {
  const text = 'a "quoted" \\ text with \n lines, ∀ α ≤ β and 𝔽';
  const story = new Story('market').openTicket('t1', { goal: `theorem ${text} (n : Nat) : n + 0 = n` });
  story.openTicket('t2', { goal: 'theorem reversed (xs : List α) : xs.reverse.length = xs.length' });
  story.openTicket('t3', { goal: 'theorem other (n m : Nat) (h : n = m) : m = n' });
  return story.claimTicket('t1').completeTicket('t1').events;
}

/** All questions to the parts, by name. */
async function answersOf({ views, experience, tickets, journal }: Ledger): Promise<Record<string, unknown>> {
  return {
    runs: await views.runs(9),
    run: await views.run('run-1'),
    goals: await views.goalsOf('run-1'),
    goalList: await views.goalList('run-1'),
    someGoals: await views.goalList('run-1', ['g2', 'nobody']),
    states: await views.goalStates('run-1'),
    goal: await views.goal('run-1', 'g1'),
    arms: await views.arms(0),
    armsOf: await views.armsOf('run-1'),
    hours: await views.strategiesByHour(0),
    totals: await views.totals(),
    cache: await views.cacheEntries(9),
    cpu: await views.cpuSeconds(),
    running: await views.running('run-1'),
    samples: await views.samplesOf('run-1', 9),
    scores: await views.scoresOf('run-1', 9),
    progress: await views.progressOf('run-1', 9),
    notes: await views.notesOf('run-1', 9),
    controls: await views.controlsOf('run-1', 9),
    records: await experience.armRecords(),
    tried: await experience.tried(hashOf('g1'), 'print'),
    proved: await experience.provedBefore(hashOf('g1')),
    history: await experience.goalHistory(hashOf('g1')),
    lessons: await experience.lessons(9),
    armLessons: await experience.armLessons(9),
    unfinished: await experience.unfinishedRuns(),
    open: await experience.openGoals('run-1'),
    uses: await experience.premiseUses(9),
    tickets: await tickets.all(),
    counts: await tickets.counts(),
    like: (await tickets.like('(n m : Nat) : n = m List', 9)).map(({ ticket_id }) => ticket_id),
    events: await journal.eventsOf('run-1'),
  };
}
