import path from 'node:path';
import type { Marks, SourceRange, Statement } from './blueprint.ts';

/** The content so far of an environment that is still being read. */
export interface DraftMarks {
  range: SourceRange;
  bodyStart: number;
  uses: readonly string[];
  leanOk: SourceRange | null;
  labels: string[];
  declarations: readonly string[];
  isMathlib: boolean;
  isNotReady: boolean;
  discussion: string | null;
  proves: string | null;
}

export interface DraftStatement extends DraftMarks {
  readonly kind: string;
  readonly title: string;
  readonly chapter: string;
  readonly graph: number | null;
}

export const newMarks = (range: SourceRange, bodyStart: number): DraftMarks => ({
  range,
  bodyStart,
  uses: [],
  leanOk: null,
  labels: [],
  declarations: [],
  isMathlib: false,
  isNotReady: false,
  discussion: null,
  proves: null,
});

export function finishStatement(
  draft: DraftStatement,
  proof: { readonly marks: DraftMarks; readonly isEmpty: boolean } | undefined,
  text: string,
): Statement {
  const { kind, title, chapter, graph, labels, declarations, isMathlib, isNotReady, discussion } = draft;
  const line = text.slice(0, draft.range.start).split('\n').length;
  return {
    ...marksOf(draft),
    id: labels.at(-1) ?? `${path.basename(draft.range.file)}:${line}`,
    labels,
    kind,
    title,
    chapter,
    graph,
    declarations,
    isMathlib,
    isNotReady,
    discussion,
    proof: proof ? { ...marksOf(proof.marks), proves: proof.marks.proves, isEmpty: proof.isEmpty } : null,
  };
}

const marksOf = ({ range, bodyStart, uses, leanOk }: DraftMarks): Marks => ({
  range,
  bodyStart,
  uses,
  leanOk,
});
