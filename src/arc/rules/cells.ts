import { featureColumn, partNames, readsColour, wideFeatureNames } from './features/index.ts';
import { image, withCells, type Image } from './image.ts';
import { sameCells } from '../grid.ts';
import type { Arguments, Operation, Table } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Learned cell rules. A table maps the values of some features of a cell to a colour ("3") or to where the colour is
 * read ("@see-north"). `else` says what happens to a cell that the table does not know.
 */
const otherwise = ['keep', 'fail'] as const;

export const cellOperations: readonly Operation[] = [
  {
    name: 'cells',
    summary: 'gives every cell the colour that a table names for its features',
    parameters: {
      features: { kind: 'names', of: wideFeatureNames },
      table: { kind: 'table' },
      else: { kind: 'choice', of: otherwise },
      rounds: { kind: 'integer', from: 1, to: 30 },
    },
    search: [],
    takes: 'image',
    gives: 'image',
    make: (args) => (source, scene) => {
      let current: Image | null = source;
      for (let round = 0; round < (args['rounds'] as number); round++) {
        const next: Image | null = relabel(new Scan(current, scene.input), args);
        if (next === null) return null;
        if (sameCells(next.cells, current.cells)) break;
        current = next;
      }
      return current;
    },
  },
  {
    name: 'cells_beside',
    summary:
      'like cells, on the first of several images of one size; features may read the others as "part-1" and so on',
    parameters: {
      features: { kind: 'names', of: [...wideFeatureNames, ...partNames] },
      table: { kind: 'table' },
      else: { kind: 'choice', of: otherwise },
    },
    search: [],
    takes: 'list',
    gives: 'image',
    make: (args) => (sources, scene) => {
      const [first, ...parts] = sources as readonly [Image, ...Image[]];
      if (parts.some(({ width, height }) => width !== first.width || height !== first.height)) return null;
      return relabel(new Scan(first, scene.input, parts), args);
    },
  },
  {
    name: 'cells_of_list',
    summary:
      'gives every place the colour, or the image to read it from, that a table names for its cells in images of one size',
    parameters: {
      table: { kind: 'table' },
      keys: { kind: 'integer', from: 1, to: 9 },
      else: { kind: 'choice', of: otherwise },
    },
    search: [],
    takes: 'list',
    gives: 'image',
    make: (args) => {
      const table = args['table'] as Table;
      const keep = args['else'] === 'keep';
      return (sources) => {
        const first = sources[0] as Image;
        if (sources.some(({ width, height }) => width !== first.width || height !== first.height))
          return null;
        const cells = new Uint8Array(first.cells.length);
        const keyed = sources.slice(0, args['keys'] as number);
        for (let i = 0; i < cells.length; i++) {
          const answer = table[keyed.map((source) => source.cells[i]).join(',')];
          if (answer === undefined && !keep) return null;
          if (answer === undefined) cells[i] = first.cells[i] as number;
          else if (answer.startsWith('@')) cells[i] = sources[Number(answer.slice(1))]?.cells[i] ?? 0;
          else cells[i] = Number(answer) % 10 || 0;
        }
        return image(0, 0, first.width, first.height, cells);
      };
    },
  },
];

function relabel(scan: Scan, args: Arguments): Image | null {
  const columns = (args['features'] as readonly string[]).map((name) => featureColumn(scan, name));
  const table = args['table'] as Table;
  const sources = new Map(
    Object.values(table)
      .filter(readsColour)
      .map((answer) => [answer, featureColumn(scan, answer.slice(1))]),
  );
  const cells = new Uint8Array(scan.cells.length);
  for (let i = 0; i < cells.length; i++) {
    const answer = table[columns.map((column) => column[i]).join(',')];
    if (answer === undefined && args['else'] !== 'keep') return null;
    if (answer === undefined) cells[i] = scan.cells[i] as number;
    else cells[i] = ((sources.get(answer)?.[i] ?? Number(answer)) || 0) % 10;
  }
  return withCells(scan.source, cells);
}
