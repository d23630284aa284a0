import { definite } from '../../core/errors.ts';
import {
  actionNames,
  isSlide,
  offsetOf,
  slides,
  slideStep,
  vanishes,
  type MovingBody,
  type Offset,
  type BodyScene,
} from '../language/actions.ts';
import { objectFeatureNames } from '../language/features/features.ts';
import { filledCount, haveSizesOf, type Image } from '../language/image.ts';
import { actionsPrice, leavings, leftBy } from '../language/moves.ts';
import { offered } from '../language/vocabulary.ts';
import { mostAnswers, type LearnLimits } from './decide.ts';
import { decideObjects, fitsOutputs, objectLessons, objectRuleCost } from './object-lessons.ts';
import { rivalsOf, type LearnedRule } from './rivals.ts';
import { cellsPerEvaluation } from './work.ts';

const mostBodies = 60;
const mostOffsets = 12;

/**
 * Learns where objects go. Objects are the rows and their features the columns of the table learner for cells; the answers
 * are the actions that move the object to cells of its own colours in the output. A rule must then give every training
 * output exactly, because actions that are right for each object alone can be wrong together.
 */
export function learnMoves(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
  sight: Sight = 'colours',
): LearnedRule[] {
  if (!haveSizesOf(bases, targets)) return [];
  const rules: LearnedRule[] = [];
  const limitsOfObjects = { inImage: mostBodies, inAll: Infinity };
  const holds = (): boolean => rules.some(({ held }) => held === 1);
  for (const lesson of objectLessons(bases, targets.length, limits, limitsOfObjects, holds)) {
    const { objects, scenes } = lesson;
    limits.work.spend((objectFeatureNames.length * cellsOf(bases)) / cellsPerEvaluation.made);
    const known = new Map<string, (Offset | null)[][]>();
    for (const leave of sight === 'filling' ? ['nothing'] : possibleLeavings(bases, targets)) {
      const trial: Trial = { bases, targets, scenes, leave, known, same: sameBy[sight] };
      limits.work.spend(triedCells(scenes) / cellsPerEvaluation.tabled);
      // Some of the rules fail when all objects move at once.
      const decided = rightActions(trial).flatMap((rights) =>
        decideObjects(lesson, targets.length, rights, limits, 2 * most),
      );
      for (const decision of decided) {
        const { features, table, held } = decision;
        const args = { objects, features, table, leave };
        limits.work.spend(cellsOf(bases) / cellsPerEvaluation.made);
        const cost = objectRuleCost(decision, actionsPrice(Object.values(table)));
        if (fitsOutputs('move_objects', args, bases, targets, sameBy[sight]))
          rules.push({ args, held, cost });
      }
    }
  }
  return rivalsOf('move_objects', rules, bases.slice(targets.length), most);
}

/** Whether a moved object must have its colours in the output, or only filled cells, so that a later step can recolour them. */
export type Sight = 'colours' | 'filling';
type Same = (a: number | undefined, b: number | undefined) => boolean;
const sameBy: Readonly<Record<Sight, Same>> = {
  colours: (a, b) => a === b,
  filling: (a, b) => (a === 0) === (b === 0),
};

/** Whether every output has as many filled cells as its input, and some have them in other places. */
export function mayBeMoved(bases: readonly Image[], targets: readonly Image[]): boolean {
  return (
    haveSizesOf(bases, targets) &&
    targets.every(({ cells }, i) => filledCount(cells) === filledCount(definite(bases[i]).cells)) &&
    targets.some(({ cells }, i) => cells.some((cell, at) => !sameBy.filling(cell, bases[i]?.cells[at])))
  );
}

/** Leavings without a colour, or with one that some output has in place of another colour of its input, where an object was. */
function possibleLeavings(bases: readonly Image[], targets: readonly Image[]): string[] {
  const made = new Set<number>();
  for (const [pair, { cells }] of targets.entries())
    for (const [i, cell] of cells.entries()) {
      const before = bases[pair]?.cells[i];
      if (before !== 0 && before !== cell) made.add(cell);
    }
  return leavings.filter((leave) => {
    const { colour } = leftBy(leave, [0, 0]);
    return colour === null || made.has(colour);
  });
}

function cellsOf(images: readonly Image[]): number {
  return images.reduce((sum, { cells }) => sum + cells.length, 0);
}

/** The approximate number of cells read to try all actions on all objects: about fifty actions, and offsets to every place. */
function triedCells(scenes: readonly BodyScene[]): number {
  return scenes.reduce(
    (sum, { width, height, bodies }) => sum + 50 * width * height + bodies.length * width * height,
    0,
  );
}

interface Trial {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly scenes: readonly BodyScene[];
  readonly leave: string;
  /** The offset of each object under each action except slides, which also depend on what objects leave. */
  readonly known: Map<string, (Offset | null)[][]>;
  readonly same: Same;
}

/** For each training object, whether an action is right and whether it writes a cell that changes. */
interface Tried {
  readonly action: string;
  readonly right: readonly boolean[];
  readonly gain: number;
}

/** Number of actions tried as the preferred one, if objects leave a copy behind. */
const mostPreferred = 5;

/**
 * The actions that explain the most objects, and for each training object which of them are right. For an object that leaves
 * nothing behind, usually one action is right. For one that leaves a copy, staying is right too, so each of the most likely
 * actions is preferred in turn.
 */
