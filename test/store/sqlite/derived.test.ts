import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeKinds, type RunEvent } from '../../../src/shared/events.ts';
import { LedgerConflict, type Ledger } from '../../../src/store/ledger/ledger.ts';
import { derivedTables } from '../../../src/store/ledger/derived-tables.ts';
import { Story } from '../ledger/story.ts';
import { temporaryLedger } from '../ledger/temporary.ts';
import { times } from '../../helpers/tier.ts';

/** A possible event; whether the ledger accepts it depends on earlier ones. */
type Step = (story: Story) => Story;

const goal = fc.constantFrom('g1', 'g2', 'g3');
const attempt = fc.constantFrom('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
const arm = fc.constantFrom('micro/close', 'micro/cases', 'search/shallow');
const seconds = fc.double({ min: 0, max: 1e4, noNaN: true });
const ticket = fc.constantFrom('t1', 't2');
const text = fc.string({ unit: 'grapheme' });

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>((story) => story.begin()),
  fc.constantFrom('done', 'drained').map(
    (reason): Step =>
      (story) =>
        story.end(reason),
  ),
  fc.tuple(goal, text).map(
    ([name, statement]): Step =>
      (story) =>
        story.add(name, { statement }),
  ),
  goal.map(
    (name): Step =>
      (story) =>
        story.examine(name),
  ),
  goal.map(
    (name): Step =>
      (story) =>
        story.slate(name, 'micro/close'),
  ),
  fc.tuple(goal, fc.option(ticket)).map(
    ([name, id]): Step =>
      (story) =>
        story.park(name, id),
  ),
  fc.tuple(goal, fc.boolean()).map(
    ([name, solved]): Step =>
      (story) =>
        story.closeGoal(name, solved),
  ),
  goal.map(
    (name): Step =>
      (story) =>
        story.refute(name),
  ),
  fc.tuple(attempt, goal, arm).map(
    ([id, name, which]): Step =>
      (story) =>
        story.startAttempt(id, name, which),
  ),
  fc
    .tuple(
      attempt,
      goal,
      fc.record({
        arm,
        outcome: fc.constantFrom(...outcomeKinds),
        reward: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        context: fc.constantFrom('easy', 'hard'),
        cpu_seconds: seconds,
        wall_seconds: seconds,
        cache_hits: fc.nat(3),
        peak_bytes: fc.nat(),
        error: fc.option(text),
        tactics: fc.array(text),
      }),
    )
    .map(
      ([id, name, body]): Step =>
        (story) =>
          story.finishAttempt(id, name, body),
    ),
  fc
    .tuple(
      fc.option(attempt),
      goal,
      fc.record({
        arm,
        proof: fc.constantFrom('rfl', 'by omega', 'by simp'),
        verdict: fc.constantFrom('accepted', 'rejected', 'unknown'),
        cpu_seconds: seconds,
      }),
    )
    .map(
      ([id, name, body]): Step =>
        (story) =>
          story.judge(id, name, body),
    ),
  ticket.map(
    (id): Step =>
      (story) =>
        story.openTicket(id),
  ),
  fc.tuple(ticket, fc.constantFrom('x', 'y')).map(
    ([id, who]): Step =>
      (story) =>
        story.claimTicket(id, who),
  ),
  ticket.map(
    (id): Step =>
      (story) =>
        story.completeTicket(id),
  ),
  fc.constant<Step>((story) => story.sample()),
);

/** Most sequences begin as runs do; the rest is left to chance. */
const stories = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom('run-1', 'run-2'), steps), { maxLength: 60 }))
  .map(([begins, moves]) => {
    const first = begins ? ['run-1', 'run-2'].map((run) => new Story(run).begin().add('g1').add('g2')) : [];
    const rest = moves.map(([run, step]) => step(new Story(run)));
    return [...first, ...rest].flatMap(({ events }) => events);
  });

/** Appends the events that the ledger accepts. */
async function appendPossible(ledger: Ledger, events: readonly RunEvent[]): Promise<number> {
  let taken = 0;
  for (const event of events) {
    try {
      expect(await ledger.journal.append([event])).toBe(++taken);
    } catch (error) {
      if (!(error instanceof LedgerConflict)) throw error;
    }
  }
  return taken;
}

describe('derived tables', () => {
  test('equal those recomputed from the events after any sequence', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (events) => {
        const { ledger } = await temporaryLedger();
        const taken = await appendPossible(ledger, events);
        expect(await ledger.journal.eventsSince(0, 1000)).toHaveLength(taken);
        expect(await ledger.verify()).toEqual([]);
      }),
      { numRuns: times(20, 300) },
    );
  });

  test('are repaired by a rebuild, and verify reports the errors', async () => {
    const story = new Story()
      .begin()
      .add('g1')
      .examine('g1')
      .startAttempt('a1', 'g1')
      .startAttempt('a2', 'g1');
    const { file, ledger } = await temporaryLedger(
      story.finishAttempt('a1', 'g1').judge(null, 'g1').openTicket('t1').events,
    );
    const database = new DatabaseSync(file);
    const content = (): unknown =>
      derivedTables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
    const before = content();
    for (const table of derivedTables) database.exec(`DELETE FROM ${table}`);
    expect(await ledger.verify()).toEqual(
      derivedTables.map(
        (table) => expect.stringContaining(`${table} has 0 wrong rows and lacks `) as unknown,
      ),
    );
    await ledger.rebuild();
    expect(await ledger.verify()).toEqual([]);
    expect(content()).toEqual(before);
    database.exec('UPDATE arm_records SET mean = mean + 1e-9');
    expect(await ledger.verify()).toEqual([
      expect.stringContaining('arm_records has 1 wrong rows and lacks 1'),
    ]);
    database.close();
  });

  test('are all in the list', async () => {
    const { file } = await temporaryLedger();
    const database = new DatabaseSync(file);
    const triggers = database
      .prepare(
        "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('derivation', 'goal_history', 'tactic_cache')",
      )
      .all();
    const written = triggers.flatMap(({ sql }) =>
      [...String(sql).matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)(?= |\n)/g)].map(
        ([, table]) => table,
      ),
    );
    expect(new Set(written)).toEqual(new Set(derivedTables));
    database.close();
  });
});

async function tamper(statement: string): Promise<string[]> {
  const { file, ledger } = await temporaryLedger(new Story().begin().add('g1').judge(null, 'g1').events);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(statement);
  database.close();
  return await ledger.verify();
}

describe('verify finds inconsistencies', () => {
  test.each([
    [
      "UPDATE proofs SET assurance = 'elaborated'",
      /^proof 3 of g1 was accepted, but checked only as far as elaborated$/,
    ],
    ['DELETE FROM proofs', /^proofs lacks 1 row/],
    ['DELETE FROM runs', /^row \d+ of goals refers to a row of runs that does not exist$/],
    [
      "INSERT INTO events (seq, run, at, type, body) VALUES (9, 'r', 0, 'note', '{}')",
      /^the events are numbered 1 to 9, but there are 4$/,
    ],
  ])('%s', async (statement, expected) => {
    expect(await tamper(statement)).toContainEqual(expect.stringMatching(expected));
  });
});
