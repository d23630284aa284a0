import type { DirectiveKind } from '../../search/edit.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Program } from '../../language/program.ts';

/** A rule that solved a like task. */
interface SolvedExample {
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
  readonly sum_delta: number;
  readonly best_delta: number;
}

/** A piece of a gold program that works on `input`. */
export interface Fragment {
  readonly fragment_id: string;
  readonly program: Program;
  readonly support: number;
  readonly mean_gain: number;
}

/** How a run ended on a like task. */
export interface Episode {
  readonly fingerprint: string;
  readonly similarity: number;
  readonly solved: boolean;
  readonly best_score: number;
  readonly iterations: number;
}

/** What became of programs of one signature on like tasks. */
export interface SummaryItem {
  readonly ops_signature: string;
  readonly tasks: number;
  readonly solved: number;
  readonly mean_score: number;
}

/** What memory hands to a ruler. `left_out` counts items that did not fit the byte limit. */
export interface RulerBundle {
  readonly solved_examples: readonly SolvedExample[];
  readonly repair_cases: readonly RepairCase[];
  readonly fragments: readonly Fragment[];
  readonly episodes: readonly Episode[];
  readonly summary: readonly SummaryItem[];
  readonly left_out: number;
}

/** What memory hands to the critic: like tasks with the signatures that were tried on them, and repair cases. */
export interface CriticBundle {
  readonly episodes: readonly (Episode & {
    readonly tried: readonly { readonly ops_signature: string; readonly score: number }[];
  })[];
  readonly cases: readonly RepairCase[];
  readonly left_out: number;
}

/** What memory has for one task. */
export interface TaskMemory {
  readonly ruler: RulerBundle;
  readonly critic: CriticBundle;
}

const emptyBundle: RulerBundle = {
  solved_examples: [],
  repair_cases: [],
  fragments: [],
  episodes: [],
  summary: [],
  left_out: 0,
};

export const emptyMemory: TaskMemory = {
  ruler: emptyBundle,
  critic: { episodes: [], cases: [], left_out: 0 },
};
