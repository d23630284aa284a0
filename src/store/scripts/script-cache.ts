import { sha256 } from '../../core/sha256.ts';

/** The environment of a script. It is not used with another Lean or Mathlib, and ranked lower in another project. */
export interface ScriptVersion {
  readonly lean: string;
  readonly mathlib: string;
  readonly project: string;
}

/** A script that has closed a goal, with placeholders for the goal's own names. */
export interface KnownScript extends ScriptVersion {
  readonly id: string;
  readonly shape: string;
  readonly goalHash: string;
  readonly template: string;
  /** The symbols of its goal, which determine similarity. */
  readonly tokens: readonly string[];
  readonly uses: number;
  readonly successes: number;
  /** CPU time of all uses. */
  readonly seconds: number;
  readonly lastUsed: number;
  readonly origin: string;
}

export type NewScript = Omit<KnownScript, 'id' | 'uses' | 'successes' | 'lastUsed' | 'origin'>;

/** Scripts of earlier goals: hints, bounded, and safe to delete. */
export interface ScriptCache {
  /** Scripts for this Lean and Mathlib, most useful first. */
  usable(version: Pick<ScriptVersion, 'lean' | 'mathlib'>): KnownScript[];
  /** Records that it has closed a goal. */
  learn(script: NewScript): KnownScript;
  /** Records that it was tried on another goal. */
  used(id: string, held: boolean, seconds: number): void;
  close(): void;
}

export function scriptId({
  shape,
  template,
  lean,
  mathlib,
}: Pick<KnownScript, 'shape' | 'template' | 'lean' | 'mathlib'>): string {
  return sha256(JSON.stringify([shape, template, lean, mathlib])).slice(0, 32);
}

/** Its success rate, counting one extra success and one extra failure, so that a single success is not certainty. */
export function rateOf({ uses, successes }: Pick<KnownScript, 'uses' | 'successes'>): number {
  return (successes + 1) / (uses + 2);
}

/** A script with a higher success rate than this on the same goal is tried first of all. */
const trustedRate = 0.7;

export function isTrusted({ uses, successes }: Pick<KnownScript, 'uses' | 'successes'>): boolean {
  return uses > 0 && successes / uses > trustedRate;
}
