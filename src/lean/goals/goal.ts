import type { DifficultyLabel, GoalNode } from '../../shared/events.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import type { Position } from '../base/protocol.ts';
import { fieldOf, UserError } from '../../core/errors.ts';

/** Something to prove, as given by the user and not yet read by Lean. */
export interface LeanGoal {
  /** The name by which the user knows it; unique among the goals of a run. */
  readonly id: string;
  /** The text that the statement depends on. */
  readonly preamble: string;
  /** Imports from a project; without it, only Lean's library. */
  readonly environment?: LeanEnvironment | undefined;
  /** `theorem name binders : type`, without a proof. */
  readonly statement: string;
  readonly holes: Holes;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  /** Its difficulty from 0 to 1, from its row. */
  readonly estimate?: number;
  /** Its CPU limit as a multiple of `goal_cpu`, also on remote workers. */
  readonly relax?: number;
  /** Axioms of the preamble that a proof may use. */
  readonly allowAxioms: readonly string[];
  /** FILE:LINE */
  readonly source: string | null;
  /** The position of its proof in a file; rows have none. */
  readonly place?: Place;
  /** Lemmas contained in its template, as written except for indentation. */
  readonly lent?: readonly string[];
  /** Its node in the blueprint of its project. */
  readonly node?: GoalNode;
}

/** The goal that the ledger keeps as a row's task; a row of another domain is refused. */
export function leanGoalIn(task: unknown): LeanGoal {
  if (isLeanGoal(task)) return task;
  throw new UserError('no-lean-goal', 'this goal of the ledger is not a Lean goal', 'Run its task again.');
}

export function isLeanGoal(task: unknown): task is LeanGoal {
  return typeof fieldOf(task, 'statement') === 'string';
}

/**
 * The part of a file that a proof replaces: a `sorry`, or a proof whose holes are filled. Nothing else is
 * changed.
 */
export interface Place {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  readonly form: 'term' | 'tactic' | 'value' | 'equations';
  /** Its lines with some context, unchanged, so that a patch can be made; absent in rows of earlier versions. */
  readonly around?: { readonly first: number; readonly text: string };
}

/** The missing part: the whole proof, or the `sorry`s in an existing proof. */
export type Holes =
  | { readonly kind: 'statement' }
  /** The text after `:=`, including its `sorry`s. */
  | { readonly kind: 'sorries'; readonly template: string };

/** A goal that cannot be worked on; others of its file can. */
export interface UnreadableGoal {
  readonly id: string;
  readonly source: string;
  /** The problem and how to fix it. */
  readonly message: string;
}

export interface GoalsRead {
  readonly goals: readonly LeanGoal[];
  readonly unreadable: readonly UnreadableGoal[];
  /** Notes about the files for a reader of the results. */
  readonly warnings?: readonly string[] | undefined;
}

export const wholeStatement: Holes = { kind: 'statement' };

/** Default fields of a goal known only by its statement and preamble. */
export const bareGoal: Omit<LeanGoal, 'id' | 'preamble' | 'statement'> = {
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
};

/** The axioms declared in a preamble, under every name that open namespaces may give them. */
export function declaredAxioms(preamble: string): string[] {
  const namespaces: string[] = [];
  const names: string[] = [];
  const words =
    /^[ \t]*(?:(namespace|end)\b[ \t]*(\S*)|(?:@\[[^\]]*\][ \t]*)*(?:private[ \t]+)?axiom[ \t]+(\S+))/gm;
  for (const [, word, name = '', axiom] of preamble.matchAll(words)) {
    if (word === 'namespace') namespaces.push(name);
    else if (word === 'end' && namespaces.at(-1) === name) namespaces.pop();
    else if (axiom !== undefined) names.push([...namespaces, axiom].join('.'));
  }
  return names;
}
/** The outcomes of the goals of a run. */
export interface Outcomes {
  readonly proved: readonly Proved[];
  /** Proofs from open theorems. */
  readonly given?: readonly Proved[];
  /** Counterexamples by goal. */
  readonly refuted: ReadonlyMap<string, string>;
}

/** An accepted proof and its goal; with `given`, a proof from these open theorems. */
export interface Proved {
  readonly goal: LeanGoal;
  readonly proof: string;
  readonly given?: readonly string[];
}
