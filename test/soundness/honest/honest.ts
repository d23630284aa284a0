import { honestClaims } from './claims.ts';
import { honestTexts } from './texts.ts';

/** Proofs that look like attacks but are honest: the gate must accept every one at `replayed`. */
export interface Honest {
  readonly look: string;
  readonly preamble?: string;
  readonly statement: string;
  readonly proof: string;
  readonly allowAxioms?: readonly string[];
  readonly axioms?: readonly string[];
  readonly assumes?: readonly string[];
  /** Names that Lean binds by itself; not checked if absent. */
  readonly bound?: readonly string[];
}

/** A whole file, by itself or against a reference: every verdict on it is an acceptance. */
export interface HonestFile {
  readonly look: string;
  readonly file: string;
  readonly against?: string;
  /** As in an attack: the other files in the folder of the file, and in that of the reference. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly besideReference?: Readonly<Record<string, string>>;
}

export const honest: readonly Honest[] = [...honestClaims, ...honestTexts];
