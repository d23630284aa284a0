/**
 * What several operations ask about one image or list is found once: the search tries dozens of variants on each value,
 * and every criterion alone is asked for by three of them. What is remembered goes with the value it is about.
 */
const memory = new WeakMap<object, Map<string, unknown>>();

export function remembered<T>(about: object, name: string, find: () => T): T {
  let known = memory.get(about);
  if (known === undefined) {
    known = new Map();
    memory.set(about, known);
  }
  if (known.has(name)) return known.get(name) as T;
  const found = find();
  known.set(name, found);
  return found;
}
