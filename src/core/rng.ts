import { createHash } from 'node:crypto';

/** A number from 0 to 2³² − 1 that depends only on the parts, so the same run makes the same choices. */
export function seedFrom(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}
