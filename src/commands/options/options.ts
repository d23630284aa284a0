import { InvalidArgumentError, Option, type Command } from 'commander';
import { descriptions, type SettingName } from '../../config/descriptions.ts';
import type { SettingFlags } from '../../config/load.ts';
import { UserError } from '../../core/errors.ts';
import type { WorkersChoice } from '../../app/session.ts';
import { reporterNames, type ReporterName } from '../../reporters/reporter.ts';
import { readTextFile } from '../../io/text-file.ts';

/** What options hold, read and checked; whatever is wrong with it is told in one line, and we exit 2. */

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('expected a number of seconds above 0.');
  return seconds;
}

export function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file}: ${message}`;
    throw new UserError('unreadable-file', why, undefined, { cause: error });
  }
}

/** The settings that commands which run goals take as flags, with what stands for the value in `--help`. */
const runSettings = {
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

/** What `addRunOptions` adds besides settings. */
export interface RunOptions {
  readonly label?: string;
  readonly seed: number;
  readonly reporter?: ReporterName;
  readonly workers?: WorkersChoice;
}

/** The flags of every command that runs goals. Settings stay text here: they are read and checked in one place, with all others. */
export function addRunOptions(command: Command): Command {
  for (const [name, value] of Object.entries(runSettings))
    command.option(`${flagOf(name)} ${value}`, descriptions[name as SettingName]);
  return addProjectOptions(command)
    .addOption(new Option('--target-util <share>', 'another name of --cpu-target').hideHelp())
    .option('--label <text>', 'label of the run, shown in stats and on the dashboard')
    .option('--seed <number>', 'random seed', parseSeed, 1)
    .addOption(
      new Option('--reporter <name>', 'how to report; live on a terminal, else plain').choices(reporterNames),
    );
}

/** The same, for those whose goals may go to workers on other machines. */
export function addWorkersOption(command: Command): Command {
  return addRunOptions(command).addOption(
    new Option('--workers <where>', 'who looks for proofs: this process, or every orch worker of the ledger')
      .choices(['here', 'remote'])
      .default('here'),
  );
}

/** For every command that reads files of projects. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--use-embedded', 'use the embedded Lean even if the project asks for another version')
    .option('--build', 'with a native Lean: run `lake build` for missing modules');
}

/** The flag of every other command that opens the ledger. */
export function addLedgerOption(command: Command): Command {
  return command.option(`--ledger ${runSettings.ledger}`, descriptions.ledger);
}

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

function flagOf(setting: string): string {
  return `--${setting.replaceAll('_', '-')}`;
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError('expected a whole number, 0 or more.');
  return seed;
}

/** For a server: until somebody presses Ctrl-C. */
export async function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  await promise;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('expected a whole number from 1 on.');
  return count;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return port;
}
