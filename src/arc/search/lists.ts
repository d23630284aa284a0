import type { Image } from '../language/image.ts';
import type { Emitter } from './emit.ts';
import type { Pieces } from './pieces.ts';
import { makingList } from '../language/registry.ts';
import type { StepReference } from '../language/operation.ts';

/** A list for every input, training then test, what it costs to make it, and the steps that do. */
export interface ListSource {
  readonly members: readonly (readonly Image[])[];
  readonly cost: number;
  /** Made of another list by a criterion: there are many of these, so less is tried on each. */
  readonly refined: boolean;
  emit(emitter: Emitter, frame: () => StepReference): StepReference;
}

/** Lists from which images are chosen: the splits of the input, and what a first criterion leaves of them. */
const mostLists = 120;
const mostSortedLists = 24;

/** Number of the cheapest lists that are also searched for images that share the first place by a criterion. */
const mostRefined = 6;
const firstBy = ['cells', 'colour-copies', 'copies', 'shape-copies', '-shape-copies', 'holes'];

interface Refinement {
  readonly op: 'firsts' | 'sort';
  readonly by: string;
  readonly cost: number;
}

const refinements: readonly (readonly Refinement[])[] = firstBy.flatMap((by) => {
  const firsts: Refinement = { op: 'firsts', by, cost: 8 };
  // what is left may be laid out in the order in which it stands
  return [
    [firsts],
    ...['left', 'top'].map((order): Refinement[] => [firsts, { op: 'sort', by: order, cost: 8 }]),
  ];
});

export function listSources(pieces: Pieces): ListSource[] {
  const plain = pieces.lists(mostLists, mostSortedLists).map((tuple): ListSource => ({
    members: pieces.listsAt(tuple),
    cost: pieces.costs[tuple] ?? 0,
    refined: false,
    emit: (emitter, frame) => emitter.tuple(pieces, tuple, frame),
  }));
  const long = plain.filter(({ members }) => members.every(({ length }) => length > 1));
  return [...plain, ...long.slice(0, mostRefined).flatMap(refinedLists)];
}

/** Those that leave some images out; what an order does not change is there already. */
function refinedLists(source: ListSource): ListSource[] {
  const seen = new Set([placesIn(source, source.members)]);
  return refinements.flatMap((steps): ListSource[] => {
    const members = source.members.map((list) => refine(list, steps));
    const places = placesIn(source, members);
    if (seen.has(places) || members.every(({ length }) => length < 2)) return [];
    seen.add(places);
    return [
      {
        members,
        cost: source.cost + steps.reduce((sum, { cost }) => sum + cost, 0),
        refined: true,
        emit: (emitter, frame) =>
          steps.reduce<StepReference>(
            (list, { op, by }) => emitter.add(op, { by }, list),
            source.emit(emitter, frame),
          ),
      },
    ];
  });
}

function refine(list: readonly Image[], steps: readonly Refinement[]): readonly Image[] {
  return steps.reduce((rest, { op, by }) => {
    return makingList(op, { by })(rest);
  }, list);
}

/** Refining keeps the images themselves, so that which ones, in what order, says all of a list. */
function placesIn({ members }: ListSource, refined: readonly (readonly Image[])[]): string {
  return refined.map((list, i) => list.map((one) => members[i]?.indexOf(one)).join()).join('|');
}
