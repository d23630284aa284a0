import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/io/log.ts';
import { logEvents } from '../../src/reporters/log.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines } from '../helpers/orch.ts';
import { smallRun } from '../reporters/recorded.ts';

const silence = (): void => undefined;

/** Number of lines logged by a small run. */
function lines(level: 'info' | 'trace', notes: boolean): number {
  let count = 0;
  const log = openLog({ level, talk: () => count++, environment: {} });
  const listen = logEvents(log, { notes });
  for (const event of smallRun) listen(event);
  return count;
}

describe('log', () => {
  test('writes one line of text per entry for people', () => {
    let text = '';
    const log = openLog({ level: 'info', talk: (line) => (text += line), environment: {} });
    log.debug('too small');
    log.warn({ goal: 'a' }, 'slow\nworker\u001B[2J');
    expect(text).toMatch(/^\d\d:\d\d:\d\d warn  slow\\nworker\\u\{1B\}\[2J goal="a"\n$/);
  });

  test('appends JSON lines to a file and creates its folder', () => {
    const file = path.join(temporaryFolder(), 'deep/orch.log');
    for (const word of ['one', 'two'])
      openLog({ level: 'trace', file, talk: silence, environment: {} }).error({ word }, 'text');
    expect(jsonLines(readFileSync(file, 'utf8'))).toMatchObject([
      { level: 'error', word: 'one', msg: 'text' },
      { level: 'error', word: 'two', msg: 'text' },
    ]);
  });

  test('a file that cannot be written is an error with a fix', () => {
    const file = path.join(temporaryFolder(), 'x');
    openLog({ level: 'info', file, talk: silence, environment: {} });
    expect(() =>
      openLog({ level: 'info', file: path.join(file, 'y'), talk: silence, environment: {} }),
    ).toThrow(/cannot write the log file/);
  });

  test('redacts secrets by field name and by value', () => {
    let text = '';
    const environment = { SOME_API_KEY: 'sk-"quoted"-123', GITHUB_TOKEN: 'ghp_abcdef', MONKEY: 'short' };
    const log = openLog({ level: 'info', talk: (line) => (text += line), environment });
    log.info({ request: { headers: { authorization: 'Bearer xyz' } }, token: 'tok' }, 'asked');
    log.info({ url: 'https://host/?k=ghp_abcdef' }, 'failed with sk-"quoted"-123, in short');
    expect(text).not.toMatch(/xyz|"tok"|ghp_abcdef|quoted/);
    expect(text).toContain('in short');
  });

  test('events have log levels; notes appear only if nothing else shows them', () => {
    // a beginning, four closed goals, an end
    expect(lines('info', false)).toBe(6);
    expect(lines('info', true)).toBe(7);
    expect(lines('trace', true)).toBe(smallRun.length);
  });
});
