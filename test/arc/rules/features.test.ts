import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveGrid, motions, recolourGrid, sameCells, type Grid } from '../../../src/arc/grid.ts';
import { askable, featureColumn, featureNames } from '../../../src/arc/rules/features/features.ts';
import { image } from '../../../src/arc/rules/image.ts';
import { Scan } from '../../../src/arc/rules/scan.ts';
import { colourPermutations, digits, grids, pic } from '../arbitrary.ts';

/** What a feature says of every cell, as rows of digits. */
function feature(name: string, ...rows: string[]): string[] {
  const grid = pic(...rows);
  return digits({ ...grid, cells: column(name, grid) });
}

function column(name: string, { width, height, cells }: Grid): Uint8Array {
  return featureColumn(new Scan(image(0, 0, width, height, cells)), name);
}

const examples: readonly (readonly [name: string, input: string[], wanted: string[]])[] = [
  ['seen-4', ['020', '000', '008'], ['200', '028', '800']],
  ['seen-diagonal', ['200', '000', '000'], ['000', '020', '002']],
  ['between', ['10012', '00000'], ['01100', '00000']],
  ['nearest-other', ['1002', '0000'], ['2121', '1122']],
  ['object-other', ['1203', '1003'], ['2100', '2000']],
  ['grid-other', ['120', '100'], ['210', '200']],
  ['partner', ['1200', '0000', '0102'], ['2100', '0000', '0201']],
  ['key-next', ['12000', '00000', '23040'], ['23000', '00000', '30000']],
  ['key-before', ['12000', '00000', '23040'], ['01000', '00000', '12000']],
  ['key-end', ['12000', '00000', '23040'], ['33000', '00000', '33040']],
  ['key-begin', ['12000', '00000', '23040'], ['11000', '00000', '11040']],
  ['key-end', ['1200', '0000', '2101'], ['0000', '0000', '0000']],
  ['strip-by-rank', ['1230', '0000', '5505', '0000'], ['1110', '0000', '1102', '0000']],
  ['strip-by-rank-back', ['1230', '0000', '5505', '0000'], ['1110', '0000', '2201', '0000']],
  // only its last colour lies at the edge: the strip is read from there
  ['strip-by-size', ['0123', '0000', '5505', '0000'], ['0333', '0000', '2203', '0000']],
  ['strip-by-place-across', ['1230', '0000', '5505', '0000'], ['1110', '0000', '1102', '0000']],
  ['strip-by-place-down', ['12', '00', '05', '00', '50'], ['11', '00', '01', '00', '20']],
  ['strip-by-count', ['1230', '4444', '5040', '0545', '4444'], ['3333', '0000', '2201', '2201', '0000']],
  ['strip-in-turn', ['12', '55', '00', '00', '00'], ['00', '00', '11', '22', '11']],
  // two strips that are as long, and one that does not stand by itself
  ['strip-in-turn', ['1230', '0000', '4560'], ['0000', '0000', '0000']],
  ['strip-in-turn', ['1230', '0500', '0000'], ['0000', '0000', '0000']],
  ['panel-model-filled', ['12500', '30504'], ['11011', '10010']],
  ['panel-share', ['12530560', '10570504'], ['42041041', '31031012']],
  ['room-main', ['44444', '40242', '42040', '44444'], ['00000', '02202', '02202', '00000']],
  ['room-count', ['44444', '40242', '42042', '44444'], ['00000', '02202', '02202', '00000']],
  ['room-beside', ['44444', '40342', '43042', '44444'], ['00000', '02203', '02203', '00000']],
  ['largest-colour', ['1102'], ['1111']],
  ['smallest-colour', ['1102'], ['2222']],
  ['corner-2', ['000', '020', '000'], ['101', '000', '101']],
  ['beside-2', ['000', '020', '000'], ['010', '101', '010']],
  ['in-row-of-2', ['000', '020'], ['000', '111']],
  ['in-column-of-2', ['000', '020'], ['010', '010']],
  ['object-size>1', ['1020', '1000'], ['1000', '1000']],
  ['filled-west', ['1020', '0000'], ['2101', '2000']],
  ['region-bound', ['111', '102', '111'], ['000', '010', '000']],
  ['region-inflow', ['1110', '1020', '1110'], ['0002', '0202', '0002']],
  ['region-touches-2', ['1110', '1020', '1110'], ['0002', '0202', '0002']],
  ['blob-holder', ['1111', '1021', '1001', '1111'], ['0000', '0010', '0000', '0000']],
  ['blob-held', ['1111', '1021', '1001', '1111'], ['2222', '2002', '2002', '2222']],
  ['blob-neighbour', ['10020004'], ['20010002']],
  ['blob-holdings', ['11113', '10210', '10010', '11110'], ['22221', '20120', '20020', '22220']],
  ['blob-abreast', ['102', '000', '300'], ['202', '000', '100']],
  ['blob-aligned', ['102', '000', '300'], ['201', '000', '200']],
  ['blob-kin', ['1020', '0000', '1003'], ['2010', '0000', '2001']],
  ['blob-sought', ['1000200', '1000000', '0000003'], ['2000300', '2000000', '0000002']],
  ['blob-abreast-colour', ['1100', '1002', '0000', '1003'], ['2200', '2001', '0000', '3001']],
  ['blob-abreast-colour', ['1002', '1003'], ['1001', '1001']],
  ['blob-aligned-colour', ['110', '000', '020'], ['220', '000', '010']],
  ['leftmost-colour', ['0102', '0030'], ['1111', '1111']],
  ['topmost-colour', ['0102', '0030'], ['0000', '0000']],
  ['rightmost-colour', ['0102', '0030'], ['2222', '2222']],
  ['lowest-colour', ['0102', '0030'], ['3333', '3333']],
  ['model', ['112200', '112200', '330005', '330000'], ['000000', '000000', '000000', '000000']],
  [
    'model',
    ['11220055', '11220050', '33000000', '33000000'],
    ['00000012', '00000030', '00000000', '00000000'],
  ],
  ['model', ['1200444', '3000444', '0000000'], ['0000000', '0000000', '0000000']],
  // a block of two colours has none to read
  ['model', ['12000', '12000', '00000', '50000'], ['00000', '00000', '00000', '00000']],
  ['blob-twin', ['11033', '10003'], ['33011', '30001']],
  ['blob-like-holes', ['111022', '101002', '111022'], ['000000', '000000', '000000']],
  ['blob-like-holes', ['111022203', '101020203', '111022203'], ['222011100', '202010100', '222011100']],
  ['blob-like-size', ['1110333', '0000000', '2200040'], ['3330111', '0000000', '0000000']],
  ['blob-like-width', ['110020', '000030', '440030'], ['440030', '000020', '110020']],
  ['blob-like-height', ['1000', '1022', '0004'], ['0000', '0044', '0002']],
  ['piece-rank-down-back>1', ['10200', '10003', '00003'], ['10100', '10000', '00000']],
  ['piece-rank-across>1', ['10200', '10003', '40003'], ['00100', '00001', '00001']],
  ['blob-touched>0', ['12030', '00000'], ['11000', '00000']],
  [
    'blob-mirrored',
    ['1102203', '1000200', '0000000', '4405500'],
    ['2202201', '2000200', '0000000', '1101100'],
  ],
  [
    'blob-turned',
    ['11000300', '10003303', '00000000', '66600003'],
    ['22000200', '20002201', '00000000', '11100001'],
  ],
  ['panel-model', ['12500', '34500'], ['12012', '34034']],
  ['input-corner', ['1002', '0000', '3004'], ['1122', '0000', '3344']],
  ['row-first=row-last', ['10001', '20030', '00000'], ['11111', '00000', '00000']],
  ['row-filled=column-filled', ['110', '100'], ['122', '012']],
  ['region-oblong', ['10010', '10011', '10001'], ['01100', '01100', '01100']],
];

