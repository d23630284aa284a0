import { definite } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import { operations } from '../language/registry.ts';
import type { LearnLimits } from './decide.ts';
import type { Emitter } from './emit.ts';
import { learnMembers } from './learn-members.ts';
import type { Pieces } from './pieces.ts';
import type { StepReference } from '../language/operation.ts';

/** A rule that begins with a list: its leave-one-out share, and its steps. */
interface ListRule {
  readonly held: number;
  readonly emit: (emitter: Emitter, frame: () => StepReference) => StepReference;
}

/** Number of lists to choose images from, the cheapest first. */
const mostLists = 120;

const mostRules = 6;

/** Rules from the cheapest lists: choose one image, or make each image a cell. */
export function learnListRules(
  pieces: Pieces,
  frames: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
): ListRule[] {
  const tuples = pieces.lists(mostLists);
  const lists = tuples.map((tuple) => ({ members: pieces.listsAt(tuple), cost: pieces.costs[tuple] ?? 0 }));
  const rules = learnMembers(lists, frames, targets, limits, mostRules).map(
    ({ op, args, next, ...rule }) => ({
      ...rule,
      steps: [{ op, args }, ...(next === null ? [] : [next])],
    }),
  );
  return rules.map(({ list, steps, held }) => ({
    held,
    emit: (emitter, frame) =>
      steps.reduce(
        (of, { op, args }) => {
          const isFramed = operations.get(op)?.framed === true;
          return emitter.add(op, isFramed ? { ...args, frame: frame() } : args, of);
        },
        emitter.tuple(pieces, definite(tuples[list]), frame),
      ),
  }));
}
