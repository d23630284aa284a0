import { countColours, type Grid } from '../grid.ts';
import { image, type Image } from '../rules/image.ts';
import { bind, type Operation } from '../rules/operation.ts';
import type { Program, Step } from '../rules/program.ts';
import { operations } from '../rules/registry.ts';
import { orientation, roles } from '../rules/views.ts';
import type { Task } from '../task.ts';

/** The task seen through a view: inputs and outputs as images in view space, and the steps into it and back. */
export interface ViewedTask {
  readonly name: string;
  /** The inputs as they are, training then test. */
  readonly inputs: readonly Image[];
  readonly roots: readonly Image[];
  readonly targets: readonly Image[];
  readonly prefix: Program;
  readonly suffix: Program;
  readonly cost: number;
}

/** The views worth a search, plainest first; views that leave every input as it is are left out. */
export function viewsOf(task: Task): ViewedTask[] {
  const keep = keptColours(task);
  const wanted: Step[][] = [[]];
  for (const ground of ['black', 'main']) {
    for (const by of ['count', 'solid', 'rare', 'first'])
      wanted.push([{ op: 'roles', args: { keep, by, ground } }]);
  }
  for (const by of ['mass-across', 'mass', 'wide']) wanted.push([{ op: 'orient', args: { by } }]);
  wanted.push([{ op: 'orient', args: { by: 'transposed' } }]);
  const seen = new Set<string>();
  const views: ViewedTask[] = [];
  for (const prefix of wanted) {
    const key = viewKey(task, prefix);
    if (seen.has(key)) continue;
    seen.add(key);
    views.push(viewed(task, prefix));
  }
  return views;
}

/** Colours that mean themselves: those of every input, and those an output has without its input. */
function keptColours(task: Task): number[] {
  const inputs = [...task.train.map(({ input }) => input), ...task.test].map((grid) =>
    countColours(grid.cells),
  );
  const keep: number[] = [];
  for (let colour = 1; colour < 10; colour++) {
    const everywhere = inputs.every((counts) => (counts[colour] as number) > 0);
    const made = task.train.some(
      ({ input, output }) => output.cells.includes(colour) && !input.cells.includes(colour),
    );
    if (everywhere || made) keep.push(colour);
  }
  return keep;
}

/** Equal keys: the views treat every input alike (only colours that occur matter). */
function viewKey(task: Task, prefix: readonly Step[]): string {
  const step = prefix[0];
  const inputs = [...task.train.map(({ input }) => input), ...task.test].map(asImage);
  return inputs
    .map((input) => {
      const colours = step?.op === 'roles' ? roles(input, step.args) : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
      const counts = countColours(input.cells);
      const turned = step?.op === 'orient' ? orientation(input, step.args['by'] as string) : 'identity';
      return `${colours.map((role, colour) => ((counts[colour] as number) > 0 ? role : '')).join()} ${turned}`;
    })
    .join('|');
}

function viewed(task: Task, prefix: readonly Step[]): ViewedTask {
  const look = (grid: Grid, input: Grid): Image => {
    let current = asImage(grid);
    const scene = { input: asImage(input), frame: null };
    for (const step of prefix)
      current = bind(operations.get(step.op) as Operation, step.args)(current, scene) as Image;
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
    cost: prefix.length * 4,
  };
}

function asImage(grid: Grid): Image {
  return image(0, 0, grid.width, grid.height, grid.cells);
}