describe('features of cells that stand to others', () => {
  for (const [name, input, wanted] of examples)
    it(`${name} of ${input.join(' ')}`, () => expect(feature(name, ...input)).toEqual(wanted));

  const colours = [
    'seen-4',
    'seen-diagonal',
    'object-other',
    'grid-other',
    'partner',
    'largest-colour',
    'region-bound',
    'region-inflow',
    'model',
    'blob-like-holes',
    'blob-like-size',
  ];

  it('turn with the grid and take its colours', () => {
    fc.assert(
      fc.property(
        grids(6),
        fc.constantFrom(...motions),
        colourPermutations(true),
        (grid, motion, colourOf) => {
          for (const name of colours) {
            const said = { ...grid, cells: column(name, grid) };
            const moved = column(name, recolourGrid(moveGrid(grid, motion), colourOf));
            expect([...moved]).toEqual([...recolourGrid(moveGrid(said, motion), colourOf).cells]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('count others alike when the grid is turned and recoloured', () => {
    fc.assert(
      fc.property(
        grids(6),
        fc.constantFrom(...motions),
        colourPermutations(true),
        (grid, motion, colourOf) => {
          for (const name of [
            'blob-holders',
            'blob-holdings',
            'blob-kin',
            'object-holdings',
            'blob-sought',
            'blob-mirrored',
            'blob-turned',
          ]) {
            const said = { ...grid, cells: column(name, grid) };
            expect([...column(name, recolourGrid(moveGrid(grid, motion), colourOf))]).toEqual([
              ...moveGrid(said, motion).cells,
            ]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('number shapes alike wherever they stand and whatever their colour, turned ones too where asked', () => {
    fc.assert(
      fc.property(
        grids(4, 2),
        fc.constantFrom(...motions),
        colourPermutations(true),
        (grid, motion, colourOf) => {
          const other = recolourGrid(grid, colourOf);
          expect([...column('object-form', other)]).toEqual([...column('object-form', grid)]);
          const said = { ...grid, cells: column('object-form-turned', grid) };
          expect([...column('object-form-turned', moveGrid(other, motion))]).toEqual([
            ...moveGrid(said, motion).cells,
          ]);
        },
      ),
      { numRuns: 60 },
    );
    expect(
      new Set(column('object-form', pic('1100220', '1000200', '0000000', '0011000', '0001000'))),
    ).toHaveLength(3);
    expect(
      new Set(column('object-form-turned', pic('1100220', '1000200', '0000000', '0011000', '0001000'))),
    ).toHaveLength(2);
  });

  it('are left out only where they say the same of every cell, or no more than its colour', () => {
    fc.assert(
      fc.property(grids(5), (grid) => {
        const scan = new Scan(image(0, 0, grid.width, grid.height, grid.cells));
        const asked = new Set(askable(featureNames, [scan]));
        for (const name of featureNames.filter((one) => !asked.has(one))) {
          const values = column(name, grid);
          if (!sameCells(values, grid.cells)) expect([name, new Set(values).size]).toEqual([name, 1]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('compare sizes with every number alike', () => {
    fc.assert(
      fc.property(grids(6), fc.constantFrom(1, 3, 6, 9), (grid, limit) => {
        const sizes = column('object-size', grid);
        expect([...column(`object-size>${limit}`, grid)]).toEqual(
          Array.from(sizes, (size) => Number(size > limit)),
        );
      }),
      { numRuns: 40 },
    );
  });
});
