import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseToml, TomlError } from 'smol-toml';
import * as z from 'zod';
import { UserError } from '../core/errors.ts';
import { Settings, environmentAliases, type SettingName } from './schema.ts';

export interface ConfigSources {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags?: Partial<Record<SettingName, unknown>>;
}

/** Defaults < orch.toml < .env < environment < flags, as one frozen object. */
export function loadSettings({ folder, environment, flags = {} }: ConfigSources): Settings {
  const merged = {
    ...fromFile(path.join(folder, 'orch.toml')),
    ...fromEnvironment(dotEnv(path.join(folder, '.env'))),
    ...fromEnvironment(environment),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  };
  const result = Settings.safeParse(merged);
  if (result.success) return Object.freeze(result.data);
  throw new UserError(
    'bad-setting',
    `a setting is wrong:\n${z.prettifyError(result.error)}`,
    'Settings come from orch.toml, .env, ORCH_… variables and flags; the later one wins.',
  );
}

function fromFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    return parseToml(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UserError('bad-config-file', `${file} is not valid TOML: ${error.message}`, undefined, {
      cause: error,
    });
  }
}

function dotEnv(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** ORCH_CACHE_DIR → cache_dir. Names that are no setting are left alone: a later version may know them. */
function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const setting = environmentAliases[name] ?? name.replace(/^ORCH_/, '').toLowerCase();
    const isOurs = name in environmentAliases || name.startsWith('ORCH_');
    if (isOurs && value !== undefined && value !== '' && setting in Settings.shape) settings[setting] = value;
  }
  return settings;
}
