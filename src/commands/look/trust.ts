import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { harmless } from '../../shared/for-people.ts';

interface TrustOptions {
  readonly list?: true;
  readonly revoke?: true;
}

export function registerTrust(program: Command): void {
  program
    .command('trust')
    .description('Let the files of a folder choose programs, servers and folders, until one of them changes')
    .argument('[folder]', 'a checkout: its orch.toml, .env, Lake files and git config', '.')
    .option('--list', 'list trusted folders, and files that have changed since')
    .option('--revoke', 'stop trusting the folder')
    .addHelpText(
      'after',
      '\nThe list of trusted folders is in orch/trusted.json below XDG_CONFIG_HOME (default: ~/.config). In CI it has no effect:\nthere, only flags and the environment of the job count.',
    )
    .action(async (folder: string, { list, revoke }: TrustOptions) => {
      const said = list ? await listed() : revoke ? await revoked(folder) : await trusted(folder);
      process.stdout.write(harmless(said));
    });
}

async function listed(): Promise<string> {
  const { trustedFolders } = await import('../../config/trust.ts');
  const lines = trustedFolders(process.env).map(({ folder, since, changed }) => {
    const state = changed.length === 0 ? 'unchanged' : `changed since: ${changed.join(', ')}`;
    return `${folder}  ${since.slice(0, 10)}  ${state}\n`;
  });
  return lines.length === 0 ? 'No folder is trusted.\n' : lines.join('');
}

async function revoked(folder: string): Promise<string> {
  const { revokeTrust } = await import('../../config/trust.ts');
  const place = path.resolve(folder);
  return revokeTrust(folder, process.env)
    ? `${place} is no longer trusted.\n`
    : `${place} was not trusted.\n`;
}

async function trusted(folder: string): Promise<string> {
  const { filesNamedIn, fromCheckout, riskyNames } = await import('../../config/checkout.ts');
  const { aboutSettings, riskTexts } = await import('../../config/descriptions.ts');
  const { addTrust, isCi } = await import('../../config/trust.ts');
  const { systemClock } = await import('../../core/clock.ts');
  const { filesNamedByGit } = await import('../../io/git-process.ts');
  const place = path.resolve(folder);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError('no-such-folder', `${place} is not a folder`);
  const given = fromCheckout(place);
  const named = [...filesNamedIn(given, place), ...(await filesNamedByGit(place))];
  const files = addTrust(place, named, systemClock.date(), process.env);
  const settings = riskyNames(given).map((name) => {
    const { value, where } = given[name] ?? {};
    return `  ${name} = ${JSON.stringify(value)} (${where}): ${riskTexts[aboutSettings[name].risk]}\n`;
  });
  const others = files.filter((file) => !['orch.toml', '.env'].includes(file));
  return [
    `${place} is trusted until one of these files changes: ${files.join(', ') || 'none of them exists yet'}\n`,
    ...settings,
    ...(others.some((file) => file.startsWith('lake'))
      ? ['  Lake files: the toolchain they choose may run, with code of the project\n']
      : []),
    ...(isCi(process.env) ? ['This has no effect here: in CI no folder is trusted.\n'] : []),
  ].join('');
}
