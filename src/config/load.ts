import type * as z from 'zod';
import { UserError } from '../core/errors.ts';
import { fromCheckout, permitted } from './checkout.ts';
import type { SettingName } from './descriptions.ts';
import { fromEnvironment, type AllGiven } from './given.ts';
import { fromRecord } from './recorded.ts';
import { Settings } from './schema.ts';
import { allowed, isSetting, readSetting } from './text.ts';

export interface ConfigSources {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings of the resumed run. A ledger may be part of a checkout, so it may choose no more than a checkout. */
  readonly recorded?: SettingFlags;
  readonly flags?: SettingFlags;
  /** Receives one text about the settings that were ignored, for people. */
  readonly onIgnored?: (notice: string) => void;
}

/** Settings from flags: text as typed, or a value. */
export type SettingFlags = Partial<Record<SettingName, unknown>>;

/** Defaults < orch.toml < .env < environment < the resumed run's settings < flags, as one frozen object. */
export function loadSettings(sources: ConfigSources): Settings {
  const { folder, environment, recorded = {}, flags = {}, onIgnored } = sources;
  const checkout = fromCheckout(folder);
  const ours = { ...fromEnvironment(environment, 'in the environment'), ...fromFlags(flags) };
  // report mistakes even in files that do not count
  validated({ ...checkout, ...ours });
  const counts = permitted(checkout, folder, environment, ours);
  const present = { ...counts.kept, ...ours };
  const had = fromRecord(recorded, present);
  for (const { notice } of [counts, had]) if (notice !== undefined) onIgnored?.(notice);
  return validated({ ...present, ...had.kept, ...fromFlags(flags) });
}

function validated(given: AllGiven): Settings {
  const values = Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value]));
  const result = Settings.safeParse(values);
  if (result.success) return Object.freeze(result.data);
  throw new UserError(
    'bad-setting',
    complaint(result.error, given),
    'Settings come from orch.toml, .env, ORCH_… variables and flags; the later one wins.',
  );
}

/** One line per setting: its name, its value, where it came from, and what is allowed. */
function complaint(error: z.ZodError, given: AllGiven): string {
  const names = new Set(error.issues.map(({ path: [name] }) => String(name)));
  const lines = [...names].filter(isSetting).map((name) => {
    const { raw, where } = given[name] ?? { raw: undefined, where: '' };
    return `setting ${name} is ${JSON.stringify(raw)} (${where}), but must be ${allowed(name)}`;
  });
  return lines.join('\n');
}

function fromFlags(flags: SettingFlags): AllGiven {
  const given: AllGiven = {};
  for (const [name, raw] of Object.entries(flags)) {
    if (raw === undefined || !isSetting(name)) continue;
    const value = typeof raw === 'string' ? readSetting(name, raw) : raw;
    given[name] = { raw, value, where: `--${name.replaceAll('_', '-')}` };
  }
  return given;
}
