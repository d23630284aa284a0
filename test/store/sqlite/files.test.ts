import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { migrationsOf } from '../../../src/store/ledger/migrations.ts';
import { digestOf, newestSchema, schemaAt } from '../../../src/store/sqlite/migrations.ts';
import { openLedger } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { Story } from '../ledger/story.ts';
import { HandClock, temporaryLedger } from '../ledger/temporary.ts';

const clock = new HandClock();

/** A ledger of many pages, closed. */
async function fullLedger(): Promise<string> {
  const story = new Story().begin();
  for (let index = 0; index < 200; index++) story.add(`g${index}`).examine(`g${index}`);
  const { file, ledger } = await temporaryLedger(story.events);
  await ledger.close();
  return file;
}

async function refusal(file: string, options: { readOnly?: boolean } = {}): Promise<UserError> {
  try {
    await (await openLedger(file, { clock, ...options })).close();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error(`${file} was opened`);
}

function scribble(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  for (let at = from; at < from + length; at++) bytes[at] = (at * 31) & 0xff;
  writeFileSync(file, bytes);
}

function sql(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

test('user tables and indexes are allowed, and an ordinary file is recognised by its digest', async () => {
  const file = await fullLedger();
  sql(file, 'CREATE TABLE notes (a); CREATE INDEX by_note ON notes (a)');
  await (await openLedger(file, { clock })).close();
  const newest = migrationsOf('ledger').at(-1)?.version ?? 0;
  expect(digestOf(schemaAt(newest))).toBe(newestSchema);
});

test.each([true, false])('a pipe is refused at once (read-only: %s)', async (readOnly) => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  execFileSync('mkfifo', [file]);
  expect((await refusal(file, { readOnly })).code).toBe('not-a-file');
});

describe('a file that is not a ledger is not changed', () => {
  const spoilers: readonly [string, string, (file: string) => void][] = [
    ['not SQLite', 'not-a-ledger', (file) => writeFileSync(file, 'some notes of mine, longer than a header')],
    ['shorter than a header', 'not-a-ledger', (file) => writeFileSync(file, 'hm')],
    ['cut off', 'ledger-corrupt', (file) => truncateSync(file, 4096 * 5)],
    ['overwritten in the middle', 'ledger-corrupt', (file) => scribble(file, 4096 * 30, 4096 * 20)],
    ['overwritten at its schema', 'ledger-corrupt', (file) => scribble(file, 100, 3000)],
    [
      'with a trigger of its own',
      'ledger-foreign',
      (file) => sql(file, 'CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM proofs; END'),
    ],
    [
      'with a view that never ends',
      'ledger-foreign',
      (file) =>
        sql(
          file,
          'DROP VIEW attempts; CREATE VIEW attempts AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n',
        ),
    ],
    ['that says it is empty', 'ledger-foreign', (file) => sql(file, 'PRAGMA user_version = 0')],
    ['newer', 'ledger-newer', (file) => sql(file, 'PRAGMA user_version = 9999')],
    [
      "another program's",
      'not-a-ledger',
      (file) => {
        writeFileSync(file, '');
        sql(file, 'CREATE TABLE photographs (id)');
      },
    ],
  ];
  test.each(spoilers)('%s: %s', async (_, code, spoil) => {
    const file = await fullLedger();
    spoil(file);
    const before = readFileSync(file);
    for (const readOnly of [false, true]) {
      const error = await refusal(file, { readOnly });
      expect(error.code).toBe(code);
      expect(error.message).toContain(file);
      expect(error.hint).toBeTruthy();
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a folder at its path, a file in the place of its folder', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'ledger.db'));
    expect((await refusal(path.join(folder, 'ledger.db'))).code).toBe('ledger-unreadable');
    writeFileSync(path.join(folder, 'file'), '');
    expect((await refusal(path.join(folder, 'file', 'ledger.db'))).code).toBe('ledger-unreadable');
  });
});

describe('opening', () => {
  test('an empty file becomes a ledger; an existing one is reopened', async () => {
    const file = path.join(temporaryFolder(), 'ledger.db');
    writeFileSync(file, '');
    const story = new Story().begin().add('g1');
    for (const event of story.events) {
      await using ledger = await openLedger(file, { clock });
      await ledger.journal.append([event]);
    }
    await using ledger = await openLedger(file, { clock, readOnly: true });
    expect(await ledger.views.goalsOf('run-1')).toHaveLength(1);
    await expect(ledger.journal.append([story.events[0] as never])).rejects.toThrow(UserError);
  });

  test('a reader creates no file', async () => {
    const file = path.join(temporaryFolder(), 'there', 'ledger.db');
    expect((await refusal(file, { readOnly: true })).message).toContain('nothing has been run yet');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test('an old schema is upgraded, only by a writer', async () => {
    const file = path.join(temporaryFolder(), 'ledger.db');
    const database = new DatabaseSync(file);
    const first = new URL('../../../sql/ledger/0001_sources.sql', import.meta.url);
    database.exec(
      `${readFileSync(first, 'utf8')}; PRAGMA user_version = 1; PRAGMA application_id = 0x6f726368`,
    );
    database.close();
    expect((await refusal(file, { readOnly: true })).code).toBe('ledger-older');
    await using ledger = await openLedger(file, { clock });
    await ledger.journal.append([new Story().begin().events[0] as never]);
    expect(await ledger.views.runs(1)).toHaveLength(1);
  });
});

describe('a full disk', () => {
  test('is reported; recorded events are kept, and the ledger continues when there is space', async () => {
    const { file, ledger } = await temporaryLedger(new Story().begin().events);
    await ledger.close();
    const small = await openLedger(file, { clock, maxPages: 100 });
    let kept = 1;
    const fill = async (): Promise<void> => {
      for (; ; kept++) await small.journal.append([new Story().add(`g${kept}`).events[0] as never]);
    };
    await expect(fill()).rejects.toThrow(expect.objectContaining({ code: 'disk-full', name: 'UserError' }));
    expect(kept).toBeGreaterThan(1);
    const count = kept;
    await expect(
      small.journal.append(new Story('run-2').begin().add('x'.repeat(100_000)).events),
    ).rejects.toThrow(UserError);
    expect(await small.journal.eventsSince(0, 10_000)).toHaveLength(count);
    expect(await small.verify()).toEqual([]);
    await small.close();

    await using roomy = await openLedger(file, { clock });
    await roomy.journal.append([new Story().add('one more').events[0] as never]);
    expect(await roomy.views.goalsOf('run-1')).toHaveLength(count);
    expect(await roomy.verify()).toEqual([]);
  });
});

describe('a process killed while it creates the ledger', () => {
  test.each([false, true])(
    'leaves a file that the next process repairs (read-only: %s)',
    async (readOnly) => {
      const { file, ledger } = await temporaryLedger(new Story().begin().events);
      await ledger.close();
      leaveJournal(file);
      await using next = await openLedger(file, { clock, readOnly });
      expect(await next.journal.eventsSince(0, 10)).toHaveLength(1);
      expect(existsSync(`${file}-journal`)).toBe(false);
    },
  );
});

/** A transaction that has changed the file and was never committed, as SQLite keeps it before a file is a WAL file. */
function leaveJournal(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN');
  const insert = database.prepare("INSERT INTO events (run, at, type, body) VALUES ('r', 0, 'note', '{}')");
  for (let row = 0; row < 5000; row++) insert.run();
  const [half, journal] = [readFileSync(file), readFileSync(`${file}-journal`)];
  database.exec('ROLLBACK');
  database.close();
  writeFileSync(file, half);
  writeFileSync(`${file}-journal`, journal);
}
