import { definite } from '../../core/errors.ts';
import { featureColumn, sourceNames, wideFeatureNames } from './features/features.ts';
import { image, withCells, type Image } from './image.ts';
import { sameCells } from '../grid/grid.ts';
import { imageToImage, listToImage, type RuleOperation, type Table } from './operation.ts';
import { Scan } from './scan.ts';
import { entriesPrice, readingAnswers, tablePrice } from './tables.ts';

/**
 * Learned cell rules. A table maps the values of some features of a cell to a colour ("3") or to a place to read the
 * colour from ("@see-north"). `else` is the result for a cell whose key is not in the table.
 */
const otherwise = ['keep', 'fail'] as const;
/** Indexes of the list that a table may read. */
const listPlaces = Array.from({ length: 30 }, (_, place) => `${place}`);

interface ListTable {
  readonly table: Table;
  /** The number of images, from the first, whose cells form the keys; the others can only be read. */
  readonly keys: number;
  readonly else: (typeof otherwise)[number];
}

export const cellOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'cells',
    summary: 'colour every cell by {features} ({table})',
    parameters: {
      features: { kind: 'names', of: wideFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: readingAnswers(sourceNames) },
      else: { kind: 'choice', of: otherwise },
      rounds: { kind: 'integer', from: 1, to: 30 },
    },
    search: [],
    price: tablePrice,
    make: (args) => (source, scene) => {
      let current: Image | null = source;
      for (let round = 0; round < args.rounds; round++) {
        const next: Image | null = relabel(new Scan(current, scene.input), args);
        if (next === null) return null;
        if (sameCells(next.cells, current.cells)) break;
        current = next;
      }
      return current;
    },
  }),
  listToImage({
    name: 'cells_of_list',
    summary: 'colour every place by its cells in the images ({table})',
    parameters: {
      table: { kind: 'table', keyed: 'keys', answers: readingAnswers(listPlaces) },
      keys: { kind: 'integer', from: 1, to: 9 },
      else: { kind: 'choice', of: otherwise },
    },
    search: [],
    price: ({ keys, table }) => 8 + 4 * keys + entriesPrice(table),
    make: (args) => (sources) => fromTable(sources, args),
  }),
];

function fromTable(sources: readonly Image[], { table, keys, else: unknown }: ListTable): Image | null {
  const first = definite(sources[0]);
  const keyed = sources.slice(0, keys);
  if (keyed.length < keys) return null;
  if (sources.some(({ width, height }) => width !== first.width || height !== first.height)) return null;
  const cells = new Uint8Array(first.cells.length);
  for (let i = 0; i < cells.length; i++) {
    const answer = table[keyed.map((source) => source.cells[i] ?? 0).join(',')];
    if (answer === undefined && unknown !== 'keep') return null;
    if (answer === undefined) cells[i] = first.cells[i] ?? 0;
    else if (answer.startsWith('@')) cells[i] = sources[Number(answer.slice(1))]?.cells[i] ?? 0;
    else cells[i] = Number(answer);
  }
  return image(0, 0, first.width, first.height, cells);
}

interface CellTable {
  readonly features: readonly string[];
  readonly table: Table;
  readonly else: (typeof otherwise)[number];
}

function relabel(scan: Scan, args: CellTable): Image | null {
  const columns = args.features.map((name) => featureColumn(scan, name));
  const table = args.table;
  const cells = new Uint8Array(scan.cells.length);
  for (let i = 0; i < cells.length; i++) {
    const answer = table[columns.map((column) => column[i]).join(',')];
    if (answer === undefined && args.else !== 'keep') return null;
    if (answer === undefined) cells[i] = scan.cells[i] ?? 0;
    // read an entry only when a cell needs it, because leave-one-out records which ones are used. Beyond the edge is
    // empty.
    else if (answer.startsWith('@')) cells[i] = (featureColumn(scan, answer.slice(1))[i] ?? 0) % 10;
    else cells[i] = Number(answer);
  }
  return withCells(scan.source, cells);
}
