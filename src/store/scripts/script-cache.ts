import { createHash } from 'node:crypto';

/** What a script was found with. Another Lean or Mathlib makes it useless; another project only less likely. */
export interface ScriptVersion {
  readonly lean: string;
  readonly mathlib: string;
  readonly project: string;
}

/** A script that has closed a goal, with holes for the goal's own names. */
export interface KnownScript extends ScriptVersion {
  readonly id: string;
  readonly shape: string;
  readonly goalHash: string;
  readonly template: string;
  /** The symbols of its goal: likeness is counted in these. */
  readonly tokens: readonly string[];
  readonly uses: number;
  readonly successes: number;
  /** CPU, of all uses. */
  readonly seconds: number;
  readonly lastUsed: number;
  readonly origin: string;
}

export type NewScript = Omit<KnownScript, 'id' | 'uses' | 'successes' | 'lastUsed' | 'origin'>;

/** Scripts of earlier goals: hints, bounded, and safe to delete. */
export interface ScriptCache {
  /** Those that this Lean and this Mathlib can use, most useful first. */
  usable(version: Pick<ScriptVersion, 'lean' | 'mathlib'>): KnownScript[];
  /** It has closed a goal, once more or for the first time. */
  learn(script: NewScript): KnownScript;
  /** It was tried on another goal. */
  used(id: string, held: boolean, seconds: number): void;
  close(): void;
}

export function scriptId({
  shape,
  template,
  lean,
  mathlib,
}: Pick<KnownScript, 'shape' | 'template' | 'lean' | 'mathlib'>): string {
  return createHash('sha256')
    .update(JSON.stringify([shape, template, lean, mathlib]))
    .digest('hex')
    .slice(0, 32);
}

/** The share of its uses in which it held, as if it had failed once and held once before: one success is no certainty. */
export function rateOf({ uses, successes }: Pick<KnownScript, 'uses' | 'successes'>): number {
  return (successes + 1) / (uses + 2);
}

/** A script that holds more often than this on the very same goal goes before everything else. */
const trustedRate = 0.7;

export function isTrusted({ uses, successes }: Pick<KnownScript, 'uses' | 'successes'>): boolean {
  return uses > 0 && successes / uses > trustedRate;
}
