import { countColours, type Grid } from './grid.ts';
import type { Task } from './task.ts';

/**
 * What is ground and not object. All rules see 0 as empty, so a task has one notion of object: its ground is chosen once, and
 * where that is not black, a view makes it 0 everywhere. A second ground that the inputs allow is another view.
 */
export type GridGround = 'black' | 'main';

/** The main colour of a grid: the most frequent one; black wins a tie, then the smaller one. */
export function mainGround({ cells }: Pick<Grid, 'cells'>): number {
  const counts = countColours(cells);
  return counts.indexOf(Math.max(...counts));
}

/** A ground has at least this share of the cells, and of those at the edge. */
const leastShare = 0.4;
/** Where there is hardly any black, black is no ground, whatever stands at the edge. */
const hardlyAny = 0.1;
/** Black is no rival of a background that is this many times as frequent. */
const clearly = 4;

/** The grounds that most inputs of a task allow, the likelier one first; black is always among them. */
export function groundsOf({ train, test }: Pick<Task, 'train' | 'test'>): GridGround[] {
  const inputs = [...train.map(({ input }) => input), ...test];
  const shares = inputs.map(groundShares);
  const mostly = (holds: (share: Shares) => boolean): boolean =>
    2 * shares.filter(holds).length > shares.length;
  if (!mostly(isPossible)) return ['black'];
  return mostly((share) => isPossible(share) && share.black * clearly <= share.main)
    ? ['main', 'black']
    : ['black', 'main'];
}

/** Whether the main colour may be the ground of an input. */
function isPossible({ main, edge, black }: Shares): boolean {
  return main >= leastShare && main > black && (edge >= leastShare || black <= hardlyAny);
}

interface Shares {
  /** Of the main colour, among all cells and among those at the edge; of black, where black is not the main colour. */
  readonly main: number;
  readonly edge: number;
  readonly black: number;
}

function groundShares(grid: Grid): Shares {
  const { width, height, cells } = grid;
  const main = mainGround(grid);
  const share = (colour: number): number =>
    cells.reduce((sum, cell) => sum + Number(cell === colour), 0) / cells.length;
  let edge = 0;
  let own = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) continue;
      edge++;
      if (cells[y * width + x] === main) own++;
    }
  return { main: share(main), edge: own / edge, black: main === 0 ? 1 : share(0) };
}
