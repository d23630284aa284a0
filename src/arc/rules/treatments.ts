import { ownSides, type Body, type Scene } from './actions.ts';
import { enclosed } from '../objects.ts';
import type { Image } from './image.ts';
import { nonZeroColours } from './operation.ts';
import { directions } from './smear.ts';
import { inColour, isTreatmentColour } from './treatment-colours.ts';
import { copies, isAtCorner, isInMiddle, lines, marched, notBlocked } from './treatment-lines.ts';
import { mirrored, mirrorings, reflected, unfolded } from './treatment-mirrors.ts';
import { completed, symmetries } from './treatment-symmetry.ts';
import type { Subject, Written } from './treatment-subject.ts';

/**
 * What is done to an object where it stands: the vocabulary of learned treatments. A treatment is a short text, a verb, perhaps
 * a way, perhaps a colour for the cells that it writes, named or read off the objects: "ray right", "fill 3", "box held",
 * "flip across". It gives the cells to write.
 */
const ways: readonly string[] = [
  ...Object.keys(directions).filter((way) => !/.ing-diagonal/.test(way)),
  ...ownSides,
  'nearest',
];

/** Verbs with a way: straight lines from the cells of the object. */
const lineVerbs: Readonly<Record<string, (subject: Subject, way: string) => Written>> = {
  /** Over empty cells, to the next filled one or the edge. */
  ray: (subject, way) => lines(subject, way, notBlocked),
  /** The same, but only where another object ends it. */
  link: (subject, way) => lines(subject, way, (end) => end === 'met'),
  /** The same, but only where nothing stands in its way to the edge. */
  exit: (subject, way) => lines(subject, way, (end) => end === 'edge'),
  /** Like a ray, but from the middle of the object alone. */
  stem: (subject, way) => lines(subject, way, notBlocked, undefined, isInMiddle),
  /** Over everything, to the edge. */
  beam: (subject, way) =>
    lines(
      subject,
      way,
      () => true,
      () => false,
    ),
};

/** A verb with diagonal ways: rays from the corners of the object's box, outward. */
const cornerVerbs: Readonly<Record<string, (subject: Subject, way: string) => Written>> = {
  horn: (subject, way) => lines(subject, way, notBlocked, undefined, isAtCorner),
};
/** Verbs with a straight way: lines as long as the object has colours, or as others of its colour have cells; the latter over everything. */
const measuredVerbs: Readonly<Record<string, (subject: Subject, way: string) => Written>> = {
  'bar-colours': (subject, way) =>
    lines(subject, way, notBlocked, undefined, () => true, new Set(ownColours(subject)).size),
  'bar-kin': (subject, way) =>
    lines(
      subject,
      way,
      notBlocked,
      () => false,
      () => true,
      kinCells(subject),
    ),
};

/** Verbs that name a colour, with a straight way: lines over everything but that colour, where they end. */
const untilVerbs: Readonly<Record<string, (subject: Subject, way: string) => Written>> = Object.fromEntries(
  nonZeroColours.map((colour) => [
    `until-${colour}`,
    (subject: Subject, way: string) => lines(subject, way, notBlocked, (cell) => cell === colour),
  ]),
);
const straightWays = ['right', 'left', 'down', 'up', 'plus', ...ownSides];

const diagonalWays = Object.keys(directions).filter((way) =>
  directions[way]?.every(([dx, dy]) => dx !== 0 && dy !== 0),
);

/** Verbs with one direction: copies of the object beside it, with a gap of so many cells, to the edge. */
const copyVerbs: Readonly<Record<string, (subject: Subject, way: string) => Written>> = {
  repeat: (subject, way) => copies(subject, way, 0),
  'repeat-1': (subject, way) => copies(subject, way, 1),
};
const oneWay = [...Object.keys(directions).filter((way) => directions[way]?.length === 1), ...ownSides];

