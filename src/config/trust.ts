import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { makeFolders } from '../core/folders.ts';
import { homeFolder } from './home.ts';
import { UserError } from '../core/errors.ts';
import { sha256 } from '../core/sha256.ts';

/**
 * Which checkouts the user has trusted. A checkout can choose programs, servers and folders through the files below; it may do
 * so only while each of them has the content that the user saw when typing `orch trust`. The list is kept in the user's own
 * configuration folder, by path, with a hash of each file.
 *
 *   unknown ── orch trust ──▶ trusted ── a file changes, appears or goes ──▶ changed ── orch trust ──▶ trusted
 *   trusted, changed ── orch trust --revoke ──▶ unknown
 *
 * In CI nothing is trusted, because there is no user to review it and a pull request can change any file.
 */
export type Trust =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'unknown'; readonly folder: string }
  | {
      readonly kind: 'changed';
      readonly folder: string;
      readonly files: readonly string[];
      readonly since: string;
    }
  | { readonly kind: 'ci' };

/** The files of a checkout that can choose something, by their reader. */
const guardedFiles = {
  settings: ['orch.toml', '.env', '.orch'],
  lake: [
    'lean-toolchain',
    'lakefile.lean',
    'lakefile.toml',
    'lake-manifest.json',
    '.lake/package-overrides.json',
  ],
  git: ['.git/config'],
} as const;
export type Guarded = keyof typeof guardedFiles;

type Variables = Readonly<Record<string, string | undefined>>;

const Entry = z.strictObject({ since: z.string(), files: z.record(z.string(), z.string()) });
const Store = z.strictObject({ version: z.literal(1), folders: z.record(z.string(), Entry) });
type Folders = Readonly<Record<string, z.infer<typeof Entry>>>;

/** A larger file is not a settings file and would only fill memory. */
const mostBytes = 1 << 20;
/** A program that a setting names may be large. */
const mostHashedBytes = 1 << 30;

/** Whether the user trusts what these files of a folder choose. */
export function trustOf(
  folder: string,
  guarded: Guarded,
  environment: Variables,
  named: readonly string[] = [],
): Trust {
  if (isCi(environment)) return { kind: 'ci' };
  const real = realFolder(folder);
  const entry = readStore(environment)[real];
  if (entry === undefined) return { kind: 'unknown', folder: real };
  const files = changedFiles(real, entry.files, named).filter(
    (name) => isOf(guarded, name) || named.includes(name),
  );
  if (files.length > 0) return { kind: 'changed', folder: real, files, since: entry.since };
  const ask = (): Trust => trustOf(real, guarded, environment, named);
  reliedOn.set(real, { ...reliedOn.get(real), [guarded]: ask });
  return { kind: 'trusted' };
}

/** Trust that this process has acted on, by folder. */
const reliedOn = new Map<string, Partial<Record<Guarded, () => Trust>>>();

/**
 * Checked before a program starts that a checkout may have chosen: a process may run for days, and a pull may change the
 * program. Returns why it must not start, if so.
 */
export function endedTrust(...folders: readonly string[]): string | undefined {
  for (const folder of new Set(folders.map(realFolder)))
    for (const ask of Object.values(reliedOn.get(folder) ?? {})) {
      const trust = ask();
      if (trust.kind === 'changed')
        return `${trust.files.join(', ')} in ${folder} changed since orch started; read it, type orch trust there and start again`;
      if (trust.kind !== 'trusted') return `${folder} is no longer trusted; start again`;
    }
  return undefined;
}

/** Most services set CI, some to 1. Azure Pipelines, TeamCity, Jenkins and AWS CodeBuild have only variables of their own. */
const ciVariables = [
  'CI',
  'GITHUB_ACTIONS',
  'TF_BUILD',
  'TEAMCITY_VERSION',
  'JENKINS_URL',
  'CODEBUILD_BUILD_ID',
] as const;

export function isCi(environment: Variables): boolean {
  return ciVariables
    .map((name) => environment[name] ?? '')
    .some((value) => !['', '0', 'false', 'no'].includes(value.toLowerCase()));
}

/** Record the folder as it is now; returns the record. */
export function addTrust(
  folder: string,
  named: readonly string[],
  since: Date,
  environment: Variables,
): readonly string[] {
  const real = realFolder(folder);
  const files = Object.fromEntries(
    [...Object.values(guardedFiles).flat(), ...named].flatMap((name) => {
      const hash = hashOf(real, name);
      return hash === undefined ? [] : [[name, hash]];
    }),
  );
  writeStore({ ...readStore(environment), [real]: { since: since.toISOString(), files } }, environment);
  return Object.keys(files);
}

/** False if it was not trusted. A deleted folder can be revoked too. */
export function revokeTrust(folder: string, environment: Variables): boolean {
  const { [realFolder(folder)]: entry, ...rest } = readStore(environment);
  if (entry !== undefined) writeStore(rest, environment);
  return entry !== undefined;
}

export interface TrustedFolder {
  readonly folder: string;
  readonly since: string;
  readonly changed: readonly string[];
}

