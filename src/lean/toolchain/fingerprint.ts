import { createHash } from 'node:crypto';
import { describeToolchain, type Toolchain } from './toolchain.ts';

/**
 * Everything besides statement and proof that a verdict depends on: toolchain, imports, preamble, and the modules of a
 * project with their options. Two results
 * with the same fingerprint can be compared; a cached one with another is only a hint.
 */
export function environmentFingerprint(
  toolchain: Toolchain,
  preamble: string,
  /** What identifies the modules of a project under the preamble, with their options (environments.ts). */
  closure = '',
): string {
  return sha256(JSON.stringify([describeToolchain(toolchain), toolchain.imports, sha256(preamble), closure]));
}

/** The identity of a goal: the hash of its canonical form, which Lean serialises from the elaborated expression. */
export function goalHash(canonical: string): string {
  return sha256(canonical);
}

/** Hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
