import type { Coverage } from '../../shared/coverage.ts';
import type { Statement } from './blueprint.ts';
import type { NodeState, StatedBlueprint } from './states.ts';

export interface ChapterCoverage {
  readonly chapter: string;
  readonly coverage: Coverage;
}

/** Coverage of the chapters that have nodes, in order, and of all together. */
export function coverageByChapter(stated: StatedBlueprint): {
  readonly chapters: readonly ChapterCoverage[];
  readonly total: Coverage;
} {
  const { statements } = stated.blueprint;
  const byChapter = Map.groupBy(statements, ({ chapter }) => chapter);
  return {
    chapters: Array.from(byChapter, ([chapter, nodes]) => ({ chapter, coverage: cover(stated, nodes) })),
    total: cover(stated, statements),
  };
}

function cover({ states }: StatedBlueprint, nodes: readonly Statement[]): Coverage {
  const count = (has: (state: NodeState) => boolean): number =>
    nodes.filter((node) => {
      const state = states.get(node);
      return state !== undefined && has(state);
    }).length;
  return {
    nodes: nodes.length,
    stated: count(({ stated }) => stated),
    proofs: nodes.filter(({ kind }) => kind !== 'definition').length,
    proved: count(({ proved }) => proved),
    fully_proved: count(({ fully_proved }) => fully_proved),
    can_state: count(({ can_state, stated }) => can_state && !stated),
    can_prove: count(({ can_prove, proved }) => can_prove && !proved),
  };
}
