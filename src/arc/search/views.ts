import { countColours, moveGrid, type Grid, type Motion } from '../grid/grid.ts';
import { groundsOf } from '../grid/ground.ts';
import type { Image } from '../language/image.ts';
import type { Program, ProgramStep } from '../language/program.ts';
import { flips } from '../language/views.ts';
import { isOffered } from '../language/vocabulary.ts';
import type { Task } from '../grid/task.ts';
import { onlyImage } from '../language/operation.ts';
import { makingImage } from '../language/registry.ts';
import { asImage } from '../language/trace.ts';

/** The task seen through a view: inputs and outputs as images in view space, and the steps into it and back. */
export interface ViewedTask {
  readonly name: string;
  /** The inputs as they are, training then test. */
  readonly inputs: readonly Image[];
  readonly roots: readonly Image[];
  readonly targets: readonly Image[];
  readonly prefix: Program;
  readonly suffix: Program;
  readonly kind: Kind;
  /** Its share of the work that a view may use. */
  readonly share: number;
}

/**
 * Most tasks are solved in the first view or another main one. A copy is the task turned: the search makes different mistakes on
 * it, so its result is an independent vote.
 */
type Kind = 'first' | 'main' | 'copy' | 'small';

/** The first view may use all the work of a view; if the main views fail, small ones rarely succeed. */
const shares: Readonly<Record<Kind, number>> = { first: 1, main: 1 / 2, copy: 1 / 8, small: 1 / 8 };

/** The motions of copies: each changes the order in which objects are read. */
const copies = ['transpose', 'rotate180'];

function orient(by: string): ProgramStep {
  return { op: 'orient', args: { by } };
}

/** The views worth a search, plainest first, without those that change no input. */
export function viewsOf(task: Task): ViewedTask[] {
  const keep = keptColours(task);
  const onMain: ProgramStep = {
    op: 'roles',
    args: { keep: [1, 2, 3, 4, 5, 6, 7, 8, 9], by: 'count', ground: 'main' },
  };
  const grounds = groundsOf(task);
  const wanted: ProgramStep[][] = grounds.map((ground) => (ground === 'main' ? [onMain] : []));
  const walls: ProgramStep = { op: 'walls', args: {} };
  wanted.push(grounds[0] === 'main' ? [walls, onMain] : [walls]);
  const corner = cornerOf(task);
  if (corner !== null) wanted.push([orient(corner)]);
  const roles = (by: string, ground: string): ProgramStep => ({ op: 'roles', args: { keep, by, ground } });
  const ground = grounds[0] === 'main' ? [onMain] : [];
  wanted.push(...copies.map((by) => [orient(by), ...ground]));
  // Kinds of views take turns, so that a search that ends early has tried each.
  wanted.push([roles('count', 'black')], [orient('mass-across')], [roles('count', 'main')]);
  wanted.push([roles('solid', 'black')], [orient('wide')]);
  const seen = new Set<string>();
  const views: ViewedTask[] = [];
  for (const prefix of wanted) {
    const view = viewed(task, prefix);
    if (!isOffered('view', view.name)) continue;
    const key = viewKey(view);
    if (seen.has(key)) continue;
    seen.add(key);
    const by = prefix[0]?.args['by'];
    const isGround = views.length < grounds.length || prefix[0] === walls || by === corner;
    const isCopy = prefix[0]?.op === 'orient' && copies.some((one) => one === by);
    const kind = views.length === 0 ? 'first' : isGround ? 'main' : isCopy ? 'copy' : 'small';
    views.push({ ...view, kind, share: shares[kind] });
  }
  return views;
}

/**
 * Size-bound operations start at the top left corner. If outputs have other sizes than inputs and match them from another
 * corner, or are filled from there: the motion that brings that corner to the top left.
 */
function cornerOf({ train }: Task): (typeof flips)[number] | null {
  const differ = train.some(
    ({ input, output }) => input.width !== output.width || input.height !== output.height,
  );
  const agrees = (motion: Motion): boolean =>
    train.every(({ input, output }) => agreeAtStart(moveGrid(input, motion), moveGrid(output, motion)));
  return differ && !agrees('identity') ? (flips.find(agrees) ?? filledCorner(train)) : null;
}

/** If the top left of every output is empty: the motion that brings there a corner that is filled in every output. */
function filledCorner(train: Task['train']): (typeof flips)[number] | null {
  if (train.some(({ output }) => beginsFilled(output, 'identity'))) return null;
  return flips.find((motion) => train.every(({ output }) => beginsFilled(output, motion))) ?? null;
}

function beginsFilled(output: Grid, motion: Motion): boolean {
  return moveGrid(output, motion).cells[0] !== 0;
}

/** Whether the larger grid has the filled cells of the smaller one, in the area that both cover. */
function agreeAtStart(one: Grid, two: Grid): boolean {
  const [small, large] = one.cells.length < two.cells.length ? [one, two] : [two, one];
  for (let y = 0; y < Math.min(small.height, large.height); y++)
    for (let x = 0; x < Math.min(small.width, large.width); x++) {
      const cell = small.cells[y * small.width + x];
      if (cell !== 0 && cell !== large.cells[y * large.width + x]) return false;
    }
  return true;
}

/** Colours with a fixed meaning: those in every input, and those in an output but not in its input. */
function keptColours(task: Task): number[] {
  const inputs = [...task.train.map(({ input }) => input), ...task.test].map((grid) =>
    countColours(grid.cells),
  );
  const keep: number[] = [];
  for (let colour = 1; colour < 10; colour++) {
    const everywhere = inputs.every((counts) => (counts[colour] ?? 0) > 0);
    const made = task.train.some(
      ({ input, output }) => output.cells.includes(colour) && !input.cells.includes(colour),
    );
    if (everywhere || made) keep.push(colour);
  }
  return keep;
}

/** Views with equal keys have equal inputs and outputs. */
function viewKey({ roots, targets }: Pick<ViewedTask, 'roots' | 'targets'>): string {
  return [...roots, ...targets].map(({ width, cells }) => `${width} ${cells.join('')}`).join('|');
}

function viewed(task: Task, prefix: readonly ProgramStep[]): Omit<ViewedTask, 'kind' | 'share'> {
  const look = (grid: Grid, input: Grid): Image => {
    let current = asImage(grid);
    for (const { op, args } of prefix) current = onlyImage(makingImage(op, args)(current, asImage(input)));
    return current;
  };
  return {
    name:
      prefix
        .map(({ op, args }) =>
          [op, ...Object.values(args).filter((value) => typeof value === 'string')].join(':'),
        )
        .join('+') || 'plain',
    inputs: [...task.train.map(({ input }) => input), ...task.test].map(asImage),
    roots: [
      ...task.train.map(({ input }) => look(input, input)),
      ...task.test.map((input) => look(input, input)),
    ],
    targets: task.train.map(({ input, output }) => look(output, input)),
    prefix,
    suffix: [...prefix].reverse().map(({ op, args }) => ({ op: `un${op}`, args })),
  };
}
