import { definite } from '../../core/errors.ts';
import { stepsBetween, type MovingBody, type BodyScene } from './actions.ts';
import { rareColour, type Image } from './image.ts';
import { remembered } from './remember.ts';
import type { Subject, WrittenTreatment } from './treatment-subject.ts';

/**
 * Where a treatment may read the colour of what it writes: off the object (`rare`), off one inside its box (`held`), off the
 * nearest one (`near`); or, of each of its lines, off what it ends at (`met`).
 */
const readers: Readonly<Record<string, (source: Image, scene: BodyScene, self: number) => number | null>> = {
  rare: (source, { bodies }, self) => {
    const { cells, colour } = definite(bodies[self]);
    const rare = rareColour(Uint8Array.from(cells, (cell) => source.cells[cell] ?? 0));
    return rare === colour ? null : rare;
  },
  held: (_, { bodies }, self) => {
    const own = definite(bodies[self]);
    return bodies.find((other) => holds(own, other))?.colour ?? null;
  },
  near: (_, { bodies }, self) => {
    const own = definite(bodies[self]);
    let nearest: MovingBody | null = null;
    for (const [label, other] of bodies.entries())
      if (label !== self && (nearest === null || stepsBetween(own, other) < stepsBetween(own, nearest)))
        nearest = other;
    return nearest?.colour ?? null;
  },
};
const alongLines = ['met'] as const;
export const colourSourceNames: readonly string[] = [...Object.keys(readers), ...alongLines];

/** Whether a source is not the object's, but changes along each line. */
export function isAlongLine(name: string): name is (typeof alongLines)[number] {
  return alongLines.some((one) => one === name);
}

/** Whether a text is a colour that a treatment can end with: a number, or where it is read. */
export function isTreatmentColour(text: string): boolean {
  return /^[0-9]$/.test(text) || colourSourceNames.includes(text);
}

/** The cells that a treatment writes in a colour that is named or read; nothing where there is none to read. */
export function inColour(subject: Subject, drawn: WrittenTreatment, colour: string): WrittenTreatment {
  const { places } = drawn;
  if (isAlongLine(colour)) {
    const along = drawn[colour] ?? [];
    return { places: places.filter((_, i) => isSeen(along[i])), colours: along.filter(isSeen) };
  }
  const value = Object.hasOwn(readers, colour) ? readColour(subject, colour) : Number(colour);
  return value === null ? { places: [], colours: [] } : { places, colours: places.map(() => value) };
}

/** The colour that a source has for an object; every treatment asks for it, so it is read once. */
export function readColour({ source, scene, self }: Subject, name: string): number | null {
  const read = readers[name];
  if (read === undefined) return null;
  const colours = remembered(scene, `colours ${name}`, () =>
    scene.bodies.map((_, label) => read(source, scene, label)),
  );
  return colours[self] ?? null;
}

function isSeen(value: number | undefined): value is number {
  return value !== undefined && value !== 0;
}

/** Whether one box lies inside another without touching its sides. */
function holds(own: MovingBody, { left, top, width, height }: MovingBody): boolean {
  return (
    own.left < left &&
    own.top < top &&
    own.left + own.width > left + width &&
    own.top + own.height > top + height
  );
}
