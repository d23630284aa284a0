import { environmentAliases } from './schema.ts';
import type { SettingName } from './descriptions.ts';
import { isSetting, readSetting } from './text.ts';

/** A value as given, its source, and its parsed form. */
interface Given {
  readonly raw: unknown;
  readonly where: string;
  readonly value: unknown;
}
export type AllGiven = Partial<Record<SettingName, Given>>;

/**
 * ORCH_CACHE_DIR → cache_dir. Variables that name no setting are ignored, because a later version may know them. The full
 * name wins over an alias.
 */
export function fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  place: string,
): AllGiven {
  const given: AllGiven = {};
  const aliasesFirst = Object.entries(environment).sort(
    ([a], [b]) => Number(b in environmentAliases) - Number(a in environmentAliases),
  );
  for (const [variable, raw] of aliasesFirst) {
    const isOurs = variable in environmentAliases || variable.startsWith('ORCH_');
    const name = environmentAliases[variable] ?? variable.replace(/^ORCH_/, '').toLowerCase();
    if (isOurs && raw !== undefined && raw !== '' && isSetting(name))
      given[name] = { raw, value: readSetting(name, raw), where: `${variable} ${place}` };
  }
  return given;
}
