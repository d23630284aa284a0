import type { Declared, Judged } from '../base/protocol.ts';
import { isBefore } from './account.ts';

/**
 * A theorem that was refused only for a `sorry` gets the verdict of a second reading, in which open theorems were assumed, if all
 * that it then rests on stands above it in the reference or in imported modules.
 */
export function withGiven(
  judged: readonly Judged[],
  given: readonly Judged[],
  written: readonly Declared[],
): Judged[] {
  const places = new Map(
    written.flatMap(({ constants, start }) => constants.map((name) => [name, start] as const)),
  );
  return judged.map((one) => {
    const again = given.find(({ name }) => name === one.name);
    if (one.ok || one.kind !== 'sorry' || !again?.ok || again.given.length === 0) return one;
    const own = places.get(one.name);
    const isAbove = (name: string): boolean => {
      const place = places.get(name);
      return place === undefined || (own !== undefined && isBefore(place, own));
    };
    return again.given.every(isAbove) ? again : one;
  });
}
