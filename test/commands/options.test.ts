import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addRunOptions } from '../../src/commands/options/options.ts';
import { settingFlags } from '../../src/config/flags.ts';
import type { RunOptions } from '../../src/app/run.ts';
import { loadSettings } from '../../src/config/load.ts';
import { temporaryFolder } from '../helpers/folders.ts';

function parse(args: readonly string[]) {
  const command = addRunOptions(new Command('bank'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  command.parse(args, { from: 'user' });
  const options = command.opts<RunOptions>();
  const settings = (environment = {}) =>
    loadSettings({ folder: temporaryFolder(), environment, flags: settingFlags({ ...options }) });
  return { options, settings };
}

describe('flags of commands that run goals', () => {
  test('become settings and override the environment', () => {
    const flags = '--profile 2 --strategies micro,reprover --cpu-target 0.9 --max-light 3 --max-heavy 1';
    const more =
      '--escalate-threshold 0.7 --num-procs 4 --goal-cpu 30 --ledger l.db --log-level debug --log-file l.log';
    const { settings } = parse([...flags.split(' '), ...more.split(' ')]);
    expect(settings({ ORCH_PROFILE: '1', ORCH_CPU_TARGET: '0.2' })).toMatchObject({
      profile: 2,
      strategies: ['micro', 'reprover'],
      cpu_target: 0.9,
      max_light: 3,
      max_heavy: 1,
      escalate_threshold: 0.7,
      num_procs: 4,
      goal_cpu: 30,
      ledger: 'l.db',
      log_level: 'debug',
      log_file: 'l.log',
    });
  });

  test('missing flags leave the settings unchanged', () => {
    expect(parse([]).settings({ ORCH_PROFILE: '1' })).toMatchObject({ profile: 1, cpu_target: 0.5 });
    expect(parse([]).options).toEqual({ seed: 1 });
  });

  test('--target-util is --cpu-target', () => {
    expect(parse(['--target-util', '0.25']).settings().cpu_target).toBe(0.25);
  });

  test('an invalid value names the flag and the allowed values', () => {
    expect(() => parse(['--cpu-target', '2']).settings()).toThrow(
      'setting cpu_target is "2" (--cpu-target), but must be a number above 0 and at most 1',
    );
  });

  test.each([[['--seed', '-1']], [['--seed', '1.5']], [['--reporter', 'loud']]])(
    '%j is a usage error',
    (args) => {
      expect(() => parse(args)).toThrow('error: option');
    },
  );
});
