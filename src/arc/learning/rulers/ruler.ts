import type { AnswerEnd, AnswerFault } from './answers.ts';
import type { Attribution } from '../critic/csa.ts';
import type { BlameLocus } from '../critic/blame.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Fact } from '../../grid/facts/describe.ts';
import type { RulerBundle } from '../memory/bundle.ts';
import type { JudgedProposal } from '../../search/teacher.ts';
import type { Directive, DirectiveKind } from '../../search/edit.ts';
import type { Task } from '../../grid/task.ts';

/** A ruler's proposal: a value that claims to be a program, and its origin. */
export interface Draft {
  readonly value: unknown;
  readonly by: string;
  /** The leave-one-out share of pairs, if the ruler knows it. */
  readonly held: number;
  readonly parent_id: string | null;
  /** Null if the ruler does not report the edit: then the program is compared with the seeds. */
  readonly directive: Directive | null;
  /** Why an answer contains no program; `value` is its text, if any. */
  readonly fault?: AnswerFault;
  /** The index of the model's answer in this proposal. */
  readonly answer?: number;
}

/** A candidate that edits start from, with the critic's findings. */
export interface Seed {
  readonly judged: JudgedProposal;
  readonly error_type: ErrorType;
  readonly attribution: Attribution;
  readonly blame: BlameLocus;
}

export interface DraftRequest {
  readonly task: Task;
  readonly facts: readonly Fact[];
  readonly memory: RulerBundle;
  readonly k: number;
  readonly nodes: number;
}

export interface EditRequest extends DraftRequest {
  readonly seeds: readonly Seed[];
  /** Earlier programs of this task, as new starting points. */
  readonly drafts: readonly JudgedProposal[];
}

/** One call to a model with its outcome and cost. A recorded answer has its original cost. */
export interface AnswerRecord {
  readonly role: 'describer' | 'teacher' | 'student';
  readonly model: string;
  /** The version of the prompt's text. */
  readonly prompt: string;
  readonly end: AnswerEnd;
  /** Why there is no answer, as text. */
  readonly message: string | null;
  /** Number of programs or facts in the answer, and how many of them were used. */
  readonly said: number;
  readonly taken: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly microdollars: number;
}

/** A describer's facts about a task, and its calls to a model. */
export interface Described {
  readonly facts: readonly Fact[];
  readonly answers: readonly AnswerRecord[];
}

/** The result of one directive on one seed: number of edits tried, and the best gain. */
export interface DirectiveTally {
  readonly seed_id: string;
  readonly directive: DirectiveKind;
  readonly tried: number;
  readonly best_delta: number;
}

export interface Proposed {
  readonly drafts: readonly Draft[];
  readonly nodes: number;
  readonly answers?: readonly AnswerRecord[];
  readonly tallies?: readonly DirectiveTally[];
}

/** Proposes programs. A run queries every ruler, and the verifier treats all proposals alike. */
export interface Ruler {
  readonly name: string;
  readonly source: 'teacher' | 'student';
  draft(request: DraftRequest): Promise<Proposed>;
  edit(request: EditRequest): Promise<Proposed>;
}
