import type { Proposal } from './candidate.ts';
import { proposalIn } from './emit-rule.ts';
import { FrameSearch } from './frame-search.ts';
import { Graph } from './graph.ts';
import { everywhereOf, Pieces } from './pieces.ts';
import { guessFrames } from './sizes.ts';
import { choicesFor } from '../language/variants.ts';
import type { ViewedTask } from './views.ts';

/** The limits of one search: all are counts, none is a time. */
export interface SearchLimits {
  /** The work allowed for enumerating pieces, and again for learning. */
  readonly work: number;
  readonly cost: number;
  readonly tuples: number;
  readonly pieces: number;
  readonly frames: number;
  readonly openings: number;
  readonly bases: number;
  /** Number of pieces of the outputs' shape that also serve as bases. */
  readonly shaped: number;
  readonly widen: number;
  readonly deepest: number;
  readonly columns: number;
  /** Small views learn neither moves nor treatments of objects. */
  readonly learners: 'all' | 'few';
}

/** Cost and tuples of the first look, which only serves to predict sizes. */
const firstLook = { cost: 24, tuples: 4000 };

/** The whole search through one view, and the work that it used. */
export function searchView(view: ViewedTask, limits: SearchLimits): { proposals: Proposal[]; work: number } {
  const look = sizeLook(view, limits);
  const guesses = guessFrames(look, view.roots, view.targets, limits.frames);
  const proposals: Proposal[] = guesses.length === 0 ? nearSizes(view, look) : [];
  let enumerated = look.work;
  let learned = 0;
  for (const [rank, guess] of guesses.entries()) {
    // The more likely size gets two thirds of the remaining work.
    const share = rank === guesses.length - 1 ? 1 : 2 / 3;
    const search = new FrameSearch(view, guess, limits, {
      enumerating: Math.max(0, limits.work - enumerated) * share,
      learning: Math.max(0, limits.work - learned) * share,
    });
    proposals.push(...search.proposals());
    enumerated += search.enumerated;
    learned += search.learned;
  }
  return { proposals, work: enumerated + learned };
}

/** Number of pieces with nearly the right sizes that are proposed if no size fits all pairs. */
const mostNearSizes = 6;

/** The pieces that have the right size for the most pairs: if no size fits all pairs, nothing can be painted. */
function nearSizes(view: ViewedTask, look: Pieces): Proposal[] {
  const near: { tuple: number; right: number }[] = [];
  for (let tuple = 1; tuple < look.count; tuple++) {
    const images = look.images(tuple);
    if (images === null) continue;
    const right = view.targets.filter(
      ({ width, height }, i) => images[i]?.width === width && images[i].height === height,
    );
    near.push({ tuple, right: right.length });
  }
  const costOf = ({ tuple }: { tuple: number }): number => look.costs[tuple] ?? 0;
  return near
    .sort((a, b) => b.right - a.right || costOf(a) - costOf(b) || a.tuple - b.tuple)
    .slice(0, mostNearSizes)
    .map(({ tuple }) => proposalIn(view, 'near', 0, (emitter) => emitter.from(look, tuple)));
}

function sizeLook(view: ViewedTask, limits: SearchLimits): Pieces {
  const choices = choicesFor(view.roots, view.targets, false);
  const bounds = choices.map(({ bound }) => bound);
  const pieces = new Pieces(
    view.roots.map((root) => new Graph(root, null, bounds, everywhereOf(choices))),
    choices,
  );
  const known = view.targets.every(
    ({ width, height }, i) => view.roots[i]?.width === width && view.roots[i].height === height,
  );
  if (!known) pieces.grow({ ...firstLook, work: limits.work / 4 }, () => false);
  return pieces;
}
