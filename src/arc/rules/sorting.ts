import type { Body, Offset, Scene } from './actions.ts';

/**
 * Where an object goes when those as thick as it exchange places, the one with the fewest cells first and larger ones further to
 * a side; of equals the one that stood before stays before. Null for a slanting side.
 */
export function sorted({ bodies }: Scene, self: number, [dx, dy]: Offset): Offset | null {
  if ((dx === 0) === (dy === 0)) return null;
  const own = bodies[self] as Body;
  const at = (body: Body): number => (dx === 0 ? body.top : body.left);
  const thick = (body: Body): number => (dx === 0 ? body.height : body.width);
  const line = bodies
    .filter((body) => thick(body) === thick(own))
    .sort((a, b) => (dx + dy) * (at(a) - at(b)));
  const bySize = [...line].sort((a, b) => a.cells.length - b.cells.length);
  const away = at(line[bySize.indexOf(own)] as Body) - at(own);
  return dx === 0 ? [0, away] : [away, 0];
}
