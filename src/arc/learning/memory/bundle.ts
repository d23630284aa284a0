import type { DirectiveKind } from '../../search/edit.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Program } from '../../language/program.ts';

/** A rule that solved a like task. */
export interface SolvedExample {
  readonly fingerprint: string;
  readonly program: Program;
  readonly similarity: number;
}

/** What has helped programs of one signature with one kind of error. */
export interface RepairCase {
  readonly ops_signature: string;
  readonly error_type: ErrorType;
  readonly directive: DirectiveKind;
  readonly n: number;
  readonly improved: number;
  readonly best_delta: number;
}

/** A piece of a gold program that works on `input`. */
export interface Fragment {
  readonly fragment_id: string;
  readonly program: Program;
  readonly support: number;
  readonly mean_gain: number;
}

/** What memory hands to a ruler. `left_out` counts items that did not fit the byte limit. */
export interface RulerBundle {
  readonly solved_examples: readonly SolvedExample[];
  readonly repair_cases: readonly RepairCase[];
  readonly fragments: readonly Fragment[];
  readonly left_out: number;
}

export const emptyBundle: RulerBundle = { solved_examples: [], repair_cases: [], fragments: [], left_out: 0 };
