import { definite, fieldOf } from '../../../core/errors.ts';
import { contentHash, countColours, type Grid } from '../grid.ts';
import { mainGround } from '../ground.ts';
import type { Pair, Task } from '../task.ts';
import { objectFacts } from './objects.ts';
import { findPanels } from './panels.ts';
import { periodOf, symmetriesOf } from './symmetry.ts';

export const factKinds = [
  'size-relation',
  'background',
  'palette-in',
  'palette-out',
  'colour-map',
  'objects-4',
  'objects-8',
  'symmetry',
  'separators',
  'period',
  'change-mask',
] as const;
type FactKind = (typeof factKinds)[number];

export interface Fact {
  readonly fact_id: string;
  readonly kind: FactKind;
  readonly scope: string;
  readonly value: unknown;
}

/** The describer: facts about each training pair, and those that all pairs share. Sorted, so equal tasks give equal bytes. */
export function describe(task: Pick<Task, 'train'>): Fact[] {
  const facts = task.train.flatMap((pair, i) =>
    pairFacts(pair).map(([kind, value]) => fact(kind, `pair:${i}`, value)),
  );
  facts.push(...sharedFacts(task.train).map(([kind, value]) => fact(kind, 'task', value)));
  return facts.sort(
    (a, b) =>
      compareText(a.scope, b.scope) || compareText(a.kind, b.kind) || compareText(a.fact_id, b.fact_id),
  );
}

/** Canonical bytes: one fact per line, keys in a fixed order. */
export function factsText(facts: readonly Fact[]): string {
  return facts.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** A fact from another source, or undefined if its kind or scope is unknown. */
export function factFrom(value: unknown, pairs: number): Fact | undefined {
  const said = fieldOf(value, 'value');
  const known = factKinds.find((one) => one === fieldOf(value, 'kind'));
  const scopes = ['task', ...Array.from({ length: pairs }, (_, i) => `pair:${i}`)];
  const where = scopes.find((one) => one === fieldOf(value, 'scope'));
  if (known === undefined || where === undefined || said === undefined) return undefined;
  return fact(known, where, said);
}

type Described = readonly [FactKind, unknown];

function fact(kind: FactKind, scope: string, value: unknown): Fact {
  return { fact_id: contentHash(JSON.stringify([kind, scope, value])), kind, scope, value };
}

function pairFacts({ input, output }: Pair): Described[] {
  const ground = mainGround(input);
  return [
    ['size-relation', sizeRelation(input, output)],
    ['background', { input: ground, output: mainGround(output) }],
    ['palette-in', palette(input)],
    ['palette-out', palette(output)],
    ['colour-map', colourMap([{ input, output }])],
    [
      'objects-4',
      {
        input: objectFacts(input, 'piece', ground),
        output: objectFacts(output, 'piece', mainGround(output)),
      },
    ],
    [
      'objects-8',
      { input: objectFacts(input, 'blob', ground), output: objectFacts(output, 'blob', mainGround(output)) },
    ],
    ['symmetry', { input: symmetriesOf(input), output: symmetriesOf(output) }],
    ['separators', { input: separators(input), output: separators(output) }],
    ['period', { input: periodOf(input), output: periodOf(output) }],
    ['change-mask', changeMask(input, output)],
  ];
}

function sharedFacts(train: readonly Pair[]): Described[] {
  const grounds = new Set(train.map(({ input }) => mainGround(input)));
  const relations = new Set(train.map(({ input, output }) => JSON.stringify(sizeRelation(input, output))));
  const common = (of: (pair: Pair) => Grid): number[] =>
    palette(of(definite(train[0]))).filter((colour) =>
      train.every((pair) => of(pair).cells.includes(colour)),
    );
  return [
    ['size-relation', relations.size === 1 ? JSON.parse(definite([...relations][0])) : null],
    ['background', grounds.size === 1 ? [...grounds][0] : null],
    ['palette-in', common(({ input }) => input)],
    ['palette-out', common(({ output }) => output)],
    ['colour-map', colourMap(train)],
  ];
}

function sizeRelation(input: Grid, output: Grid): unknown {
  const same = input.width === output.width && input.height === output.height;
  return {
    relation: same ? 'same' : 'other',
    width: [input.width, output.width],
    height: [input.height, output.height],
    times: [output.width / input.width, output.height / input.height].map((times) =>
      Number.isInteger(times) ? times : null,
    ),
  };
}

function palette(grid: Grid): number[] {
  return [...countColours(grid.cells).entries()].filter(([, count]) => count > 0).map(([colour]) => colour);
}

/** The map of colours that turns input into output cell by cell, or null when there is none. */
function colourMap(pairs: readonly Pair[]): Record<string, number> | null {
  const map = new Map<number, number>();
  for (const { input, output } of pairs) {
    if (input.width !== output.width || input.height !== output.height) return null;
    for (const [i, colour] of input.cells.entries()) {
      const known = map.get(colour);
      if (known === undefined) map.set(colour, output.cells[i] ?? 0);
      else if (known !== output.cells[i]) return null;
    }
  }
  return Object.fromEntries([...map].sort(([a], [b]) => a - b));
}

function separators(grid: Grid): unknown {
  const found = findPanels(grid);
  return found === null
    ? null
    : { colour: found.colour, rows: found.rows, columns: found.columns, panels: found.panels.length };
}

/** The box around the differing cells, and their number; null if the sizes differ. */
function changeMask(input: Grid, output: Grid): unknown {
  if (input.width !== output.width || input.height !== output.height) return null;
  const changed = [...input.cells.keys()].filter((i) => input.cells[i] !== output.cells[i]);
  if (changed.length === 0) return { count: 0, box: null };
  const xs = changed.map((i) => i % input.width);
  const ys = changed.map((i) => Math.floor(i / input.width));
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { count: changed.length, box: [left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1] };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
