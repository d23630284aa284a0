import type { Position } from './protocol.ts';

/** For people: lines and columns both count from 1, as editors show them. */
export function describePosition([line, column]: Position): string {
  return `line ${line}, column ${column + 1}`;
}
