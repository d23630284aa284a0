import { definite } from '../../core/errors.ts';
import type { BodyScene } from './actions.ts';
import { enclosed } from '../grid/objects.ts';
import type { Image } from './image.ts';
import { directions } from './smear.ts';
import { inColour, isTreatmentColour } from './treatment-colours.ts';
import { isAtCorner, treatmentLines } from './treatment-lines.ts';
import type { Subject, WrittenTreatment } from './treatment-subject.ts';

/**
 * The vocabulary of learned treatments, which change an object in place. A treatment is a short text: a verb, optionally a way,
 * optionally a colour for the cells it writes, named or read from the objects: "ray right", "fill 3", "box held". It gives the
 * cells to write.
 */
const ways = Object.keys(directions).filter((way) => !/.ing-diagonal/.test(way));

type Line = (subject: Subject, way: string) => WrittenTreatment;

/** Verbs with a way: straight lines from the cells of the object. */
const lineVerbs: Readonly<Record<string, Line>> = {
  /** Across empty cells, to the next filled one or the edge. */
  ray: (subject, way) => treatmentLines(subject, way),
  /** Over everything, to the edge. */
  beam: (subject, way) => treatmentLines(subject, way, { isOverAll: true }),
};

/** A verb with diagonal ways: rays from the corners of the object's box, outward. */
const cornerVerbs: Readonly<Record<string, Line>> = {
  horn: (subject, way) => treatmentLines(subject, way, { starts: isAtCorner }),
};
/** A verb with a straight way: lines as long as the object has colours. */
const measuredVerbs: Readonly<Record<string, Line>> = {
  'bar-colours': (subject, way) => treatmentLines(subject, way, { most: new Set(ownColours(subject)).size }),
};

const straightWays = ['right', 'left', 'down', 'up', 'plus'];

const diagonalWays = Object.keys(directions).filter((way) =>
  directions[way]?.every(([dx, dy]) => dx !== 0 && dy !== 0),
);

/** Verbs without an argument; all but the first two can have a colour. */
const plainVerbs: Readonly<Record<string, (subject: Subject) => WrittenTreatment>> = {
  keep: () => ({ places: [], colours: [] }),
  drop: ({ scene, self }) => filledWith(definite(scene.bodies[self]).cells, 0),
  paint: ({ scene, self }) => filledWith(definite(scene.bodies[self]).cells, colourOf(scene, self)),
  fill: (subject) => inBox(subject, 0, (inside) => inside),
  box: (subject) => inBox(subject, 0, (_, own) => !own),
  ring: (subject) => inBox(subject, 1, (_, own, border) => border && !own),
  core: (subject) => inBox(subject, 0, (_, own, border) => own && !border),
  'mid-plus': (subject) => inMiddle(subject, 1),
};

/** All treatments without a colour, plainer ones first. */
export const treatmentNames: readonly string[] = [
  ...Object.keys(plainVerbs),
  ...phrases(lineVerbs, ways),
  ...phrases(cornerVerbs, diagonalWays),
  ...phrases(measuredVerbs, straightWays),
];

const known = new Set(treatmentNames);

export function isTreatment(text: string): boolean {
  const parts = treatmentParts(text);
  return (
    parts.length <= 2 &&
    parts.every((part) => {
      const { name, colour } = parsed(part);
      const isBare = name === 'keep' || name === 'drop';
      return known.has(name) && !(isBare && (colour !== null || parts.length > 1));
    })
  );
}

/** Two combined treatments are written with a plus between them. */
export function treatmentParts(text: string): string[] {
  return text.split(' + ');
}

/** The cells that a treatment writes for one object, in its own colours or in the one that the text ends with. */
export function written(source: Image, scene: BodyScene, self: number, text: string): WrittenTreatment {
  const parts = treatmentParts(text).map((part) => writtenByOne(source, scene, self, part));
  return {
    places: parts.flatMap(({ places }) => places),
    colours: parts.flatMap(({ colours }) => colours),
  };
}

/** The same for one treatment. */
export function writtenByOne(source: Image, scene: BodyScene, self: number, text: string): WrittenTreatment {
  const { name, colour } = parsed(text);
  const [verb = '', by = ''] = name.split(' ');
  const subject = { source, scene, self };
  const plain =
    plainVerbs[verb]?.(subject) ??
    cornerVerbs[verb]?.(subject, by) ??
    measuredVerbs[verb]?.(subject, by) ??
    definite(lineVerbs[verb])(subject, by);
  return colour === null ? plain : inColour(subject, plain, colour);
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

function filledWith(places: readonly number[], colour: number): WrittenTreatment {
  return { places, colours: places.map(() => colour) };
}

function colourOf(scene: BodyScene, self: number): number {
  return definite(scene.bodies[self]).colour;
}

/** Cells of the object's box, widened by a margin, in its colour: chosen by being a hole, the object's own, or on the border. */
function inBox(
  { source, scene, self }: Subject,
  margin: number,
  takes: (inside: boolean, own: boolean, border: boolean) => boolean,
): WrittenTreatment {
  const body = definite(scene.bodies[self]);
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
      const isBorder = x === 0 || x === width - 1 || y === 0 || y === height - 1;
      const i = y * width + x;
      if (takes(holes[i] === 1, mask[i] === 1, isBorder)) places.push(at(x, y));
    }
  return filledWith(places, body.colour);
}

/** Cells at most this many steps from the middle of the object's box; not its own. */
function inMiddle({ source, scene, self }: Subject, most: number): WrittenTreatment {
  const { left, top, width, height, colour } = definite(scene.bodies[self]);
  const places: number[] = [];
  for (let y = Math.max(0, top - 1); y <= Math.min(source.height - 1, top + height); y++)
    for (let x = Math.max(0, left - 1); x <= Math.min(source.width - 1, left + width); x++) {
      // twice the distance: the middle may be between two cells, and then both count
      const across = Math.floor(Math.abs(2 * (x - left) - width + 1) / 2);
      const upright = Math.floor(Math.abs(2 * (y - top) - height + 1) / 2);
      const place = y * source.width + x;
      if (scene.labels[place] !== self && across + upright <= most) places.push(place);
    }
  return filledWith(places, colour);
}

/** The colours of the object's cells, cell by cell. */
function ownColours({ source, scene, self }: Subject): number[] {
  return definite(scene.bodies[self]).cells.map((cell) => source.cells[cell] ?? 0);
}
