import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hashOf, Story } from '../ledger/story.ts';
import { temporaryLedger } from '../ledger/temporary.ts';

/** The statements from the project's first notes, verbatim. */
const recentAttempts = `SELECT * FROM attempts ORDER BY timestamp DESC LIMIT 10;`;
const successRates = `SELECT strategy,
       COUNT(*) as attempts,
       SUM(success) as successes,
       AVG(time_seconds) as avg_time
FROM attempts
GROUP BY strategy;`;
const cachedTactics = `SELECT * FROM tactic_cache ORDER BY use_count DESC LIMIT 10;`;
const frontier = `
    SELECT DISTINCT goal_hash, goal_text
    FROM attempts
    WHERE success = 0
    AND goal_hash NOT IN (
        SELECT goal_hash FROM attempts WHERE success = 1
    )
`;
const checkpoint = `INSERT INTO attempts (goal_hash, strategy, success, time_seconds, tactics)
VALUES (?, ?, ?, ?, ?)`;

const run = (): Story =>
  new Story()
    .begin()
    .add('g1')
    .add('g2')
    .finishAttempt('a1', 'g1')
    .finishAttempt('a2', 'g1', { outcome: 'solved' })
    .judge('a2', 'g1')
    .judge(null, 'g1')
    .finishAttempt('a3', 'g2', { arm: 'search/shallow', outcome: 'timeout', wall_seconds: 3 })
    // a candidate that the gate did not accept is not a success
    .finishAttempt('a4', 'g2', { outcome: 'solved' })
    .judge('a4', 'g2', { verdict: 'rejected' });

/** As a person with the sqlite3 program: another connection, no code of ours. */
function opened(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

describe('the documented SQL', () => {
  test('reads the results of runs', async () => {
    const database = opened((await temporaryLedger(run().events)).file);
    expect(database.prepare(recentAttempts).all()).toMatchObject([
      { attempt: 'a4', success: 0, timestamp: '2026-01-01 00:00:09.000' },
      { attempt: 'a3', success: 0, time_seconds: 3, outcome: 'timeout' },
      { attempt: 'a2', success: 1, goal_text: 'theorem g1 (a : Nat) : a + 0 = a' },
      { attempt: 'a1', success: 0, tactics: '["simp_all"]' },
    ]);
    expect(database.prepare(successRates).all()).toMatchObject([
      { strategy: 'micro', attempts: 3, successes: 1, avg_time: 1 },
      { strategy: 'search', attempts: 1, successes: 0, avg_time: 3 },
    ]);
    expect(database.prepare(cachedTactics).all()).toMatchObject([
      {
        goal_hash: hashOf('g1'),
        tactics: 'by simp only [Nat.add_zero]',
        success_rate: 1,
        avg_time: 0.125,
        use_count: 2,
      },
      { goal_hash: hashOf('g2'), success_rate: 0, use_count: 1 },
    ]);
    expect(database.prepare(frontier).all()).toMatchObject([
      { goal_hash: hashOf('g2'), goal_text: 'theorem g2 (a : Nat) : a + 0 = a' },
    ]);
  });

  test('the newest attempts come from an index', async () => {
    const database = opened((await temporaryLedger()).file);
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${recentAttempts}`).all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toContain(
      'SCAN finished_attempts USING INDEX finished_attempts_timestamp',
    );
    expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE');
  });

  test('allows manual attempts, which do not count as proofs', async () => {
    const { file, ledger } = await temporaryLedger(run().events);
    const database = opened(file);
    const insert = database.prepare(checkpoint);
    insert.run('h1', 'micro', 0, 2.5, 'simp');
    insert.run('h2', 'micro', 0, 1, '["simp", "omega"]');
    insert.run('h2', 'micro', 1, 0.5, null);
    const rows = database.prepare('SELECT * FROM attempts WHERE run IS NULL ORDER BY time_seconds').all();
    expect(rows).toMatchObject([
      { goal_hash: 'h2', success: 1, outcome: 'solved', tactics: '[]', time_seconds: 0.5 },
      { goal_hash: 'h2', success: 0, outcome: 'failed', tactics: '["simp","omega"]' },
      { goal_hash: 'h1', success: 0, outcome: 'failed', tactics: '["simp"]', time_seconds: 2.5 },
    ]);
    const open = database
      .prepare(frontier)
      .all()
      .map((row) => row['goal_hash']);
    expect(new Set(open)).toEqual(new Set([hashOf('g2'), 'h1']));
    expect(await ledger.experience.provedBefore('h2')).toEqual([]);
    expect(await ledger.experience.goalHistory('h2')).toMatchObject({ attempts: 2, failures: 1, proofs: 0 });
    expect((await ledger.views.arms(0)).reduce((sum, { successes }) => sum + successes, 0)).toBe(1);
    expect(await ledger.verify()).toEqual([]);
  });

  test('a given time is kept to the millisecond; the default is now', async () => {
    const database = opened((await temporaryLedger()).file);
    const insert = database.prepare(
      "INSERT INTO attempts (goal_hash, strategy, success, timestamp) VALUES ('h', 'micro', 0, ?)",
    );
    insert.run('2026-01-31 23:59:59.987');
    insert.run(null);
    const [now, given] = database.prepare('SELECT timestamp FROM attempts ORDER BY timestamp DESC').all();
    expect(given).toEqual({ timestamp: '2026-01-31 23:59:59.987' });
    expect(Math.abs(Date.parse(`${String(now?.['timestamp'])}Z`) - Date.now())).toBeLessThan(60_000);
  });

  test('triggers for manual statements work in SQLite 3.40 (Debian 12)', async () => {
    const database = opened((await temporaryLedger()).file);
    const schema = database
      .prepare("SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view') AND sql IS NOT NULL")
      .all()
      .map(({ sql }) => String(sql).replaceAll(/--.*/g, ''));
    const tooNew =
      /'(?:subsec|subsecond|auto|ceiling|floor)'|\b(?:unhex|timediff|octet_length|string_agg|concat(?:_ws)?|jsonb?_(?:array_insert|error_position)|jsonb\w*)\s*\(/;
    expect(schema.filter((sql) => tooNew.test(sql))).toEqual([]);
    expect(tooNew.test("SELECT unixepoch('now', 'subsec')")).toBe(true);
  });

  test('events cannot be changed or removed', async () => {
    const database = opened((await temporaryLedger(run().events)).file);
    expect(() => database.exec('DELETE FROM events WHERE seq = 1')).toThrow('the ledger only grows');
    expect(() => database.exec("UPDATE events SET type = 'note'")).toThrow('the ledger only grows');
  });
});
