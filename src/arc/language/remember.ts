/**
 * Caches what several operations compute about one image or list: the search tries dozens of variants on each value,
 * and three of them use every criterion. Cached results are dropped with their value.
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
