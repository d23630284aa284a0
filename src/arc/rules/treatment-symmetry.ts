import { colourCount, countColours } from '../grid.ts';
import type { Body, Scene } from './actions.ts';
import type { Image } from './image.ts';
import { remembered } from './remember.ts';
import type { Step, Subject, Written } from './treatment-subject.ts';

/** An object made symmetric about its core: what the mirror images or quarter turns of its cells add to it. */

/** Images of a place about a centre; coordinates are doubled, for a centre may lie between cells. */
export const symmetries: Readonly<Record<string, readonly ((x: number, y: number) => Step)[]>> = {
  across: [(x, y) => [-x, y]],
  upright: [(x, y) => [x, -y]],
  both: [(x, y) => [-x, y], (x, y) => [x, -y], (x, y) => [-x, -y]],
  turns: [(x, y) => [-y, x], (x, y) => [-x, -y], (x, y) => [y, -x]],
};

/** What the symmetry about the likeliest core adds; nothing where an object has one colour, or several cores are as likely. */
export function completed(subject: Subject, by: string): Written {
  const { source, scene, self } = subject;
  const tally = tallyOf(source, scene.bodies[self] as Body);
  const shared = sharedTally(source, scene);
  const own = [...tally.keys()].filter((colour) => (tally[colour] as number) > 0);
  if (own.length < 2) return { places: [], colours: [] };
  const [best, next] = own
    .map((colour): Core => {
      const { conflicts, ...written } = completedAbout(subject, by, colour);
      // hubs look alike where arms do not, and arms have more cells
      const cells = shared[colour] as number;
      return { written, ranks: [conflicts, cells > 0 ? 0 : 1, cells, tally[colour] as number] };
    })
    .sort((a, b) => byRanks(a, b));
  if (best === undefined || (next !== undefined && byRanks(best, next) === 0))
    return { places: [], colours: [] };
  return best.written;
}

interface Core {
  readonly written: Written;
  /** Smaller ones are likelier, the first one that differs decides. */
  readonly ranks: readonly number[];
}

function byRanks({ ranks }: Core, other: Core): number {
  const at = ranks.findIndex((rank, i) => rank !== other.ranks[i]);
  return at < 0 ? 0 : (ranks[at] as number) - (other.ranks[at] as number);
}

/** What the symmetry about the middle of an object's cells of one colour adds, and how many of its cells are another colour then. */
function completedAbout(
  { source, scene, self }: Subject,
  by: string,
  core: number,
): Written & { readonly conflicts: number } {
  const { cells } = scene.bodies[self] as Body;
  const [centreX, centreY] = middleOf(
    cells.filter((cell) => source.cells[cell] === core),
    source.width,
  );
  const places: number[] = [];
  const colours: number[] = [];
  let conflicts = 0;
  for (const image of symmetries[by] ?? [])
    for (const cell of cells) {
      const [dx, dy] = image(
        2 * (cell % source.width) - centreX,
        2 * Math.floor(cell / source.width) - centreY,
      );
      const x = (centreX + dx) / 2;
      const y = (centreY + dy) / 2;
      // quarter turns about a core that is not square lead between cells
      if (!Number.isInteger(x) || !Number.isInteger(y)) conflicts++;
      else if (x >= 0 && y >= 0 && x < source.width && y < source.height) {
        const place = y * source.width + x;
        if (scene.labels[place] === self) conflicts += Number(source.cells[place] !== source.cells[cell]);
        else {
          places.push(place);
          colours.push(source.cells[cell] as number);
        }
      }
    }
  return { places, colours, conflicts };
}

/** Twice the middle of the box around some cells. */
function middleOf(cells: readonly number[], width: number): Step {
  const across = cells.map((cell) => cell % width);
  const down = cells.map((cell) => Math.floor(cell / width));
  return [Math.min(...across) + Math.max(...across), Math.min(...down) + Math.max(...down)];
}

/** How many cells each colour has that all objects of several colours share; 0 for others. */
function sharedTally(source: Image, scene: Scene): readonly number[] {
  return remembered(scene, 'shared tally', () => {
    const tallies = scene.bodies
      .map((body) => tallyOf(source, body))
      .filter((tally) => tally.filter((count) => count > 0).length > 1);
    return Array.from({ length: colourCount }, (_, colour) => {
      const counts = tallies.map((tally) => tally[colour] as number);
      return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0);
    });
  });
}

function tallyOf(source: Image, { cells }: Body): readonly number[] {
  return [...countColours(Uint8Array.from(cells, (cell) => source.cells[cell] as number))];
}
