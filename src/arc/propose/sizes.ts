import type { Image } from '../rules/image.ts';
import { rectangle } from '../rules/image.ts';
import type { Reference } from '../rules/program.ts';
import type { Emitter } from './emit.ts';
import type { Pieces } from './pieces.ts';

/** A guess at the size of every output: frames for all inputs (training, then test) and the steps that make them. */
export interface FrameGuess {
  readonly frames: readonly Image[];
  readonly cost: number;
  emit(emitter: Emitter): Reference;
}

/**
 * Output sizes are predicted before anything else: the size of a cheap piece, a multiple of the input's, or one fixed
 * size. Guesses that agree on all frames are one; the cheapest come first.
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
        target.width === (roots[i] as Image).width * timesWidth + plusWidth &&
        target.height === (roots[i] as Image).height * timesHeight + plusHeight,
    );
  if (fits(1, 1, 0, 0)) return [{ frames: roots, cost: 0, emit: (emitter) => emitter.root }];
  const guesses: FrameGuess[] = [];
  const first = roots[0] as Image;
  const firstTarget = targets[0] as Image;
  for (let timesWidth = 1; timesWidth <= 10; timesWidth++) {
    for (let timesHeight = 1; timesHeight <= 10; timesHeight++) {
      const plusWidth = firstTarget.width - first.width * timesWidth;
      const plusHeight = firstTarget.height - first.height * timesHeight;
      if (Math.abs(plusWidth) > 29 || Math.abs(plusHeight) > 29) continue;
      if (!fits(timesWidth, timesHeight, plusWidth, plusHeight)) continue;
      const frames = roots.map((root) =>
        rectangle(0, 0, root.width * timesWidth + plusWidth, root.height * timesHeight + plusHeight, 0),
      );
      if (frames.some((frame) => frame === null)) continue;
      const args = {
        times_width: timesWidth,
        times_height: timesHeight,
        plus_width: plusWidth,
        plus_height: plusHeight,
      };
      // Plain multiples are likelier than sums.
      const cost = 5 + (plusWidth !== 0 || plusHeight !== 0 ? 6 : 0);
      guesses.push({
        frames: frames as Image[],
        cost,
        emit: (emitter) => emitter.add('size_of', args, emitter.root),
      });
    }
  }
  return guesses;
}

function fixedSize(roots: readonly Image[], targets: readonly Image[]): FrameGuess[] {
  const { width, height } = targets[0] as Image;
  if (targets.some((target) => target.width !== width || target.height !== height)) return [];
  const frame = rectangle(0, 0, width, height, 0) as Image;
  return [
    {
      frames: roots.map(() => frame),
      cost: 4,
      emit: (emitter) => emitter.add('size', { width, height }, emitter.root),
    },
  ];
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
      cost: pieces.costs[tuple] as number,
      emit: (emitter) => emitter.from(pieces, tuple),
    });
  }
  return guesses;
}
