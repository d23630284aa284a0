import type { DirectiveKind } from '../../search/edit.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Program } from '../../language/program.ts';

/** A rule that solved a similar task. */
interface SolvedExample {
  readonly fingerprint: string;
  readonly program: Program;
  readonly similarity: number;
}

/** Edits that helped programs of one signature with one kind of error. */
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

/** The outcome of a run on a similar task. */
export interface Episode {
  readonly fingerprint: string;
  readonly similarity: number;
  readonly solved: boolean;
  readonly best_score: number;
  readonly iterations: number;
}

/** The outcomes of programs of one signature on similar tasks. */
export interface SummaryItem {
  readonly ops_signature: string;
  readonly tasks: number;
  readonly solved: number;
  readonly mean_score: number;
}

/** The memory items for a ruler. `left_out` counts items over the byte limit. */
export interface RulerBundle {
  readonly solved_examples: readonly SolvedExample[];
  readonly repair_cases: readonly RepairCase[];
  readonly fragments: readonly Fragment[];
  readonly episodes: readonly Episode[];
  readonly summary: readonly SummaryItem[];
  readonly left_out: number;
}

/** The memory items for the critic: similar tasks with the signatures tried on them, and repair cases. */
export interface CriticBundle {
  readonly episodes: readonly (Episode & {
    readonly tried: readonly { readonly ops_signature: string; readonly score: number }[];
  })[];
  readonly cases: readonly RepairCase[];
  readonly left_out: number;
}

/** The memory items for one task. */
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
