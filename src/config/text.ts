import * as z from 'zod';
import { SettingsFile } from './schema.ts';
import { aboutSettings, type AboutSetting, type SettingName } from './descriptions.ts';

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SettingsFile.shape, name);
}

/** Whether any checkout, trusted or not, may give the setting this value. The default is always allowed. */
export function isHarmless(name: SettingName, value: unknown): boolean {
  const { risk, harmless }: AboutSetting = aboutSettings[name];
  const standard: unknown = SettingsFile.shape[name].safeParse(undefined).data;
  return risk === 'none' || harmless?.(value) === true || value === standard;
}

/**
 * A setting as text (a variable, a flag) → the value that orch.toml would hold. Unparsable text is passed on, and the schema reports it.
 */
export function readSetting(name: SettingName, text: string): unknown {
  const type = bareType(name);
  if (type instanceof z.ZodArray) return separated(text);
  if (type instanceof z.ZodRecord)
    return type.valueType instanceof z.ZodNumber ? readFactors(text) : readSwitches(text);
  if (type instanceof z.ZodString || type instanceof z.ZodEnum) return text;
  return readNumber(text);
}

/** `copilot:off,reprover:on`; true/false and 1/0 mean on/off too, and a bare name means on. */
function readSwitches(text: string): Record<string, unknown> {
  const words: Record<string, string> = { true: 'on', false: 'off', 1: 'on', 0: 'off' };
  return Object.fromEntries(entries(text).map(([name, value = 'on']) => [name, words[value] ?? value]));
}

/** `micro:2,copilot:0.5` */
function readFactors(text: string): Record<string, unknown> {
  return Object.fromEntries(entries(text).map(([name, value = '']) => [name, readNumber(value)]));
}

function entries(text: string): [name: string, value?: string][] {
  return separated(text.replaceAll(/[{}"']/g, '')).map((entry) => {
    const [name = '', value] = entry.split(/[:=]/).map((part) => part.trim().toLowerCase());
    return value === undefined ? [name] : [name, value];
  });
}

/** Text that is not a number is passed on. */
function readNumber(text: string): unknown {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

function separated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Describes the allowed values: "a number above 0, at most 1". */
export function allowed(name: SettingName): string {
  const type = bareType(name);
  if (type instanceof z.ZodEnum) return oneOf(type.options.map(String));
  if (type instanceof z.ZodLiteral) return oneOf([...type.values].map(String));
  if (type instanceof z.ZodArray)
    return type.element instanceof z.ZodEnum
      ? `a list of ${oneOf(type.element.options.map(String))}`
      : 'a list of names';
  if (type instanceof z.ZodRecord) {
    const { keyType, valueType } = type;
    const what = valueType instanceof z.ZodNumber ? rangeOf(valueType) : 'on or off';
    return `${what} for ${oneOf((keyType as unknown as z.ZodEnum).options.map(String))}`;
  }
  if (type instanceof z.ZodNumber) return rangeOf(type);
  return 'text';
}

function rangeOf(type: z.ZodNumber): string {
  const { minimum, exclusiveMinimum, maximum, type: kind } = z.toJSONSchema(type);
  const what = kind === 'integer' ? 'whole number' : 'number';
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return `a ${what} above ${exclusiveMinimum}${isOpen ? '' : ` and at most ${maximum}`}`;
  return isOpen ? `a ${what} of at least ${minimum}` : `a ${what} from ${minimum} to ${maximum}`;
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** The type without its "optional" and "default". */
function bareType(name: SettingName): z.ZodType {
  let type: unknown = SettingsFile.shape[name];
  while (type instanceof z.ZodOptional || type instanceof z.ZodDefault) type = type.unwrap();
  return type as z.ZodType;
}
