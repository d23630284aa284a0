import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { strategiesOf, workersOf } from '../../src/config/schema.ts';
import { UserError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../helpers/folders.ts';

const source = fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined });

describe('settings', () => {
  test('default < orch.toml < .env < environment < flag', () => {
    fc.assert(
      fc.property(source, source, source, source, (toml, dotEnv, environment, flag) => {
        const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-test-'));
        try {
          if (toml !== undefined) writeFileSync(path.join(folder, 'orch.toml'), `max_light = ${toml}\n`);
          if (dotEnv !== undefined) writeFileSync(path.join(folder, '.env'), `ORCH_MAX_LIGHT=${dotEnv}\n`);
          const settings = loadSettings({
            folder,
            environment: environment === undefined ? {} : { ORCH_MAX_LIGHT: String(environment) },
            flags: { max_light: flag },
          });
          const expected = flag ?? environment ?? dotEnv ?? toml;
          expect(settings.max_light).toBe(expected ?? 8);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
    );
  });

  test('are frozen', () => {
    expect(Object.isFrozen(loadSettings({ folder: temporaryFolder(), environment: {} }))).toBe(true);
  });

  test('empty and foreign variables are ignored', () => {
    const folder = temporaryFolder();
    const environment = { ORCH_NUM_PROCS: '', ORCH_OF_A_LATER_VERSION: '1', LEAN: '/elsewhere' };
    expect(loadSettings({ folder, environment })).toEqual(loadSettings({ folder, environment: {} }));
  });

  test('NUM_PROCS is an alias of ORCH_NUM_PROCS', () => {
    expect(loadSettings({ folder: temporaryFolder(), environment: { NUM_PROCS: '3' } }).num_procs).toBe(3);
  });

  test('the full name of a variable overrides its alias', () => {
    const both = { ORCH_NUM_PROCS: '2', NUM_PROCS: '3' };
    const folder = temporaryFolder();
    const settings = (environment: Record<string, string>) => loadSettings({ folder, environment });
    expect(settings(both).num_procs).toBe(2);
    expect(settings(Object.fromEntries(Object.entries(both).reverse())).num_procs).toBe(2);
  });

  test('the documented defaults', () => {
    expect(loadSettings({ folder: temporaryFolder(), environment: {} })).toMatchObject({
      profile: 0,
      strategies: [],
      features: {},
      budgets: {},
      cpu_target: 0.5,
      max_light: 8,
      max_heavy: 0,
      escalate_threshold: 0.6,
      goal_cpu: 120,
      ledger: '.orch/ledger.db',
      log_level: 'warn',
    });
  });

  test.each([
    ['0', undefined, 0],
    ['0', '1', 1],
    ['1', undefined, 2],
    ['2', '0', 0],
  ])('at profile %s ORCH_MAX_HEAVY=%s means %i heavy slots', (profile, heavy, expected) => {
    const environment = { ORCH_PROFILE: profile, ORCH_MAX_HEAVY: heavy };
    expect(loadSettings({ folder: temporaryFolder(), environment }).max_heavy).toBe(expected);
  });

  test('policy freezes in orch.toml and in the environment', () => {
    const folder = temporaryFolder();
    const settings = (environment: Record<string, string> = {}) => loadSettings({ folder, environment });
    writeFileSync(
      path.join(folder, 'orch.toml'),
      'profile = 2\n[features]\ncopilot = "off"\nsketch = false\nmicro = "on"\n',
    );
    expect(settings().features).toEqual({ copilot: false, sketch: false, micro: true });
    expect(strategiesOf(settings())).toEqual(['micro', 'reprover']);
    expect(strategiesOf(settings({ ORCH_STRATEGIES: 'copilot, micro' }))).toEqual(['micro']);
    for (const text of [
      'copilot:off,reprover:off',
      '{copilot: off, reprover: false}',
      'copilot=0,reprover=OFF',
    ])
      expect(settings({ ORCH_FEATURES: text }).features).toEqual({ copilot: false, reprover: false });
  });

  test('budgets are factors per strategy', () => {
    const folder = temporaryFolder();
    const settings = (environment: Record<string, string> = {}) => loadSettings({ folder, environment });
    writeFileSync(path.join(folder, 'orch.toml'), '[budgets]\nmicro = 2\n');
    expect(settings().budgets).toEqual({ micro: 2 });
    for (const text of ['micro:1,copilot:0.5', '{micro: 1, copilot: 0.5}', 'micro=1,copilot=0.5'])
      expect(settings({ ORCH_BUDGETS: text }).budgets).toEqual({ micro: 1, copilot: 0.5 });
  });

  test.each([
    [0, ['micro']],
    [1, ['micro', 'copilot']],
    [2, ['micro', 'copilot', 'reprover']],
  ])('profile %i enables its strategies', (profile, names) => {
    expect(
      strategiesOf(loadSettings({ folder: temporaryFolder(), environment: {}, flags: { profile } })),
    ).toEqual(names);
    const environment = { ORCH_MODEL: 'cmd:cat' };
    const planned = loadSettings({ folder: temporaryFolder(), environment, flags: { profile } });
    expect(strategiesOf(planned).filter((name) => name !== 'sketch')).toEqual(names);
    expect(strategiesOf(planned)).toContain('sketch');
  });

  test.each([
    [0.5, 1, 1],
    [0.5, 2, 1],
    [0.5, 8, 4],
    [0.5, 64, 8],
    [0.9, 2, 2],
    [0.1, 30, 3],
    [1, 4, 4],
  ])('CPU target %f on %i cores: %i workers', (cpu_target, cores, workers) => {
    expect(workersOf({ cpu_target, num_procs: undefined }, cores)).toBe(workers);
    expect(workersOf({ cpu_target, num_procs: 5 }, cores)).toBe(5);
  });

  test.each([
    [
      'a number that is none',
      { ORCH_NUM_PROCS: 'many' },
      '',
      /num_procs is "many" \(ORCH_NUM_PROCS in the environment\), but must be a whole number from 1 to 256/,
    ],
    ['a number out of range', { NUM_PROCS: '0' }, '', /num_procs is "0" \(NUM_PROCS in the environment\)/],
    ['a fraction', { ORCH_NUM_PROCS: '1.5' }, '', /num_procs/],
    ['a number as text', {}, 'num_procs = "2"\n', /num_procs is "2" \(in .*orch\.toml\)/],
    ['a target above 1', { ORCH_CPU_TARGET: '50' }, '', /cpu_target .* above 0 and at most 1/],
    ['a profile that does not exist', { ORCH_PROFILE: '3' }, '', /must be 0, 1 or 2/],
    [
      'a strategy that does not exist',
      { ORCH_STRATEGIES: 'micro,magic' },
      '',
      /strategies is "micro,magic" .* micro, copilot, sketch or reprover/,
    ],
    ['a switch that does not exist', { ORCH_FEATURES: 'magic:off' }, '', /features .* on or off for micro/],
    [
      'a budget of zero',
      { ORCH_BUDGETS: 'micro:0' },
      '',
      /budgets .* a number from 0\.1 to 100 for micro, copilot, sketch or reprover/,
    ],
    ['a switch half-way', {}, '[features]\ncopilot = "maybe"\n', /features is .*maybe/],
    [
      'a log level that does not exist',
      { ORCH_LOG_LEVEL: 'loud' },
      '',
      /trace, debug, info, warn, error, fatal or silent/,
    ],
    [
      'a key that does not exist',
      {},
      'numprocs = 2\n',
      /orch\.toml has a setting that does not exist: "numprocs"/,
    ],
    ['a wrong type', {}, 'cache_dir = 7\n', /cache_dir is 7/],
    ['no TOML at all', {}, 'num_procs = = 2\n', /not valid TOML/],
  ])('%s is an error with a fix', (_, environment, toml, message) => {
    const folder = temporaryFolder();
    if (toml) writeFileSync(path.join(folder, 'orch.toml'), toml);
    const load = () => loadSettings({ folder, environment });
    expect(load).toThrow(UserError);
    expect(load).toThrow(message);
  });

  test('all invalid values in .env are reported', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, '.env'), 'ORCH_PROFILE=9\n');
    expect(() => loadSettings({ folder, environment: { ORCH_MAX_LIGHT: '0' } })).toThrow(
      /profile is "9" \(ORCH_PROFILE in \.env\)[^]*max_light is "0"/,
    );
  });

  test.each([
    ['numprocs', 'Did you mean num_procs?'],
    ['Profile', 'Did you mean profile?'],
    ['max_hevy', 'Did you mean max_heavy?'],
    ['colour_of_the_sky', 'Settings: lean, '],
  ])('an unknown key %s gets a suggestion', (key, hint) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'orch.toml'), `${key} = 1\n`);
    try {
      loadSettings({ folder, environment: {} });
      expect.unreachable();
    } catch (error) {
      expect((error as UserError).hint).toContain(hint);
    }
  });
});
