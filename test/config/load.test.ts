import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { UserError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../helpers/folders.ts';

const source = fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined });

describe('settings', () => {
  test('default < orch.toml < .env < environment < flag', () => {
    fc.assert(
      fc.property(source, source, source, source, (toml, dotEnv, environment, flag) => {
        const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-test-'));
        try {
          if (toml !== undefined) writeFileSync(path.join(folder, 'orch.toml'), `num_procs = ${toml}\n`);
          if (dotEnv !== undefined) writeFileSync(path.join(folder, '.env'), `ORCH_NUM_PROCS=${dotEnv}\n`);
          const settings = loadSettings({
            folder,
            environment: environment === undefined ? {} : { ORCH_NUM_PROCS: String(environment) },
            flags: { num_procs: flag },
          });
          const expected = flag ?? environment ?? dotEnv ?? toml;
          if (expected === undefined) expect(settings.num_procs).toBeGreaterThanOrEqual(1);
          else expect(settings.num_procs).toBe(expected);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
    );
  });

  test('are frozen', () => {
    expect(Object.isFrozen(loadSettings({ folder: temporaryFolder(), environment: {} }))).toBe(true);
  });

  test('an empty variable and a foreign one count for nothing', () => {
    const folder = temporaryFolder();
    const environment = { ORCH_NUM_PROCS: '', ORCH_OF_A_LATER_VERSION: '1', LEAN: '/elsewhere' };
    expect(loadSettings({ folder, environment })).toEqual(loadSettings({ folder, environment: {} }));
  });

  test('NUM_PROCS is another name of ORCH_NUM_PROCS', () => {
    expect(loadSettings({ folder: temporaryFolder(), environment: { NUM_PROCS: '3' } }).num_procs).toBe(3);
  });

  test.each([
    ['a number that is none', { ORCH_NUM_PROCS: 'many' }, ''],
    ['a number out of range', { ORCH_NUM_PROCS: '0' }, ''],
    ['a fraction', { ORCH_NUM_PROCS: '1.5' }, ''],
    ['a key that does not exist', {}, 'numprocs = 2\n'],
    ['a wrong type', {}, 'cache_dir = 7\n'],
    ['no TOML at all', {}, 'num_procs = = 2\n'],
  ])('%s is an error that people can act on', (_, environment, toml) => {
    const folder = temporaryFolder();
    if (toml) writeFileSync(path.join(folder, 'orch.toml'), toml);
    expect(() => loadSettings({ folder, environment })).toThrow(UserError);
  });
});
