import { Argument, type Command } from 'commander';
import { readListing, type ListedCommand } from '../options/listing.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>', 'shell to complete for').choices(shells))
    .action((shell: Shell) => {
      process.stdout.write({ bash, zsh, fish }[shell](readListing()));
    });
}

/** Completions for the given words: subcommands and options. */
interface Place {
  readonly words: readonly string[];
  readonly commands: readonly { readonly name: string; readonly means: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly means: string;
    readonly values: readonly string[];
  }[];
}

function placesOf(listed: ListedCommand, words: readonly string[] = []): Place[] {
  const commands = listed.commands.map(({ name, description }) => ({ name, means: description }));
  const options = listed.options.map(({ flags, description, values = [] }) => ({
    flag: /--[\w-]+/.exec(flags)?.[0] ?? '',
    means: description,
    values,
  }));
  const below = listed.commands.flatMap((child) => placesOf(child, [...words, child.name]));
  return [
    { words, commands, options: [...options, { flag: '--help', means: 'help', values: [] }] },
    ...below,
  ];
}

/** After an option with a list of values, complete only those; elsewhere file names too. */
function bash(program: ListedCommand): string {
  const places = placesOf(program);
  const offers = places.map(
    ({ words, commands, options }) =>
      `    ${quoted(words.join(' '))}) words=${quoted([...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' '))} ;;`,
  );
  const known = places.filter(({ words }) => words.length > 0).map(({ words }) => quoted(words.join(' ')));
  const values = new Map(
    places.flatMap(({ options }) =>
      options.flatMap(({ flag, values: all }) => (all.length > 0 ? [[flag, all] as const] : [])),
    ),
  );
  return `_orch() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place='' word words=''
  case "$before" in
${[...values].map(([flag, all]) => `    ${flag}) COMPREPLY=($(compgen -W ${quoted(all.join(' '))} -- "$current")); return ;;`).join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${place:+$place }$word" in
      ${known.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${offers.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null
}
complete -F _orch orch
`;
}

/** zsh runs the script of bash. */
function zsh(program: ListedCommand): string {
  return `autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;
}

function fish(program: ListedCommand): string {
  const lines = placesOf(program).flatMap(({ words, commands, options }) => {
    const when = words.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.at(-1)}`;
    return [
      ...commands.map(
        ({ name, means }) => `complete -c orch -n ${quoted(when)} -a ${quoted(name)} -d ${quoted(means)}`,
      ),
      ...options.map(
        ({ flag, means, values }) =>
          `complete -c orch -n ${quoted(when)} -l ${flag.slice(2)} -d ${quoted(means)}${values.length > 0 ? ` -xa ${quoted(values.join(' '))}` : ''}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
