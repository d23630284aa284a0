import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Option, type Argument, type Command } from 'commander';
import { packageRoot } from '../../config/package.ts';

/** A command as `docs/commands.json` describes it: enough for `orch --help` and completion without loading any command. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly string[];
  readonly options: readonly {
    readonly flags: string;
    readonly description: string;
    readonly values?: readonly string[];
  }[];
  readonly commands: readonly ListedCommand[];
}

export function listingOf(command: Command): ListedCommand {
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map(termOf),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description, argChoices }) => ({
        flags,
        description,
        ...(argChoices && { values: argChoices }),
      })),
    commands: command.commands.map(listingOf),
  };
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Every command; `npm run docs:generated` writes the file, and a test compares it with the commands. */
export function readListing(): ListedCommand {
  return JSON.parse(readFileSync(path.join(packageRoot, 'docs/commands.json'), 'utf8')) as ListedCommand;
}

/** Adds a command's name, arguments and description: what the list of commands in `orch --help` shows. */
export function addListed(program: Command, listed: ListedCommand): void {
  const command = program
    .command([listed.name, ...listed.arguments].join(' '))
    .description(listed.description);
  for (const { flags } of listed.options) command.addOption(new Option(flags));
}
