import type { coverage } from './schemas/coverage.ts';
import type { Answer } from './schemas/rows.ts';

/** The blueprint of a ledger's project, as the *Coverage* view shows it. */
export type CoverageView = Answer<typeof coverage>;
export type BlueprintView = NonNullable<CoverageView['blueprint']>;
export type ChapterView = BlueprintView['total'];
/** Number of nodes per state. */
export type Coverage = Omit<ChapterView, 'chapter'>;
export type NodeView = BlueprintView['nodes'][number];
export type CoveragePoint = BlueprintView['history'][number];
