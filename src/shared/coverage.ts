import type { GoalStatus } from './ledger.ts';

/** The blueprint of the project that a ledger belongs to, as the page's *Coverage* shows it. */
export interface CoverageView {
  readonly seq: number;
  /** Null: the project has none. */
  readonly blueprint: BlueprintView | null;
}

export interface BlueprintView {
  readonly chapters: readonly ChapterView[];
  readonly total: ChapterView;
  readonly nodes: readonly NodeView[];
  readonly edges: readonly EdgeView[];
  /** Of the drawing, in points. */
  readonly width: number;
  readonly height: number;
  /** The longest chain of unproved nodes. */
  readonly path: readonly string[];
  /** How many proofs the blueprint had after each run, oldest first. */
  readonly history: readonly CoveragePoint[];
}

/** How many nodes have reached what. */
export interface Coverage {
  readonly nodes: number;
  readonly stated: number;
  /** Nodes that want a proof: all but the definitions. */
  readonly proofs: number;
  readonly proved: number;
  readonly fully_proved: number;
  /** Not stated yet, and nothing blocks it. */
  readonly can_state: number;
  /** Not proved yet, and nothing blocks it. */
  readonly can_prove: number;
}

export interface ChapterView extends Coverage {
  readonly chapter: string;
}

export interface NodeView {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly chapter: string;
  readonly declarations: readonly string[];
  /** In the colours of leanblueprint; null: none. */
  readonly border: string | null;
  readonly fill: string | null;
  readonly proved: boolean;
  /** For an unproved node: the value of working on it, and what blocks it. */
  readonly critical: { readonly blocks: number; readonly waits: number; readonly value: number } | null;
  /** The newest goal of one of its declarations. */
  readonly goal: { readonly run: string; readonly goal: string; readonly status: GoalStatus } | null;
  /** The middle, in points from the top left corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface EdgeView {
  readonly from: string;
  readonly to: string;
  readonly in_statement: boolean;
  /** A path of SVG. */
  readonly path: string;
}

export interface CoveragePoint {
  readonly run: string;
  readonly at: number;
  readonly proved: number;
}
