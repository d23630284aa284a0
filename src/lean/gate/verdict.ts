import type { Assurance, VerdictWord } from '../../shared/assurance.ts';

/** The environment a text was read in. */
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
  /** A stable word for the reason; when accepted `proved`, `defined`, or `expected-failure` for an example that should fail; `conditional` if it is proved from open theorems, which `assumes` names. */
  readonly kind: string;
  /** The reason, for people. */
  readonly message: string;
  readonly name?: string;
  /** Null unless something was proved or defined. */
  readonly assurance: Assurance | null;
  readonly axioms: readonly string[];
  /** Axioms beyond the standard three that the caller allowed; for a rejected theorem, the `sorry`s and axioms it depends on. */
  readonly assumes: readonly string[];
  /** Known bugs of the judge's Lean that nothing closes, as `lean4#N` (docs/kernel-advisories.md). */
  readonly advisories: readonly string[];
  /** The version of the judge: proofs of other versions are judged again before they are used. */
  readonly judge: string;
  /** For an accepted theorem, undeclared names that Lean turned into variables. */
  readonly bound: readonly string[];
  readonly toolchain: string;
  readonly fingerprint: string;
  /** Present when a reference was given: the environments of candidate and reference. */
  readonly environments?: { readonly candidate: ReadWith; readonly reference: ReadWith };
  /**
   * The answer of the second kernel, if it was used, with its library data (SHA-256) and the arithmetic that it
   * did not verify.
   */
  readonly second_kernel?: {
    readonly answer: 'accept' | 'refuse' | 'decline';
    readonly message?: string;
    readonly library: string;
    readonly assumed: readonly string[];
  };
  readonly cpu_seconds: number;
}