const mirrorVerbs: Readonly<Record<string, (subject: Subject, by: string) => Written>> = { flip: mirrored };
/** A verb with a symmetry: the object made whole about its core. */
const symmetryVerbs: Readonly<Record<string, (subject: Subject, by: string) => Written>> = {
  whole: completed,
};

/** Verbs that stand alone; all but the first two can have a colour. */
const plainVerbs: Readonly<Record<string, (subject: Subject) => Written>> = {
  keep: () => ({ places: [], colours: [] }),
  drop: ({ scene, self }) => filledWith((scene.bodies[self] as Body).cells, 0),
  paint: ({ scene, self }) => filledWith((scene.bodies[self] as Body).cells, colourOf(scene, self)),
  fill: (subject) => inBox(subject, 0, (inside) => inside),
  box: (subject) => inBox(subject, 0, (_, own) => !own),
  ring: (subject) => inBox(subject, 1, (_, own, border) => border && !own),
  rim: (subject) => inBox(subject, 0, (_, own, border) => border && !own),
  corners: (subject) => inBox(subject, 0, (_, own, _border, corner) => corner && !own),
  core: (subject) => inBox(subject, 0, (_, own, border) => own && !border),
  mid: (subject) => inMiddle(subject, 0),
  'mid-plus': (subject) => inMiddle(subject, 1),
  unfold: unfolded,
  reflect: reflected,
  march: (subject) => marched(subject, twinOf(subject.scene, subject.self), 'march'),
  leapfrog: (subject) => marched(subject, twinOf(subject.scene, subject.self), 'leapfrog'),
};

/** All treatments without a colour, plainer ones first. */
export const treatmentNames: readonly string[] = [
  ...Object.keys(plainVerbs),
  ...phrases(mirrorVerbs, Object.keys(mirrorings)),
  ...phrases(symmetryVerbs, Object.keys(symmetries)),
  ...phrases(lineVerbs, ways),
  ...phrases(cornerVerbs, diagonalWays),
  ...phrases(measuredVerbs, straightWays),
  ...phrases(copyVerbs, oneWay),
];

/** Treatments that name one of some colours. */
export function treatmentsNaming(colours: readonly number[]): string[] {
  return colours.flatMap((colour) => straightWays.map((way) => `until-${colour} ${way}`));
}
const known = new Set([...treatmentNames, ...treatmentsNaming(nonZeroColours)]);

export function isTreatment(text: string): boolean {
  const parts = partsOf(text);
  return (
    parts.length <= 2 &&
    parts.every((part) => {
      const { name, colour } = parsed(part);
      const isBare = name === 'keep' || name === 'drop';
      return known.has(name) && !(isBare && (colour !== null || parts.length > 1));
    })
  );
}

/** Two treatments at once are written with a plus between them. */
export function partsOf(text: string): string[] {
  return text.split(' + ');
}

/** The cells that a treatment writes for one object, in its own colours or in the one that the text ends with. */
export function written(source: Image, scene: Scene, self: number, text: string): Written {
  const parts = partsOf(text).map((part) => writtenByOne(source, scene, self, part));
  return {
    places: parts.flatMap(({ places }) => places),
    colours: parts.flatMap(({ colours }) => colours),
  };
}

/** The same for one treatment; lines say what they meet. */
export function writtenByOne(source: Image, scene: Scene, self: number, text: string): Written {
  const { name, colour } = parsed(text);
  const [verb = '', by = ''] = name.split(' ');
  const subject = { source, scene, self };
  const plain =
    plainVerbs[verb]?.(subject) ??
    mirrorVerbs[verb]?.(subject, by) ??
    symmetryVerbs[verb]?.(subject, by) ??
    copyVerbs[verb]?.(subject, by) ??
    cornerVerbs[verb]?.(subject, by) ??
    measuredVerbs[verb]?.(subject, by) ??
    untilVerbs[verb]?.(subject, by) ??
    (lineVerbs[verb] as (subject: Subject, way: string) => Written)(subject, by);
  return colour === null ? plain : inColour(subject, plain, colour);
}

