/** A range of a source file, as offsets. Rewriting touches only such ranges. */
export interface SourceRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The leanblueprint macros directly inside an environment of a statement or a proof. */
export interface Marks {
  readonly range: SourceRange;
  /** Where a new macro may be written: after `\begin{…}[…]` and its label. */
  readonly bodyStart: number;
  /** Labels of `\uses`. As in leanblueprint, a second `\uses` replaces the first. */
  readonly uses: readonly string[];
  /** The `\leanok` (or `\mathlibok`) itself; in a statement it means stated, in a proof proved. */
  readonly leanOk: SourceRange | null;
}

interface ProofMarks extends Marks {
  /** The label of `\proves`; otherwise the proof belongs to the statement before it in its section. */
  readonly proves: string | null;
  /** It is empty; leanblueprint treats it as absent. */
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
  /** The graph it belongs to, if there is one per chapter (or section, …); null outside all of them. */
  readonly graph: number | null;
  /** The names in `\lean`. */
  readonly declarations: readonly string[];
  readonly isMathlib: boolean;
  readonly isNotReady: boolean;
  /** The issue of `\discussion`. */
  readonly discussion: string | null;
  /** Its informal proof. */
  readonly proof: ProofMarks | null;
}

/**
 * The target of a label: a statement, or something else (a section, an equation) inside a statement of some
 * kind or none.
 */
export type Labelled =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'other'; readonly insideOf: string };

/** An error in the sources. */
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

/** Graph settings from the project's sources. */
export interface BlueprintSettings {
  /** One graph per chapter (or section, …) instead of one for all. */
  readonly graphBy: string | null;
  /** The kinds of statements that are nodes. */
  readonly kinds: readonly string[];
  /** Leave out edges that follow from others. */
  readonly reduced: boolean;
  /** Colours chosen by the project. */
  readonly colours: Readonly<Record<string, string>>;
}
