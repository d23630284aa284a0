import { InvalidArgumentError, Option, type Command } from 'commander';
import { descriptions, type SettingName } from '../../config/descriptions.ts';
import type { ExitCode } from '../../core/exit.ts';
import { reporterNames } from '../../reporters/reporter.ts';
import { runSettings } from '../../config/flags.ts';

/** Parses and checks options; an error is one line, with exit code 2. */

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('expected a number of seconds above 0.');
  return seconds;
}

/** Arguments of `option`: the time limit of a run. */
export const timeoutOption = [
  '--timeout <seconds>',
  'wall-clock limit for the whole run, set-up excluded (default: none)',
  parseSeconds,
] as const;

export const reporterOption = (): Option =>
  new Option('--reporter <name>', 'how to report; live on a terminal, else plain').choices(reporterNames);

/** The flags of every command that runs goals. Settings stay text here: they are parsed in one place with all others. */
export function addRunOptions(command: Command): Command {
  for (const [name, value] of Object.entries(runSettings))
    command.option(`${flagOf(name)} ${value}`, descriptions[name as SettingName]);
  return addProjectOptions(command)
    .addOption(new Option('--target-util <share>', 'another name of --cpu-target').hideHelp())
    .option('--label <text>', 'label of the run, shown in stats and on the dashboard')
    .option('--seed <number>', 'random seed', parseSeed, 1)
    .addOption(reporterOption());
}

/** The same, for commands that can use remote workers. */
export function addWorkersOption(command: Command): Command {
  return addRunOptions(command).addOption(
    new Option('--workers <where>', 'where to search: in this process, or on every orch worker of the ledger')
      .choices(['here', 'remote'])
      .default('here'),
  );
}

/** For every command that reads project files. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--use-embedded', 'use the embedded Lean even if the project asks for another version')
    .option('--build', 'with a native Lean: run `lake build` for missing modules');
}

/** For every other command that opens the ledger. */
export function addLedgerOption(command: Command): Command {
  return command.option(`--ledger ${runSettings.ledger}`, descriptions.ledger);
}

function flagOf(setting: string): string {
  return `--${setting.replaceAll('_', '-')}`;
}

/** Parses a whole number of at least `least`; without bounds, any. */
export function wholeNumber(least?: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range =
    least === undefined
      ? ''
      : most === Number.MAX_SAFE_INTEGER
        ? ` of at least ${least}`
        : ` from ${least} to ${most}`;
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < (least ?? -Infinity) || value > most)
      throw new InvalidArgumentError(`expected a whole number${range}.`);
    return value;
  };
}

/** Parses a number in this range. */
export function numberIn(least: number, most = Infinity): (text: string) => number {
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || value > most)
      throw new InvalidArgumentError(`expected a number ${range}.`);
    return value;
  };
}

export const parseSeed = wholeNumber(0);
export const parseCount = wholeNumber(1);
export const parsePort = wholeNumber(0, 65_535);

/** For options that can be repeated. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

type Work<Args extends unknown[]> = (...args: Args) => Promise<ExitCode>;

/** An action whose result is the exit code. Commander appends the command to the arguments. */
export function exitWith<Args extends unknown[]>(work: Work<Args>): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    process.exitCode = await work(...(given.slice(0, -1) as Args));
  };
}

/** The same, loaded when the command runs. */
export function exitFrom<Args extends unknown[]>(
  load: () => Promise<Work<Args>>,
): (...given: unknown[]) => Promise<void> {
  return exitWith<Args>(async (...args) => await (await load())(...args));
}
