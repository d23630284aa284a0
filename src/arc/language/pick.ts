import { definite } from '../../core/errors.ts';
import { criteria, rank } from './criteria.ts';
import { listToImage, listToList, type RuleOperation, type Variant } from './operation.ts';

/** Criteria are ordered by likelihood; the cost rises by one every fourth. */
const byCriterion = criteria.map((by, i): Variant => ({ args: { by }, cost: 6 + Math.min(4, i >> 2) }));
/** Lists of several images are rarely chosen by unlikely criteria. */
const byLikely = byCriterion.slice(0, 8);

/** Choosing from a list: the best image, the best ones, or all but these. */
export const pickOperations: readonly RuleOperation[] = [
  listToImage({
    name: 'pick',
    summary: 'take the image that is first by {by}',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: byCriterion,
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        return definite(sources[ranks.indexOf(Math.max(...ranks))]);
      },
  }),
  listToList({
    name: 'rest',
    summary: 'take the images that do not share the first place by {by}',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: byLikely,
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        const first = Math.max(...ranks);
        const rest = sources.filter((_, i) => ranks[i] !== first);
        return rest.length === 0 ? null : rest;
      },
  }),
];
