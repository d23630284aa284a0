import { sha256 } from '../toolchain/fingerprint.ts';
import { moduleSource } from '../toolchain/worker-source.ts';
import { advisories } from './advisories.ts';

let version: string | undefined;

/**
 * Which judge this is: its Lean modules and the advisories that it knows, as a hash. Whatever changes either makes another judge, and
 * proofs of the old one count for nothing until they are judged again.
 */
export function judgeVersion(): string {
  version ??= sha256(JSON.stringify([moduleSource('Worker.Judge'), advisories])).slice(0, 12);
  return version;
}
