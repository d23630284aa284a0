import type { coverage } from './schemas/coverage.ts';
import type { Answer } from './schemas/rows.ts';

/** The blueprint of the project that a ledger belongs to, as the page's *Coverage* shows it. */
export type CoverageView = Answer<typeof coverage>;
export type BlueprintView = NonNullable<CoverageView['blueprint']>;
export type ChapterView = BlueprintView['total'];
/** How many nodes have reached what. */
export type Coverage = Omit<ChapterView, 'chapter'>;
export type NodeView = BlueprintView['nodes'][number];
export type CoveragePoint = BlueprintView['history'][number];
