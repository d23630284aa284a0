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
  readonly directive: Directive | null;
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
  readonly tallies?: readonly DirectiveTally[];
}

/** Proposes programs. The teacher is always asked, the student where one is named; the verifier judges both alike. */
export interface Ruler {
  readonly name: string;
  readonly source: 'teacher' | 'student';
  draft(request: DraftRequest): Promise<Proposed>;
  edit(request: EditRequest): Promise<Proposed>;
}
