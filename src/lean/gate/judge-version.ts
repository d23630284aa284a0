import { sha256 } from '../../core/sha256.ts';
import { moduleSource } from '../toolchain/worker-source.ts';
import { advisories } from './advisories.ts';

let version: string | undefined;

/**
 * Identifies the judge: a hash of its Lean modules and known advisories. A change of either makes a new judge, and older proofs do not count until they are judged again.
 */
export function judgeVersion(): string {
  version ??= sha256(JSON.stringify([moduleSource('Worker.Judge'), advisories])).slice(0, 12);
  return version;
}
