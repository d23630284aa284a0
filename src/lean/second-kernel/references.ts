import { fieldOf } from '../../core/errors.ts';
import type { ConstantKey } from './messages.ts';

/**
 * The constants that an export, or the data of a library constant, mentions but does not declare. Only used to
 * prefetch library data: the kernel finds errors in the export, so nothing is checked here.
 */
export function constantsIn(json: string | undefined): ConstantKey[] {
  if (json === undefined) return [];
  const data = parse(json);
  const keyOf = keysOf(data);
  const found = new Set<ConstantKey>();
  for (const row of items(data['exprs'])) {
    const [tag, name] = items(row);
    if (tag === 'c' || tag === 'j') found.add(keyOf(name));
  }
  for (const field of ['all', 'constructors']) for (const name of items(data[field])) found.add(keyOf(name));
  if ('inductive' in data) found.add(keyOf(data['inductive']));
  for (const row of items(data['declarations'])) {
    found.delete(keyOf(fieldOf(row, 'name')));
    for (const type of items(fieldOf(row, 'types'))) {
      const own = keyOf(fieldOf(type, 'name')).slice(0, -1);
      for (const key of found) if (key === `${own}]` || key.startsWith(`${own},"rec`)) found.delete(key);
      for (const pair of items(fieldOf(type, 'constructors'))) found.delete(keyOf(items(pair)[0]));
    }
  }
  return [...found];
}

/**
 * The declarations of an export, recursors included. A file that is judged alone must not use names of the
 * library.
 */
export function declaredIn(json: string): ConstantKey[] {
  const data = parse(json);
  const keyOf = keysOf(data);
  return items(data['declarations']).flatMap((row) => {
    const types = fieldOf(row, 'types');
    if (types === undefined) return [keyOf(fieldOf(row, 'name'))];
    return items(types).flatMap((type) => {
      const own = keyOf(fieldOf(type, 'name'));
      const constructors = items(fieldOf(type, 'constructors')).map((pair) => keyOf(items(pair)[0]));
      return [own, `${own.slice(0, -1)},"rec"]`, ...constructors];
    });
  });
}

/** The keys of an export's names, by their numbers. */
function keysOf(data: Record<string, unknown>): (reference: unknown) => ConstantKey {
  const keys: string[][] = [[]];
  for (const row of items(data['names']).slice(1)) {
    const [parent, part] = items(row);
    keys.push([...(keys[Number(parent)] ?? []), JSON.stringify(part)]);
  }
  return (reference) => `[${(keys[Number(reference)] ?? []).join(',')}]`;
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
