import { countColours, motions, moveGrid, sameGrid, type Grid } from '../grid/grid.ts';
import { componentSizes, objectsIn } from '../grid/objects.ts';
import type { Task } from '../grid/task.ts';

/**
 * A property that all training pairs share, whatever their rule: "no empty cell changes", "the output has one object". An answer
 * that breaks it is doubtful, however well its rule fits. Traits do not use the rule language, so they also apply to tasks that
 * the language cannot express. Null means that there is no trait: for example, if no output is symmetric.
 */
type Trait = (pair: Sight) => Value | null;
type Value = boolean | number | string;

/** The data of a pair that traits use. */
interface Sight {
  readonly input: Seen;
  readonly output: Seen;
  /** The changes of colour, each once; empty if the sizes differ. */
  readonly changes: readonly { readonly from: number; readonly to: number }[];
}

interface Seen {
  readonly grid: Grid;
  readonly counts: readonly number[];
  readonly colours: readonly number[];
  readonly filled: number;
  /** Sizes of objects of one colour, in order. */
  readonly sizes: readonly number[];
  /** Number of objects of any colours. */
  readonly bodies: number;
}

const traits: Readonly<Record<string, Trait>> = {
  width: ({ input, output }) => output.grid.width / input.grid.width,
  height: ({ input, output }) => output.grid.height / input.grid.height,
  wide: ({ output }) => output.grid.width,
  high: ({ output }) => output.grid.height,
  smaller: ({ input, output }) => Math.sign(output.grid.cells.length - input.grid.cells.length),
  kept: ({ input, output }) => sameGrid(input.grid, output.grid),
  palette: ({ output }) => output.colours.join(''),
  colours: ({ output }) => output.colours.length,
  'filled colours': ({ output }) => output.colours.filter((colour) => colour !== 0).length,
  black: ({ output }) => output.colours.includes(0),
  new: ({ input, output }) => without(output, input).join(''),
  lost: ({ input, output }) => without(input, output).join(''),
  'is new': ({ input, output }) => without(output, input).length > 0,
  'is lost': ({ input, output }) => without(input, output).length > 0,
  ground: ({ input, output }) => mostIn(input).some((colour) => mostIn(output).includes(colour)),
  'changed from': ({ changes }) => named(changes.map(({ from }) => from)),
  'changed to': ({ changes }) => named(changes.map(({ to }) => to)),
  'only fills': ({ changes }) => changes.every(({ from }) => from === 0),
  'only clears': ({ changes }) => changes.every(({ to }) => to === 0),
  'keeps holes': ({ changes }) => changes.every(({ from }) => from !== 0),
  'one change': ({ changes }) => changes.length <= 1,
  counts: ({ input, output }) => input.counts.join() === output.counts.join(),
  filled: ({ input, output }) => Math.sign(output.filled - input.filled),
  objects: ({ output }) => few(output.sizes.length),
  bodies: ({ output }) => few(output.bodies),
  'objects more': ({ input, output }) => Math.sign(output.sizes.length - input.sizes.length),
  'bodies more': ({ input, output }) => Math.sign(output.bodies - input.bodies),
  'same sizes': ({ input, output }) => input.sizes.join() === output.sizes.join(),
  'rows alike': ({ output: { grid } }) =>
    grid.cells.every((cell, i) => cell === grid.cells[i % grid.width]) || null,
  'columns alike': ({ output: { grid } }) =>
    grid.cells.every((cell, i) => cell === grid.cells[i - (i % grid.width)]) || null,
  within: ({ input, output }) => contains(input.grid, output.grid),
  ...Object.fromEntries(
    motions
      .slice(1)
      .map((motion): [string, Trait] => [
        motion,
        ({ output }) => sameGrid(output.grid, moveGrid(output.grid, motion)) || null,
      ]),
  ),
};
const traitNames = Object.keys(traits);

