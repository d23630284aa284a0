import type { AnswerEnd, AnswerFault } from './answers.ts';
import type { Attribution } from '../critic/csa.ts';
import type { BlameLocus } from '../critic/blame.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Fact } from '../../grid/facts/describe.ts';
import type { RulerBundle } from '../memory/bundle.ts';
import type { JudgedProposal } from '../../search/teacher.ts';
import type { Directive, DirectiveKind } from '../../search/edit.ts';
import type { Task } from '../../grid/task.ts';

/** What a ruler puts forward: a value that claims to be a program, and where it comes from. */
export interface Draft {
  readonly value: unknown;
  readonly by: string;
  /** The share of pairs that hold when the rule is made without them, where the ruler knows it. */
  readonly held: number;
  readonly parent_id: string | null;
  /** Null where the ruler does not say what it did: then the program is compared with the seeds. */
  readonly directive: Directive | null;
  /** Why there is no program in an answer; `value` is what was said, if anything. */
  readonly fault?: AnswerFault;
  /** The place of the model's answer among those of this proposal. */
  readonly answer?: number;
}

/** A candidate that edits start from, with what the critic says about it. */
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
  /** Programs of this task to start over from. */
  readonly drafts: readonly JudgedProposal[];
}

/** One call to a model: how it ended, and what it took. A recorded answer counts as what it took when it was given. */
export interface AnswerRecord {
  readonly role: 'describer' | 'teacher' | 'student';
  readonly model: string;
  /** The version of the prompt's text. */
  readonly prompt: string;
  readonly end: AnswerEnd;
  /** Why there is no answer, in words. */
  readonly message: string | null;
  /** Programs or facts in the answer, and how many of them were taken. */
  readonly said: number;
  readonly taken: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly microdollars: number;
}

/** What a describer says of a task, and the calls to a model that it took. */
export interface Described {
  readonly facts: readonly Fact[];
  readonly answers: readonly AnswerRecord[];
}

/** How one directive fared on one seed: how many edits were tried, and what the best of them gained. */
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

/** Proposes programs. Every ruler of a run is asked; the verifier judges all alike. */
export interface Ruler {
  readonly name: string;
  readonly source: 'teacher' | 'student';
  draft(request: DraftRequest): Promise<Proposed>;
  edit(request: EditRequest): Promise<Proposed>;
}
