import type { Assurance, VerdictWord } from '../../shared/assurance.ts';

/** What a text was read with. */
export interface ReadWith {
  /** The folder of its project; null for a text that uses Lean's library alone. */
  readonly project: string | null;
  readonly imports: readonly string[];
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly fingerprint: string;
}

/** One line of `orch check --json`. */
export interface Verdict {
  readonly verdict: VerdictWord;
  /** A stable word for the reason; when accepted `proved`, `defined`, or `expected-failure` for an example that should fail. */
  readonly kind: string;
  /** The same for people. */
  readonly message: string;
  readonly name?: string;
  /** Null unless something was proved or defined. */
  readonly assurance: Assurance | null;
  readonly axioms: readonly string[];
  /** Axioms beyond the standard three that the caller allowed; of a rejected theorem, the `sorry`s and axioms of others under it. */
  readonly assumes: readonly string[];
  /** Known bugs of the judge's Lean that nothing closes, as `lean4#N` (docs/kernel-advisories.md). */
  readonly advisories: readonly string[];
  /** The version of the judge: proofs of other versions are judged again before they are used. */
  readonly judge: string;
  /** Of an accepted theorem, the names that Lean made variables because nobody declares them. */
  readonly bound: readonly string[];
  readonly toolchain: string;
  readonly fingerprint: string;
  /** Present when a reference was given: what the candidate and the reference were each read with. */
  readonly environments?: { readonly candidate: ReadWith; readonly reference: ReadWith };
  /** What the second kernel said, where it was asked: over which library data (SHA-256), and which arithmetic it did not verify. */
  readonly second_kernel?: {
    readonly answer: 'accept' | 'refuse' | 'decline';
    readonly message?: string;
    readonly library: string;
    readonly assumed: readonly string[];
  };
  readonly cpu_seconds: number;
}
