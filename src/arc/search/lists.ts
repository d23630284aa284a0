import type { Image } from '../language/image.ts';
import type { Emitter } from './emit.ts';
import type { Pieces } from './pieces.ts';
import { makingList } from '../language/registry.ts';
import type { StepReference } from '../language/operation.ts';

/** A list for every input, training then test, with its cost and the steps that make it. */
export interface ListSource {
  readonly members: readonly (readonly Image[])[];
  readonly cost: number;
  /** Whether a criterion made it from another list: there are many such lists, so less is tried on each. */
  readonly refined: boolean;
  emit(emitter: Emitter, frame: () => StepReference): StepReference;
}

/** Number of lists to choose images from: the splits of the input, and these lists reduced by a first criterion. */
const mostLists = 120;

/** Number of the cheapest lists that are also searched for images that share the first place by a criterion. */
const mostRefined = 6;
const firstBy = ['cells', 'colour-copies', 'copies', 'shape-copies', '-shape-copies', 'holes'];

const refinedCost = 8;

export function listSources(pieces: Pieces): ListSource[] {
  const plain = pieces.lists(mostLists).map((tuple): ListSource => ({
    members: pieces.listsAt(tuple),
    cost: pieces.costs[tuple] ?? 0,
    refined: false,
    emit: (emitter, frame) => emitter.tuple(pieces, tuple, frame),
  }));
  const long = plain.filter(({ members }) => members.every(({ length }) => length > 1));
  return [...plain, ...long.slice(0, mostRefined).flatMap(refinedLists)];
}

/** The lists that criteria make from a source by leaving some images out. */
function refinedLists(source: ListSource): ListSource[] {
  const seen = new Set([placesIn(source, source.members)]);
  return firstBy.flatMap((by): ListSource[] => {
    const members = source.members.map((list) => makingList('firsts', { by })(list));
    const places = placesIn(source, members);
    if (seen.has(places) || members.every(({ length }) => length < 2)) return [];
    seen.add(places);
    return [
      {
        members,
        cost: source.cost + refinedCost,
        refined: true,
        emit: (emitter, frame) => emitter.add('firsts', { by }, source.emit(emitter, frame)),
      },
    ];
  });
}

/** Identifies a refined list by the positions of its images, since refining does not change images. */
function placesIn({ members }: ListSource, refined: readonly (readonly Image[])[]): string {
  return refined.map((list, i) => list.map((one) => members[i]?.indexOf(one)).join()).join('|');
}
