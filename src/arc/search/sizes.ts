import { definite, notNull } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import { rectangle } from '../language/image.ts';
import type { Emitter } from './emit.ts';
import type { Pieces } from './pieces.ts';
import type { StepReference } from '../language/operation.ts';

/** A guess at the size of every output: frames for all inputs (training, then test) and the steps that make them. */
export interface FrameGuess {
  readonly frames: readonly Image[];
  readonly cost: number;
  emit(emitter: Emitter): StepReference;
}

/**
 * Output sizes are predicted before anything else: the size of a cheap piece, a multiple of the input's, or one fixed
 * size. Guesses with equal frames are merged; the cheapest come first.
 */
export function guessFrames(
  pieces: Pieces,
  roots: readonly Image[],
  targets: readonly Image[],
  most: number,
): FrameGuess[] {
  const guesses = [
    ...sizeOfInput(roots, targets),
    ...fixedSize(roots, targets),
    ...sizesOfPieces(pieces, targets),
  ];
  if (guesses.length === 0) guesses.push(...sidesApart(pieces, roots, targets));
  guesses.sort((a, b) => a.cost - b.cost);
  const seen = new Set<string>();
  const distinct: FrameGuess[] = [];
  for (const guess of guesses) {
    const key = guess.frames.map(({ width, height }) => `${width}x${height}`).join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    distinct.push(guess);
    if (distinct.length === most) break;
  }
  return distinct;
}

function sizeOfInput(roots: readonly Image[], targets: readonly Image[]): FrameGuess[] {
  const fits = (timesWidth: number, timesHeight: number, plusWidth: number, plusHeight: number): boolean =>
    targets.every(
      (target, i) =>
        target.width === definite(roots[i]).width * timesWidth + plusWidth &&
        target.height === definite(roots[i]).height * timesHeight + plusHeight,
    );
  if (fits(1, 1, 0, 0)) return [{ frames: roots, cost: 0, emit: (emitter) => emitter.root }];
  const guesses: FrameGuess[] = [];
  const first = definite(roots[0]);
  const firstTarget = definite(targets[0]);
  for (let timesWidth = 1; timesWidth <= 10; timesWidth++) {
    for (let timesHeight = 1; timesHeight <= 10; timesHeight++) {
      const plusWidth = firstTarget.width - first.width * timesWidth;
      const plusHeight = firstTarget.height - first.height * timesHeight;
      if (Math.abs(plusWidth) > 29 || Math.abs(plusHeight) > 29) continue;
      if (!fits(timesWidth, timesHeight, plusWidth, plusHeight)) continue;
      const frames = roots.map((root) =>
        rectangle(0, 0, root.width * timesWidth + plusWidth, root.height * timesHeight + plusHeight, 0),
      );
      if (!frames.every((frame) => frame !== null)) continue;
      const args = {
        times_width: timesWidth,
        times_height: timesHeight,
        plus_width: plusWidth,
        plus_height: plusHeight,
      };
      // Plain multiples are more likely than sums.
      const cost = 5 + (plusWidth !== 0 || plusHeight !== 0 ? 6 : 0);
      guesses.push({
        frames,
        cost,
        emit: (emitter) => emitter.add('size_of', args, emitter.root),
      });
    }
  }
  return guesses;
}

function fixedSize(roots: readonly Image[], targets: readonly Image[]): FrameGuess[] {
  const { width, height } = definite(targets[0]);
  if (targets.some((target) => target.width !== width || target.height !== height)) return [];
  const frame = notNull(rectangle(0, 0, width, height, 0));
  return [
    {
      frames: roots.map(() => frame),
      cost: 4,
      emit: (emitter) => emitter.add('size', { width, height }, emitter.root),
    },
  ];
}

/** One side of the outputs as a multiple of a piece's side plus a constant, for training and test inputs. */
interface SideGuess {
  readonly lengths: readonly number[];
  readonly cost: number;
  emit(emitter: Emitter): StepReference;
}

const mostSides = 4;
const mostTimes = 4;
const mostPlus = 3;

/** Width and height from different pieces, if no piece has both. */
function sidesApart(pieces: Pieces, roots: readonly Image[], targets: readonly Image[]): FrameGuess[] {
  const across = sideGuesses(pieces, roots.length, targets, 'width');
  const down = sideGuesses(pieces, roots.length, targets, 'height');
  return across.flatMap((width) =>
    down.flatMap((height): FrameGuess[] => {
      const frames = width.lengths.map((length, i) => rectangle(0, 0, length, height.lengths[i] ?? 0, 0));
      if (!frames.every((frame) => frame !== null)) return [];
      const emit = (emitter: Emitter): StepReference =>
        emitter.add('sides', {}, [width.emit(emitter), height.emit(emitter)]);
      return [{ frames, cost: width.cost + height.cost, emit }];
    }),
  );
}

function sideGuesses(
  pieces: Pieces,
  inputs: number,
  targets: readonly Image[],
  side: 'width' | 'height',
): SideGuess[] {
  const guesses: SideGuess[] = [];
  const seen = new Set<string>();
  for (let tuple = 0; tuple < pieces.count; tuple++) {
    const images = pieces.images(tuple);
    if (images === null) continue;
    for (const own of ['width', 'height'] as const) {
      for (let times = 1; times <= mostTimes; times++) {
        const plus = definite(targets[0])[side] - times * definite(images[0])[own];
        if (Math.abs(plus) > mostPlus) continue;
        const lengths = images.slice(0, inputs).map((one) => times * one[own] + plus);
        if (!targets.every((target, i) => target[side] === lengths[i]) || seen.has(lengths.join())) continue;
        if (lengths.some((length) => length < 1)) continue;
        seen.add(lengths.join());
        const isPlain = times === 1 && plus === 0 && own === side;
        guesses.push({
          lengths,
          cost: (pieces.costs[tuple] ?? 0) + (isPlain ? 0 : 6),
          emit: (emitter) => emitSide(emitter, emitter.from(pieces, tuple), own === side, times, plus),
        });
      }
    }
  }
  return guesses.sort((a, b) => a.cost - b.cost).slice(0, mostSides);
}

/** An image with the wanted length as one of its sides; the piece is turned first if its other side has that length. */
function emitSide(
  emitter: Emitter,
  piece: StepReference,
  isOwn: boolean,
  times: number,
  plus: number,
): StepReference {
  const turned = isOwn ? piece : emitter.add('move', { motion: 'transpose' }, piece);
  if (times === 1 && plus === 0) return turned;
  const args = { times_width: times, times_height: times, plus_width: plus, plus_height: plus };
  return emitter.add('size_of', args, turned);
}

function sizesOfPieces(pieces: Pieces, targets: readonly Image[]): FrameGuess[] {
  const guesses: FrameGuess[] = [];
  for (let tuple = 1; tuple < pieces.count; tuple++) {
    const images = pieces.images(tuple);
    if (images === null) continue;
    if (!targets.every(({ width, height }, i) => images[i]?.width === width && images[i].height === height))
      continue;
    guesses.push({
      frames: images,
      cost: pieces.costs[tuple] ?? 0,
      emit: (emitter) => emitter.from(pieces, tuple),
    });
  }
  return guesses;
}
