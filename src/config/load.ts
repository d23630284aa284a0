import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseToml, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { UserError } from '../core/errors.ts';
import { descriptions, type SettingName } from './descriptions.ts';
import { nearest } from './nearest.ts';
import { Settings, environmentAliases } from './schema.ts';
import { allowed, isSetting, readText } from './text.ts';

export interface ConfigSources {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags?: SettingFlags;
}

/** Settings that flags give: text as it was typed, or a value. */
export type SettingFlags = Partial<Record<SettingName, unknown>>;

/** A value as it was given, where it was given, and as the schema wants it. */
interface Given {
  readonly raw: unknown;
  readonly where: string;
  readonly value: unknown;
}
type AllGiven = Partial<Record<SettingName, Given>>;

/** Defaults < orch.toml < .env < environment < flags, as one frozen object. */
export function loadSettings({ folder, environment, flags = {} }: ConfigSources): Settings {
  const given: AllGiven = {
    ...fromFile(path.join(folder, 'orch.toml')),
    ...fromEnvironment(dotEnv(path.join(folder, '.env')), 'in .env'),
    ...fromEnvironment(environment, 'in the environment'),
    ...fromFlags(flags),
  };
  const values = Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value]));
  const result = Settings.safeParse(values);
  if (result.success) return Object.freeze(result.data);
  throw new UserError(
    'bad-setting',
    complaint(result.error, given),
    'Settings come from orch.toml, .env, ORCH_… variables and flags; the later one wins.',
  );
}

/** One line a setting: its name, what it was, where it came from, what it may be. */
function complaint(error: z.ZodError, given: AllGiven): string {
  const names = new Set(error.issues.map(({ path: [name] }) => String(name)));
  const lines = [...names].filter(isSetting).map((name) => {
    const { raw, where } = given[name] ?? { raw: undefined, where: '' };
    return `setting ${name} is ${JSON.stringify(raw)} (${where}), but must be ${allowed(name)}`;
  });
  return lines.join('\n');
}

function fromFile(file: string): AllGiven {
  if (!existsSync(file)) return {};
  const given: AllGiven = {};
  for (const [name, value] of Object.entries(parseFile(file))) {
    if (!isSetting(name)) throw unknownKey(name, file);
    given[name] = { raw: value, value, where: `in ${file}` };
  }
  return given;
}

function parseFile(file: string): Record<string, unknown> {
  try {
    return parseToml(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UserError('bad-config-file', `${file} is not valid TOML: ${error.message}`, undefined, {
      cause: error,
    });
  }
}

function unknownKey(name: string, file: string): UserError {
  const names = Object.keys(descriptions);
  const meant = nearest(name, names);
  return new UserError(
    'unknown-setting',
    `${file} has a setting that does not exist: ${name}`,
    meant === undefined ? `There are: ${names.join(', ')}` : `Did you mean ${meant}?`,
  );
}

function dotEnv(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/**
 * ORCH_CACHE_DIR → cache_dir. Names that are no setting are left alone: a later version may know them. The full name wins
 * over an alias.
 */
function fromEnvironment(environment: Readonly<Record<string, string | undefined>>, place: string): AllGiven {
  const given: AllGiven = {};
  const aliasesFirst = Object.entries(environment).sort(
    ([a], [b]) => Number(b in environmentAliases) - Number(a in environmentAliases),
  );
  for (const [variable, raw] of aliasesFirst) {
    const isOurs = variable in environmentAliases || variable.startsWith('ORCH_');
    const name = environmentAliases[variable] ?? variable.replace(/^ORCH_/, '').toLowerCase();
    if (isOurs && raw !== undefined && raw !== '' && isSetting(name))
      given[name] = { raw, value: readText(name, raw), where: `${variable} ${place}` };
  }
  return given;
}

function fromFlags(flags: SettingFlags): AllGiven {
  const given: AllGiven = {};
  for (const [name, raw] of Object.entries(flags)) {
    if (raw === undefined || !isSetting(name)) continue;
    const value = typeof raw === 'string' ? readText(name, raw) : raw;
    given[name] = { raw, value, where: `--${name.replaceAll('_', '-')}` };
  }
  return given;
}