/** Weights in nats; a trait not listed here has `usual`. Sizes and counts agree by chance more often. */
const usual = 0.8;
const weak: Readonly<Record<string, number>> = {
  wide: 0.2,
  high: 0.2,
  objects: 0.3,
  bodies: 0.3,
  ground: 0.3,
  'keeps holes': 0.3,
};
const mostDoubt = 4;
/** With two pairs, doubt is limited: two solid outputs share one colour, equal rows and every symmetry by one coincidence. */
const mostDoubtOfTwo = 2;

/** How doubtful answers are, in nats. A single pair gives no evidence, because it shares all its traits with itself. */
export function doubtsOf(task: Pick<Task, 'train' | 'test'>): (answers: readonly (Grid | null)[]) => number {
  if (task.train.length < 2) return () => 0;
  const broken = brokenTraits(task);
  return (answers) => {
    const sum = broken(answers).reduce((all, name) => all + (weak[name] ?? usual), 0);
    return Math.min(task.train.length === 2 ? mostDoubtOfTwo : mostDoubt, sum);
  };
}

/** The traits that all training pairs share but some answer lacks. */
export function brokenTraits({
  train,
  test,
}: Pick<Task, 'train' | 'test'>): (answers: readonly (Grid | null)[]) => string[] {
  const pairs = train.map(({ input, output }) => valuesOf(seen(input), output));
  const shared = [...traitNames.entries()].flatMap(([i, name]) => {
    const value = pairs[0]?.[i] ?? null;
    return value !== null && pairs.every((values) => values[i] === value) ? [{ name, i, value }] : [];
  });
  const inputs = test.map(seen);
  return (answers) => {
    const shown = answers.flatMap((answer, number) => {
      const input = inputs[number];
      return answer === null || input === undefined ? [] : [valuesOf(input, answer)];
    });
    return shared.flatMap(({ name, i, value }) =>
      shown.some((values) => values[i] !== value) ? [name] : [],
    );
  };
}

function valuesOf(input: Seen, made: Grid): (Value | null)[] {
  const pair = { input, output: seen(made), changes: changesIn(input.grid, made) };
  return Object.values(traits).map((trait) => trait(pair));
}

function seen(grid: Grid): Seen {
  const counts = [...countColours(grid.cells)];
  return {
    grid,
    counts,
    colours: [...counts.keys()].filter((colour) => counts[colour] !== 0),
    filled: grid.cells.length - (counts[0] ?? 0),
    sizes: [...componentSizes(objectsIn(grid, 'blob'))].sort((a, b) => a - b),
    bodies: objectsIn(grid, 'object').count,
  };
}

function changesIn(input: Grid, output: Grid): { from: number; to: number }[] {
  if (input.width !== output.width || input.height !== output.height) return [];
  const kinds = new Set<number>();
  for (const [i, from] of input.cells.entries()) {
    const to = output.cells[i] ?? 0;
    if (from !== to) kinds.add(from * 10 + to);
  }
  return Array.from(kinds, (kind) => ({ from: Math.floor(kind / 10), to: kind % 10 }));
}

function without(some: Seen, others: Seen): number[] {
  return some.colours.filter((colour) => !others.colours.includes(colour));
}

function named(colours: readonly number[]): string {
  return [...new Set(colours)].sort((a, b) => a - b).join('');
}

/** The most frequent colours; several on a tie. */
function mostIn({ counts }: Seen): number[] {
  const most = Math.max(...counts);
  return [...counts.keys()].filter((colour) => counts[colour] === most);
}

/** Large counts are cut off, because they agree by chance. */
function few(count: number): number {
  return Math.min(count, 4);
}

/** Whether a smaller grid is part of the larger one. */
function contains(whole: Grid, part: Grid): boolean {
  if (part.cells.length === whole.cells.length) return false;
  for (let top = 0; top <= whole.height - part.height; top++)
    for (let left = 0; left <= whole.width - part.width; left++)
      if (isAt(whole, part, left, top)) return true;
  return false;
}

function isAt(whole: Grid, part: Grid, left: number, top: number): boolean {
  return part.cells.every((cell, i) => {
    const y = top + Math.floor(i / part.width);
    return cell === whole.cells[y * whole.width + left + (i % part.width)];
  });
}
