import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { failed, success, type Failed, type Fault, type Result } from '../core/result.ts';
import { withoutSecrets } from '../core/secrets.ts';
import { filesInLines, shellWord, whyIgnored } from '../config/checkout.ts';
import { trustOf } from '../config/trust.ts';
import { checkoutEntries, listOptions, namesPrograms } from './git-config.ts';
import { remotesWithPrograms, unlistedRemotes } from './git-remotes.ts';
import { cleanEnvironment, findProgram } from './programs.ts';

/** Git's answer. A refusal is a value, not an exception. */
export type GitAnswer = Result<string, Fault<'git'>>;

/** Why git may not run in this folder: its configuration is not trusted. */
export async function refusalFor(folder: string): Promise<Failed<Fault<'git'>> | undefined> {
  const listed = await execute(folder, ['config', ...listOptions], false);
  const listOf = async (file: string): Promise<string | undefined> => {
    const content = await execute(folder, ['config', '--file', file, '--list', '-z'], false);
    return content.ok ? content.value : undefined;
  };
  // this works outside a repository too; configuration that cannot be listed could contain anything
  if (!listed.ok)
    return failed({ ...listed.error, message: `cannot list git's configuration: ${listed.error.message}` });
  const entries = checkoutEntries(listed.value);
  const places = await execute(folder, ['rev-parse', '--show-toplevel', '--git-common-dir'], true);
  const [top = folder, common = '.git'] = places.ok ? places.value.split('\n') : [];
  const keys = [
    ...(await namesPrograms(entries, listOf)),
    ...(await remotesWithPrograms(entries, top, listOf)),
    ...unlistedRemotes(path.resolve(folder, common)),
  ];
  if (keys.length === 0) return undefined;
  const trust = trustOf(top, 'git', process.env, filesIn(entries, top));
  if (trust.kind === 'trusted') return undefined;
  const way =
    trust.kind === 'ci' ? 'Remove them from .git/config.' : `Type: orch trust ${shellWord(trust.folder)}`;
  return failed({
    kind: 'git',
    message: `.git/config sets ${keys.join(', ')}, which can start programs, and ${whyIgnored(trust)}. ${way}`,
    fix: 'Read .git/config first.',
  });
}

/** The files of a checkout that its configuration includes, or names as programs. */
export async function filesNamedByGit(top: string): Promise<string[]> {
  const listed = await execute(top, ['config', ...listOptions], false);
  return listed.ok ? filesIn(checkoutEntries(listed.value), top) : [];
}

const filesIn = (entries: ReturnType<typeof checkoutEntries>, top: string): string[] =>
  filesInLines(
    entries.flatMap(({ file, value }) => [path.resolve(top, file), value]),
    top,
  );

const missingGit: Fault<'git'> = {
  kind: 'git',
  message: 'git is not installed, or not on PATH',
  fix: 'Install git (Debian: apt-get install git) and try again.',
};

export async function execute(folder: string, args: readonly string[], trims: boolean): Promise<GitAnswer> {
  const answer = await executeForBytes(folder, args);
  if (!answer.ok) return answer;
  const text = answer.value.toString('utf8');
  return success(trims ? text.trim() : text);
}

export async function executeForBytes(
  folder: string,
  args: readonly string[],
  wrapper: readonly string[] = [],
): Promise<Result<Buffer, Fault<'git'>>> {
  const [program = '', ...all] = [...wrapper, gitProgram(), ...overrules, ...args];
  return await new Promise((resolve) => {
    const options = {
      cwd: folder,
      env: gitEnvironment(),
      maxBuffer: 64 << 20,
      timeout: 120_000,
      encoding: 'buffer',
    } as const;
    execFile(program, all, options, (error, stdout, stderr) => {
      if (error && findProgram('git', process.env['PATH']) === undefined) resolve(failed(missingGit));
      else if (error) resolve(failed(faultOf(folder, stderr.toString('utf8').trim() || error.message)));
      else resolve(success(stdout));
    });
  });
}

function faultOf(folder: string, said: string): Fault<'git'> {
  if (!/^fatal: not a git repository/m.test(said)) return { kind: 'git', message: withoutSecrets(said) };
  const message = `${path.resolve(folder)} is not in a git repository`;
  return { kind: 'git', message, fix: 'Change to a repository, or run git init and commit.' };
}

/** Git's answer about a folder, for commands that start no programs (`rev-parse`, `remote get-url`); empty outside a repository. */
export function gitFact(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync(gitProgram(), [...overrules, ...args], {
      cwd: folder,
      // git would fetch objects that a partial clone lacks, with the programs that .git/config names
      env: { ...gitEnvironment(), GIT_ALLOW_PROTOCOL: 'none' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/** For every call: no hooks, no monitor, no bare repository disguised as a folder, no submodules. */
const overrules = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'diff.ignoreSubmodules=all',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

function gitProgram(): string {
  return findProgram('git', process.env['PATH']) ?? '/usr/bin/git';
}

/** Variables that git and ssh need to reach a remote as the user would; no tokens of other tools. */
const forGit =
  /^(SSH_(AUTH_SOCK|AGENT_PID|ASKPASS)|XDG_CONFIG_HOME|KRB5CCNAME|SSL_CERT_(FILE|DIR)|GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|CONFIG_\w+|AUTHOR_\w+|COMMITTER_\w+|CEILING_DIRECTORIES)|(?:https?|all|no)_proxy)$/i;

/** Git must never prompt, and must ignore variables of a surrounding git process. */
function gitEnvironment(): Record<string, string> {
  const more = Object.keys(process.env).filter((name) => forGit.test(name));
  return { ...cleanEnvironment(process.env, more), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