export function trustedFolders(environment: Variables): TrustedFolder[] {
  return Object.entries(readStore(environment)).map(([folder, { since, files }]) => ({
    folder,
    since,
    changed: changedFiles(folder, files),
  }));
}

/** Files that have changed, including those that a settings file names (`lean = "./lean.sh"`). */
function changedFiles(
  folder: string,
  known: Readonly<Record<string, string>>,
  named: readonly string[] = [],
): string[] {
  const names = new Set([...Object.values(guardedFiles).flat(), ...Object.keys(known), ...named]);
  return [...names].filter((name) => hashOf(folder, name) !== known[name]);
}

/** The guarded files that are not the same in two folders. */
export function differingFiles(guarded: Guarded, one: string, other: string): readonly string[] {
  return guardedFiles[guarded].filter((name) => hashOf(one, name) !== hashOf(other, name));
}

function isOf(guarded: Guarded, name: string): boolean {
  const isListed = (list: readonly string[]): boolean => list.includes(name);
  if (isListed(guardedFiles[guarded])) return true;
  return guarded === 'settings' && !Object.values(guardedFiles).some(isListed);
}

function hashOf(folder: string, name: string): string | undefined {
  if (name === '.orch') return linksOf(path.join(folder, name));
  const file = name === '.git/config' ? gitConfigOf(folder) : path.join(folder, name);
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (file === undefined || found === undefined) return undefined;
  if (!found.isFile()) return 'not a file';
  if (found.size > mostHashedBytes)
    throw new UserError('trust-file', `${file} is ${found.size} bytes long, too large to be trusted`);
  return sha256(readFileSync(file));
}

/** State is written to `.orch`. A checkout can contain it as a link, or with links inside, and so choose where we write. */
function linksOf(state: string): string | undefined {
  const found = lstatSync(state, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return `a link to ${readlinkSync(state)}`;
  const options = { withFileTypes: true, recursive: true } as const;
  const links = (found?.isDirectory() === true ? readdirSync(state, options) : [])
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name, parentPath }) => path.join(parentPath, name))
    .map((link) => `${path.relative(state, link)}: a link to ${readlinkSync(link)}`);
  return links.length === 0 ? undefined : links.toSorted().join('\n');
}

/** Refuses a `.orch` that links elsewhere, unless the user has trusted the folder with it. */
export function refuseLinkedState(folder: string, environment: Variables): void {
  const links = linksOf(path.join(folder, '.orch'));
  if (links === undefined || trustOf(folder, 'settings', environment).kind === 'trusted') return;
  throw new UserError(
    'linked-state',
    `.orch in ${folder} is or contains a link (${links.replaceAll('\n', ', ')}), and the folder is not trusted with it`,
    isCi(environment) ? 'Remove it, or set ORCH_LEDGER in the job.' : 'Remove it, or type: orch trust',
  );
}

/** In a linked work tree or a submodule, `.git` is a file with the path of the real folder. */
function gitConfigOf(folder: string): string | undefined {
  const place = path.join(folder, '.git');
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path.join(place, 'config');
  if (found?.isFile() !== true || found.size > mostBytes) return undefined;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8'))?.[1];
  if (target === undefined) return undefined;
  const own = path.resolve(folder, target);
  const common = readSmall(path.join(own, 'commondir'))?.toString('utf8').trim();
  return path.join(common === undefined ? own : path.resolve(own, common), 'config');
}

/** The content of a file in a checkout; undefined if it does not exist. */
export function readSmall(file: string): Buffer | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isFile() && found.size <= mostBytes) return readFileSync(file);
  const what = found.isFile() ? `${found.size} bytes long` : 'not a plain file';
  throw new UserError('bad-config-file', `${file} is ${what}`, `At most ${mostBytes} bytes are read.`);
}

/**
 * With the user's other configuration, never in a checkout: a relative XDG_CONFIG_HOME is ignored, as its
 * standard says.
 */
export function trustFile(environment: Variables): string {
  const { XDG_CONFIG_HOME: config = '' } = environment;
  const folder = path.isAbsolute(config) ? config : path.join(homeFolder(), '.config');
  return path.join(folder, 'orch', 'trusted.json');
}

function readStore(environment: Variables): Folders {
  const file = trustFile(environment);
  if (!existsSync(file)) return {};
  const { uid, mode } = statSync(file);
  const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
  const read = Store.safeParse(isOurs ? parsed(file) : undefined);
  if (read.success) return read.data.folders;
  const why = isOurs ? 'is damaged' : 'belongs to another user, or others may write it';
  throw new UserError(
    'trust-file',
    `${file} ${why}`,
    'Delete it and type orch trust again where you want it.',
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeStore(folders: Folders, environment: Variables): void {
  const file = trustFile(environment);
  const draft = `${file}.${process.pid}`;
  makeFolders(path.dirname(file), 0o700);
  writeFileSync(draft, `${JSON.stringify({ version: 1, folders }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

function realFolder(folder: string): string {
  const place = path.resolve(folder);
  return existsSync(place) ? realpathSync(place) : place;
}
