import type { DifficultyLabel, GoalNode } from '../../shared/events.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import type { Position } from '../base/protocol.ts';
import { fieldOf, UserError } from '../../core/errors.ts';

/** Something to prove, as a user gave it. Lean has not seen it yet. */
export interface LeanGoal {
  /** The name by which the user knows it; unique among the goals of a run. */
  readonly id: string;
  /** The text that the statement depends on. */
  readonly preamble: string;
  /** What the preamble imports from a project; without it, everything comes with Lean. */
  readonly environment?: LeanEnvironment | undefined;
  /** `theorem name binders : type`, without a proof. */
  readonly statement: string;
  readonly holes: Holes;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  /** Axioms of the preamble that a proof may rest on. */
  readonly allowAxioms: readonly string[];
  /** FILE:LINE */
  readonly source: string | null;
  /** Where its proof belongs; a row has no such place. */
  readonly place?: Place;
  /** Lemmas that its template brings along, each as written but for its indentation. */
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

/** What a proof takes the place of in a file: a `sorry`, or a proof whose holes are filled. Nothing else is ever changed. */
export interface Place {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  readonly form: 'term' | 'tactic' | 'value' | 'equations';
  /** Its lines with some before and after, byte for byte, so that a patch can be made from here; rows of earlier versions have none. */
  readonly around?: { readonly first: number; readonly text: string };
}

/** What is missing: the whole proof, or the `sorry`s in a proof that is written already. */
export type Holes =
  | { readonly kind: 'statement' }
  /** The text after `:=`, its `sorry`s in place. */
  | { readonly kind: 'sorries'; readonly template: string };

/** A goal that was named but cannot be worked on; the others of its file can. */
export interface UnreadableGoal {
  readonly id: string;
  readonly source: string;
  /** What is wrong, and what would help. */
  readonly message: string;
}

export interface GoalsRead {
  readonly goals: readonly LeanGoal[];
  readonly unreadable: readonly UnreadableGoal[];
  /** What a reader of the results should know about the files. */
  readonly warnings?: readonly string[] | undefined;
}

export const wholeStatement: Holes = { kind: 'statement' };

/** What a goal has of which nothing is known but its statement and the text above it. */
export const bareGoal: Omit<LeanGoal, 'id' | 'preamble' | 'statement'> = {
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
};

/** The axioms that a preamble declares, under every name that its open namespaces may give them. */
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
/** An accepted proof, and the goal that it is of. */
export interface Proved {
  readonly goal: LeanGoal;
  readonly proof: string;
}
