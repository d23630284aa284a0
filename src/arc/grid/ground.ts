import { countColours, type Grid } from './grid.ts';
import type { Task } from './task.ts';

/**
 * Which colour is the background. All rules treat 0 as empty, so a task's background is chosen once, and if it is not
 * black, a view maps it to 0 everywhere. A second possible background gives another view.
 */
export type GridGround = 'black' | 'main';

/** The main colour of a grid: the most frequent one; black wins a tie, then the smaller one. */
export function mainGround({ cells }: Pick<Grid, 'cells'>): number {
  const counts = countColours(cells);
  return counts.indexOf(Math.max(...counts));
}

/** A background colour covers at least this fraction of all cells, and of the cells at the edge. */
const leastShare = 0.4;
/** With less black than this, black is not the background, even if the edge is black. */
const hardlyAny = 0.1;
/** A colour this many times as frequent as black excludes black as the background. */
const clearly = 4;

/** The backgrounds possible for most inputs of a task, the more likely one first; black is always included. */
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

/** Whether the main colour may be the background of an input. */
function isPossible({ main, edge, black }: Shares): boolean {
  return main >= leastShare && main > black && (edge >= leastShare || black <= hardlyAny);
}

interface Shares {
  /** Fractions of the main colour among all cells and among edge cells; of black, if it is not the main colour. */
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
