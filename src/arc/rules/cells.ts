import { featureColumn, featureNames, sourceNames } from './features/index.ts';
import { image, withCells, type Image } from './image.ts';
import type { Operation, Table } from './operation.ts';
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
      features: { kind: 'names', of: featureNames },
      table: { kind: 'table' },
      else: { kind: 'choice', of: otherwise },
      rounds: { kind: 'integer', from: 1, to: 30 },
    },
    search: [],
    takes: 'image',
    gives: 'image',
    make: (args) => {
      const features = args['features'] as readonly string[];
      const table = args['table'] as Table;
      const keep = args['else'] === 'keep';
      const rounds = args['rounds'] as number;
      return (source) => {
        let current: Image | null = source;
        for (let round = 0; round < rounds; round++) {
          const next: Image | null = relabel(current, features, table, keep);
          if (next === null) return null;
          if (next.cells.every((cell, i) => cell === (current as Image).cells[i])) break;
          current = next;
        }
        return current;
      };
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

function relabel(source: Image, features: readonly string[], table: Table, keep: boolean): Image | null {
  const scan = new Scan(source);
  const columns = features.map((name) => featureColumn(scan, name));
  const sources = new Map<string, Uint8Array>();
  for (const answer of Object.values(table))
    if (answer.startsWith('@') && sourceNames.includes(answer.slice(1)))
      sources.set(answer, featureColumn(scan, answer.slice(1)));
  const cells = new Uint8Array(source.cells.length);
  for (let i = 0; i < cells.length; i++) {
    const answer = table[columns.map((column) => column[i]).join(',')];
    if (answer === undefined && !keep) return null;
    if (answer === undefined) cells[i] = source.cells[i] as number;
    else cells[i] = ((sources.get(answer)?.[i] ?? Number(answer)) || 0) % 10;
  }
  return withCells(source, cells);
}
