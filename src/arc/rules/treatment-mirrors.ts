import type { Body } from './actions.ts';
import type { Step, Subject, Written } from './treatment-subject.ts';

/** Mirror images of an object: in its box, over its hinge, over a wall; and quarter turns, where its box is square. */
export const mirrorings: Readonly<Record<string, (x: number, y: number, body: Body) => Step>> = {
  across: (x, y, { width }) => [width - 1 - x, y],
  upright: (x, y, { height }) => [x, height - 1 - y],
  turn: (x, y, { width, height }) => [width - 1 - x, height - 1 - y],
  clockwise: (x, y, { height }) => [height - 1 - y, x],
  back: (x, y, { width }) => [y, width - 1 - x],
};
const quarters = new Set(['clockwise', 'back']);

/** The object's mirror image in its own box, in its place. */
export function mirrored({ source, scene, self }: Subject, by: string): Written {
  const body = scene.bodies[self] as Body;
  if (quarters.has(by) && body.width !== body.height) return { places: [], colours: [] };
  const move = mirrorings[by] as (x: number, y: number, body: Body) => Step;
  const places = body.cells.map((cell) => {
    const [x, y] = move((cell % source.width) - body.left, Math.floor(cell / source.width) - body.top, body);
    return (body.top + y) * source.width + body.left + x;
  });
  const kept = new Set(places);
  const left = body.cells.filter((cell) => !kept.has(cell));
  return {
    places: [...left, ...places],
    colours: [...left.map(() => 0), ...body.cells.map((cell) => source.cells[cell] as number)],
  };
}

/** The object's mirror image over its hinge. */
export function unfolded({ source, scene, self }: Subject): Written {
  const { left, top, width, height, cells } = scene.bodies[self] as Body;
  const coordinates = (cell: number): Step => [cell % source.width, Math.floor(cell / source.width)];
  const hinges = [
    { axis: 0, at: left, length: height },
    { axis: 0, at: left + width - 1, length: height },
    { axis: 1, at: top, length: width },
    { axis: 1, at: top + height - 1, length: width },
  ].filter(({ axis, at, length }) => {
    // the whole side of the box is of one colour, and the object has that colour nowhere else
    const line = cells.filter((cell) => coordinates(cell)[axis] === at);
    const colour = source.cells[line[0] as number];
    return (
      length > 1 &&
      line.length === length &&
      line.length < cells.length &&
      cells.every((cell) => line.includes(cell) === (source.cells[cell] === colour))
    );
  });
  const [hinge] = hinges;
  const places: number[] = [];
  const colours: number[] = [];
  if (hinge === undefined || hinges.length > 1) return { places, colours };
  for (const cell of cells) {
    const place = [...coordinates(cell)] as [number, number];
    place[hinge.axis] = 2 * hinge.at - (place[hinge.axis] as number);
    const [x, y] = place;
    if (x < 0 || y < 0 || x >= source.width || y >= source.height) continue;
    places.push(y * source.width + x);
    colours.push(source.cells[cell] as number);
  }
  return { places, colours };
}

/** The object's mirror image over the nearest wall: another object that reaches from edge to edge of the grid. */
export function reflected({ source, scene, self }: Subject): Written {
  const own = scene.bodies[self] as Body;
  const walls = scene.bodies
    .filter((body) => body !== own)
    .flatMap(({ left, top, width, height }) => [
      ...(height === scene.height && width < scene.width ? [{ axis: 0, sum: 2 * left + width - 1 }] : []),
      ...(width === scene.width && height < scene.height ? [{ axis: 1, sum: 2 * top + height - 1 }] : []),
    ])
    .map(({ axis, sum }) => {
      const middle = axis === 0 ? 2 * own.left + own.width - 1 : 2 * own.top + own.height - 1;
      return { axis, sum, away: Math.abs(middle - sum) };
    });
  const nearest = Math.min(...walls.map(({ away }) => away));
  const [wall, another] = walls.filter(({ away }) => away === nearest);
  const places: number[] = [];
  const colours: number[] = [];
  if (wall === undefined || another !== undefined) return { places, colours };
  for (const cell of own.cells) {
    const place = [cell % source.width, Math.floor(cell / source.width)] as [number, number];
    place[wall.axis] = wall.sum - (place[wall.axis] as number);
    const [x, y] = place;
    if (x < 0 || y < 0 || x >= source.width || y >= source.height) continue;
    places.push(y * source.width + x);
    colours.push(source.cells[cell] as number);
  }
  return { places, colours };
}
