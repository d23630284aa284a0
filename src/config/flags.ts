import type { SettingName } from './descriptions.ts';
import type { SettingFlags } from './load.ts';

/** The settings that commands which run goals take as flags, with the placeholder of the value in `--help`. */
export const runSettings = {
  profile: '<0|1|2>',
  strategies: '<names>',
  cpu_target: '<share>',
  max_light: '<count>',
  max_heavy: '<count>',
  escalate_threshold: '<difficulty>',
  num_procs: '<count>',
  goal_cpu: '<seconds>',
  ledger: '<file>',
  log_level: '<level>',
  log_file: '<file>',
} as const satisfies Partial<Record<SettingName, string>>;
/** The flags that were given, as settings: for `settingsFrom`. */
export function settingFlags(options: Readonly<Record<string, unknown>>): SettingFlags {
  const flags: SettingFlags = {};
  for (const name of Object.keys(runSettings) as (keyof typeof runSettings)[])
    flags[name] = options[name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
  flags.cpu_target ??= options['targetUtil'];
  if (options['useEmbedded'] === true) flags.lean = 'embedded';
  if (options['build'] === true) flags.lake_build = 'on';
  return flags;
}