function rightActions(trial: Trial): { answers: string[]; right: Uint32Array }[] {
  const stay = tryAction(trial, 'stay', []);
  const moving = stay.right.map((isRight) => trial.leave !== 'nothing' || !isRight);
  const shown = new Set(trial.scenes.flatMap(({ bodies }) => bodies.map(({ colour }) => colour)));
  const colours = [...shown].sort((a, b) => a - b);
  const useful = [...offered('move', actionNames(colours)), ...commonOffsets(trial, moving)]
    .map((action) => tryAction(trial, action, moving))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, mostAnswers - 2);
  if (trial.leave === 'nothing') return [masksOf([stay, ...useful])];
  return useful
    .slice(0, mostPreferred)
    .map((first) => masksOf([first, stay, ...useful.filter((other) => other !== first)]));
}

/** Bit n of an object is set if action n is right. An object that no action explains is dropped. */
function masksOf(actions: readonly Tried[]): { answers: string[]; right: Uint32Array } {
  const right = new Uint32Array(actions[0]?.right.length ?? 0);
  for (let row = 0; row < right.length; row++) {
    let mask = 0;
    for (const [bit, one] of actions.entries()) if (one.right[row] === true) mask |= 1 << bit;
    right[row] = mask === 0 ? 1 << actions.length : mask;
  }
  return { answers: [...actions.map(({ action }) => action), 'drop'], right };
}

function tryAction(trial: Trial, action: string, moving: readonly boolean[]): Tried {
  const right: boolean[] = [];
  let gain = 0;
  for (const [pair, target] of trial.targets.entries()) {
    const scene = definite(trial.scenes[pair]);
    const base = definite(trial.bases[pair]);
    const slid = isSlide(action) ? slidOffsets(scene, action, moving.slice(right.length)) : null;
    const offsets = slid ?? definite(offsetsBy(trial, action)[pair]);
    for (const [label, body] of scene.bodies.entries()) {
      const offset = definite(offsets[label]);
      const gone = offset === null && vanishes(action);
      const isRight = gone
        ? !shows(base, target, body, [0, 0], trial.same)
        : lands(base, target, body, offset ?? [0, 0], trial);
      if (isRight && (gone || writesChange(base, target, body, offset ?? [0, 0], trial.same))) gain++;
      right.push(isRight);
    }
  }
  return { action, right, gain };
}

function offsetsBy({ scenes, targets, known }: Trial, action: string): (Offset | null)[][] {
  let offsets = known.get(action);
  if (offsets === undefined) {
    offsets = scenes
      .slice(0, targets.length)
      .map((scene) => scene.bodies.map((_, label) => offsetOf(scene, label, action)));
    known.set(action, offsets);
  }
  return offsets;
}

/** Whether a moved object writes a cell that the output changes. */
function writesChange(base: Image, target: Image, body: MovingBody, [dx, dy]: Offset, same: Same): boolean {
  if (dx === 0 && dy === 0) return false;
  return body.cells.some((cell) => {
    const to = cell + dx + dy * base.width;
    return !same(base.cells[to], target.cells[to]);
  });
}

/** Whether the output has an object's colours at its new place, and those of what it leaves behind at the old one. */
function lands(
  base: Image,
  target: Image,
  body: MovingBody,
  offset: Offset,
  { leave, same }: Pick<Trial, 'leave' | 'same'>,
): boolean {
  if (!shows(base, target, body, offset, same)) return false;
  if (offset[0] === 0 && offset[1] === 0) return true;
  const { at, colour } = leftBy(leave, offset);
  if (colour === null) return at.every((part) => shows(base, target, body, part, same));
  const covered = new Set(body.cells.map((cell) => cell + offset[0] + offset[1] * base.width));
  return at.every(([dx, dy]) =>
    body.cells.every((cell) => {
      const to = cell + dx + dy * base.width;
      return covered.has(to) || target.cells[to] === colour;
    }),
  );
}

function shows(base: Image, target: Image, body: MovingBody, [dx, dy]: Offset, same: Same): boolean {
  for (const cell of body.cells) {
    const x = (cell % base.width) + dx;
    const y = Math.floor(cell / base.width) + dy;
    if (x < 0 || y < 0 || x >= base.width || y >= base.height) return false;
    if (!same(target.cells[y * base.width + x], base.cells[cell])) return false;
  }
  return true;
}

/** The offsets of objects that slide together, blocked by those that stay; for a staying object, its offset if all objects slid. */
function slidOffsets(scene: BodyScene, action: string, moving: readonly boolean[]): Offset[] {
  const step = slideStep(action);
  const moved = slides(
    scene,
    scene.bodies.map((_, label) => (moving[label] === true ? step : null)),
  );
  const all = slides(
    scene,
    scene.bodies.map(() => step),
  );
  return scene.bodies.map((_, label) => definite((moving[label] === true ? moved : all)[label]));
}

/** Fixed offsets that bring the most objects to cells of their colours. */
function commonOffsets(trial: Trial, moving: readonly boolean[]): string[] {
  const counts = new Map<string, number>();
  let row = 0;
  for (const [pair, target] of trial.targets.entries()) {
    const base = definite(trial.bases[pair]);
    for (const body of definite(trial.scenes[pair]).bodies) {
      if (moving[row++] !== true) continue;
      for (let dy = -body.top; dy <= base.height - body.height - body.top; dy++)
        for (let dx = -body.left; dx <= base.width - body.width - body.left; dx++)
          if (
            writesChange(base, target, body, [dx, dy], trial.same) &&
            shows(base, target, body, [dx, dy], trial.same)
          )
            counts.set(`by ${dx} ${dy}`, (counts.get(`by ${dx} ${dy}`) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, mostOffsets)
    .map(([offset]) => offset);
}
