/** A value that a project gives one of Lean's options. */
export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;

/** As a command line and a lakefile write it. */
export function valueOf(text: string): OptionValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1');
}

/** In an order that does not depend on who wrote them down. */
export function sortedOptions(options: Options): [string, OptionValue][] {
  return Object.entries(options).toSorted(([first], [second]) => (first < second ? -1 : 1));
}
