import { InvalidArgumentError, Option, type Command } from 'commander';
import { descriptions, type SettingName } from '../../config/descriptions.ts';
import { reporterNames } from '../../reporters/reporter.ts';
import { runSettings } from '../../config/flags.ts';

/** Parses and checks options; an error is one line, with exit code 2. */

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('expected a number of seconds above 0.');
  return seconds;
}

/** The flags of every command that runs goals. Settings stay text here: they are parsed in one place with all others. */
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

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError('expected a whole number, 0 or more.');
  return seed;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('expected a whole number of at least 1.');
  return count;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return port;
}
