/** A piece of a source file, as offsets into its text: what is rewritten is rewritten there, and nothing else is touched. */
export interface SourceRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What the macros of leanblueprint say directly inside an environment, a statement's or a proof's. */
export interface Marks {
  readonly range: SourceRange;
  /** Where a new macro may be written: after `\begin{…}[…]` and its label. */
  readonly bodyStart: number;
  /** Labels of `\uses`. The macro counts once: a second one replaces the first, as leanblueprint has it. */
  readonly uses: readonly string[];
  /** The `\leanok` (or `\mathlibok`) itself; in a statement it means stated, in a proof proved. */
  readonly leanOk: SourceRange | null;
}

interface ProofMarks extends Marks {
  /** The label of `\proves`; otherwise the proof belongs to the statement before it in its section. */
  readonly proves: string | null;
  /** It is empty: to leanblueprint it is as if there were none. */
  readonly isEmpty: boolean;
}

export interface Statement extends Marks {
  /** The last label, or the place of a statement without one. */
  readonly id: string;
  readonly labels: readonly string[];
  /** `lemma`, `definition`, …: the name of the environment. */
  readonly kind: string;
  readonly title: string;
  /** The chapter that contains it; empty before the first. */
  readonly chapter: string;
  /** The graph that it is a node of, if there is one for each chapter (or section, …); null outside of all. */
  readonly graph: number | null;
  /** The names in `\lean`. */
  readonly declarations: readonly string[];
  readonly isMathlib: boolean;
  readonly isNotReady: boolean;
  /** The issue of `\discussion`. */
  readonly discussion: string | null;
  /** Its proof in words. */
  readonly proof: ProofMarks | null;
}

/** What a label marks: a statement, or something else (a section, an equation) inside a statement of some kind or none. */
export type Labelled =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'other'; readonly insideOf: string };

/** Something that the sources say and that cannot be right. */
export interface Remark {
  readonly kind:
    | 'unknown-label'
    | 'duplicate-label'
    | 'missing-file'
    | 'unattached-proof'
    | 'cycle'
    | 'missing-declaration'
    | 'not-proved'
    | 'unused'
    | 'unlisted-use'
    | 'drift';
  readonly message: string;
  readonly at: SourceRange;
}

export interface Blueprint {
  /** Statements of the kinds that the graph shows, in the order of the document. */
  readonly statements: readonly Statement[];
  readonly labels: ReadonlyMap<string, Labelled>;
  /** The chapters in order, those without statements too. */
  readonly chapters: readonly string[];
  readonly settings: BlueprintSettings;
  /** The text of every file that was read. */
  readonly files: ReadonlyMap<string, string>;
  readonly remarks: readonly Remark[];
}

/** What the project's own sources say about the graph. */
export interface BlueprintSettings {
  /** One graph for each chapter (or section, …) instead of one for all. */
  readonly graphBy: string | null;
  /** The kinds of statement that are nodes. */
  readonly kinds: readonly string[];
  /** Leave out edges that follow from others. */
  readonly reduced: boolean;
  /** Colours that the project has chosen for itself. */
  readonly colours: Readonly<Record<string, string>>;
}