/** The first object of another colour that has the same shape. */
function twinOf({ bodies, width }: Scene, self: number): Body | undefined {
  const own = bodies[self] as Body;
  const from = own.left + own.top * width;
  return bodies.find(
    (other) =>
      other.colour !== own.colour &&
      other.width === own.width &&
      other.cells.length === own.cells.length &&
      other.cells.every(
        (cell, i) => cell - other.left - other.top * width === (own.cells[i] as number) - from,
      ),
  );
}

/** A treatment without its colour, and that colour. */
export function parsed(text: string): { name: string; colour: string | null } {
  const end = text.lastIndexOf(' ');
  const last = text.slice(end + 1);
  const isColour = end > 0 && isTreatmentColour(last);
  return isColour ? { name: text.slice(0, end), colour: last } : { name: text, colour: null };
}

function phrases(verbs: object, names: readonly string[]): string[] {
  return Object.keys(verbs).flatMap((verb) => names.map((name) => `${verb} ${name}`));
}

function filledWith(places: readonly number[], colour: number): Written {
  return { places, colours: places.map(() => colour) };
}

function colourOf(scene: Scene, self: number): number {
  return (scene.bodies[self] as Body).colour;
}

/** Cells of the object's box, widened by a margin, in its colour: chosen by being a hole, the object's own, on the border, a corner. */
function inBox(
  { source, scene, self }: Subject,
  margin: number,
  takes: (inside: boolean, own: boolean, border: boolean, corner: boolean) => boolean,
): Written {
  const body = scene.bodies[self] as Body;
  const width = body.width + 2 * margin;
  const height = body.height + 2 * margin;
  const mask = new Uint8Array(width * height);
  const at = (x: number, y: number): number =>
    (body.top - margin + y) * source.width + body.left - margin + x;
  for (let y = margin; y < height - margin; y++)
    for (let x = margin; x < width - margin; x++)
      if (scene.labels[at(x, y)] === self) mask[y * width + x] = 1;
  const holes = enclosed(mask, width, height, 4);
  const places: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const left = body.left - margin + x;
      const top = body.top - margin + y;
      if (left < 0 || top < 0 || left >= source.width || top >= source.height) continue;
      const atSide = x === 0 || x === width - 1;
      const atEnd = y === 0 || y === height - 1;
      const i = y * width + x;
      if (takes(holes[i] === 1, mask[i] === 1, atSide || atEnd, atSide && atEnd)) places.push(at(x, y));
    }
  return filledWith(places, body.colour);
}

/** Cells at most so many steps from the middle of the object's box; not its own. */
function inMiddle({ source, scene, self }: Subject, most: number): Written {
  const { left, top, width, height, colour } = scene.bodies[self] as Body;
  const places: number[] = [];
  for (let y = Math.max(0, top - 1); y <= Math.min(source.height - 1, top + height); y++)
    for (let x = Math.max(0, left - 1); x <= Math.min(source.width - 1, left + width); x++) {
      // twice the distance: the middle may lie between two cells, and then both are in it
      const across = Math.floor(Math.abs(2 * (x - left) - width + 1) / 2);
      const upright = Math.floor(Math.abs(2 * (y - top) - height + 1) / 2);
      const place = y * source.width + x;
      if (scene.labels[place] !== self && across + upright <= most) places.push(place);
    }
  return filledWith(places, colour);
}

/** How many cells the other objects of an object's colour have. */
function kinCells({ scene, self }: Subject): number {
  const { colour } = scene.bodies[self] as Body;
  return scene.bodies.reduce(
    (sum, other, label) => sum + (label !== self && other.colour === colour ? other.cells.length : 0),
    0,
  );
}

/** The colours of the object's cells, cell by cell. */
function ownColours({ source, scene, self }: Subject): number[] {
  return (scene.bodies[self] as Body).cells.map((cell) => source.cells[cell] as number);
}
