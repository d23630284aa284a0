import { definite } from '../../core/errors.ts';
import { stepsBetween, type MovingBody, type BodyScene } from './actions.ts';
import { remembered } from './remember.ts';
import type { Subject, WrittenTreatment } from './treatment-subject.ts';

/** Where a treatment may read its colour: from an object inside the box (`held`), or from the nearest one (`near`). */
const readers: Readonly<Record<string, (scene: BodyScene, self: number) => number | null>> = {
  held: ({ bodies }, self) => {
    const own = definite(bodies[self]);
    return bodies.find((other) => holds(own, other))?.colour ?? null;
  },
  near: ({ bodies }, self) => {
    const own = definite(bodies[self]);
    let nearest: MovingBody | null = null;
    for (const [label, other] of bodies.entries())
      if (label !== self && (nearest === null || stepsBetween(own, other) < stepsBetween(own, nearest)))
        nearest = other;
    return nearest?.colour ?? null;
  },
};
export const colourSourceNames: readonly string[] = Object.keys(readers);

/** Whether a text is a colour at the end of a treatment: a number, or a place to read it from. */
export function isTreatmentColour(text: string): boolean {
  return /^[0-9]$/.test(text) || colourSourceNames.includes(text);
}

/** The cells that a treatment writes in a named or read colour; empty if there is no colour to read. */
export function inColour(subject: Subject, { places }: WrittenTreatment, colour: string): WrittenTreatment {
  const value = Object.hasOwn(readers, colour) ? readColour(subject, colour) : Number(colour);
  return value === null ? { places: [], colours: [] } : { places, colours: places.map(() => value) };
}

/** The colour from a source for an object, cached because every treatment uses it. */
export function readColour({ scene, self }: Pick<Subject, 'scene' | 'self'>, name: string): number | null {
  const read = readers[name];
  if (read === undefined) return null;
  const colours = remembered(scene, `colours ${name}`, () =>
    scene.bodies.map((_, label) => read(scene, label)),
  );
  return colours[self] ?? null;
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
