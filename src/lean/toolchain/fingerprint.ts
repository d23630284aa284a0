import { describeToolchain, type Toolchain } from './toolchain.ts';
import { sha256 } from '../../core/sha256.ts';

/**
 * Identifies everything besides statement and proof that a verdict depends on: toolchain, imports, preamble, and
 * project modules with their options. Results with equal fingerprints can be compared; a cached result with another
 * one is only a hint.
 */
export function environmentFingerprint(
  toolchain: Toolchain,
  preamble: string,
  /** Identifies the project modules below the preamble, with their options (environments.ts). */
  closure = '',
): string {
  return sha256(JSON.stringify([describeToolchain(toolchain), toolchain.imports, sha256(preamble), closure]));
}

/** The identity of a goal: the hash of its canonical form, which Lean serialises from the elaborated expression. */
export function goalHash(canonical: string): string {
  return sha256(canonical);
}
