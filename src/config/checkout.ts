import { statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseToml, TomlError } from 'smol-toml';
import { UserError } from '../core/errors.ts';
import { aboutSettings, settingNames, type SettingName } from './descriptions.ts';
import { fromEnvironment, type AllGiven } from './given.ts';
import { nearest } from './nearest.ts';
import { isHarmless, isSetting } from './text.ts';
import { readSmall, trustOf, type Trust } from './trust.ts';

/** Settings from the files of a folder; `.env` overrides orch.toml. `permitted` decides which of them count. */
export function fromCheckout(folder: string): AllGiven {
  const variables = readSmall(path.join(folder, '.env'))?.toString('utf8');
  return {
    ...fromToml(path.join(folder, 'orch.toml')),
    ...(variables !== undefined && fromEnvironment(parseEnv(variables), 'in .env')),
  };
}

function fromToml(file: string): AllGiven {
  const text = readSmall(file)?.toString('utf8');
  const given: AllGiven = {};
  for (const [name, value] of Object.entries(text === undefined ? {} : parsed(file, text))) {
    if (!isSetting(name)) throw unknownKey(name, file);
    given[name] = { raw: value, value, where: `in ${file}` };
  }
  return given;
}

/** The message does not quote the file: it may be a link to a private one. */
function parsed(file: string, text: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n', 1)[0];
    throw new UserError('bad-config-file', `${file} is not valid TOML: line ${error.line}: ${what}`);
  }
}

function unknownKey(name: string, file: string): UserError {
  const meant = nearest(name, settingNames);
  return new UserError(
    'unknown-setting',
    `${file} has a setting that does not exist: ${JSON.stringify(name)}`,
    meant === undefined ? `Settings: ${settingNames.join(', ')}` : `Did you mean ${meant}?`,
  );
}

/**
 * The settings of a checkout that count: harmless ones always, others only in a trusted folder. Values that the environment or a flag overrides are not reported.
 */
export function permitted(
  given: AllGiven,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  overruling: AllGiven = {},
): { readonly kept: AllGiven; readonly notice?: string } {
  const risky = riskyNames(given);
  if (risky.length === 0) return { kept: given };
  const trust = trustOf(folder, 'settings', environment, filesNamedIn(given, folder));
  if (trust.kind === 'trusted') return { kept: withoutLake(given) };
  const needsTrust: readonly string[] = risky;
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !needsTrust.includes(name)));
  const ignored = risky.filter((name) => !(name in overruling));
  if (ignored.length === 0) return { kept };
  const what = ignored.map((name) => `${name} (${given[name]?.where})`).join(', ');
  return { kept, notice: `ignored ${what}: ${whyIgnored(trust)}\n  ${whatToType(trust, ignored)}` };
}

/**
 * `lean = "lake"` from a checkout has no effect: its own toolchain is chosen anyway, as long as its Lake files are the trusted ones. In the environment it means that the user allows any toolchain.
 */
function withoutLake({ lean, ...rest }: AllGiven): AllGiven {
  return lean === undefined || lean.value === 'lake' ? rest : { lean, ...rest };
}

/** The settings that need trust, in the order of the schema. */
export function riskyNames(given: AllGiven): SettingName[] {
  return settingNames.filter((name) => {
    const one = given[name];
    return one !== undefined && !isHarmless(name, one.value);
  });
}

export function whyIgnored(trust: Exclude<Trust, { kind: 'trusted' }>): string {
  switch (trust.kind) {
    case 'ci':
      return 'in CI a repository does not choose programs, servers, folders or costs';
    case 'unknown':
      return `${trust.folder} is not trusted`;
    case 'changed':
      return `${trust.files.join(', ')} changed since you trusted ${trust.folder} (${trust.since.slice(0, 10)})`;
  }
}

function whatToType(trust: Exclude<Trust, { kind: 'trusted' }>, names: readonly SettingName[]): string {
  if (trust.kind === 'ci')
    return `Set ${names.map((name) => `ORCH_${name.toUpperCase()}`).join(', ')} in the job's environment, or use flags.`;
  return `Read ${trust.kind === 'changed' ? trust.files.join(', ') : 'the files'}; if you want this, type: orch trust ${shellWord(trust.folder)}`;
}

/** Quoted for a shell. */
export function shellWord(text: string): string {
  return /^[\w/.@%+,:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Files of the folder that settings name as programs, such as a script: `cmd:python3 tools/model.py`, also as part of an argument
 * (`--require=./a.js`). A ledger or a log changes with every run and does not count.
 */
export function filesNamedIn(given: AllGiven, folder: string): string[] {
  const lines = riskyNames(given).flatMap((name) => {
    const value = aboutSettings[name].risk === 'folder' ? undefined : given[name]?.value;
    return typeof value === 'string' ? [value.replace(/^\w+:(?!\/\/)/, '')] : [];
  });
  return filesInLines(lines, folder);
}

/** The files of a folder that command lines name. */
export function filesInLines(lines: readonly string[], folder: string): string[] {
  const names = lines
    .flatMap((line) => [line, ...line.split(/\s+/), ...line.split(/[\s"'=,:;!]+/)])
    .filter((word) => word !== '')
    .map((word) => path.relative(folder, path.resolve(folder, word)))
    .filter((name) => name !== '' && !name.startsWith('..'))
    .filter((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile() === true);
  return [...new Set(names)];
}
