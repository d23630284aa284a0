import type { SettingName } from './descriptions.ts';
import type { AllGiven } from './given.ts';
import { isHarmless, isSetting } from './text.ts';

/**
 * The settings of an earlier run, from its ledger. Risky ones count only if they equal the current setting: anyone who can write the ledger could have put them there.
 */
export function fromRecord(
  recorded: Readonly<Record<string, unknown>>,
  present: AllGiven,
): { readonly kept: AllGiven; readonly notice?: string } {
  const kept: AllGiven = {};
  const ignored: SettingName[] = [];
  for (const [name, value] of Object.entries(recorded)) {
    if (!isSetting(name) || value === undefined || value === null) continue;
    if (isHarmless(name, value)) kept[name] = { raw: value, value, where: 'in the ledger' };
    else if (JSON.stringify(present[name]?.value) !== JSON.stringify(value)) ignored.push(name);
  }
  if (ignored.length === 0) return { kept };
  const variables = ignored.map((name) => `ORCH_${name.toUpperCase()}`).join(', ');
  return {
    kept,
    notice: `ignored ${ignored.join(', ')} of the earlier run: a ledger does not choose programs, servers, folders or costs\n  Set ${variables} to use ${ignored.length === 1 ? 'it' : 'them'} again.`,
  };
}
