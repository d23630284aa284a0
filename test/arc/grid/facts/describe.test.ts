import * as fc from 'fast-check';
import { describe as suite, expect, it } from 'vitest';
import { describe, factKinds, factsText, type Fact } from '../../../../src/arc/grid/facts/describe.ts';
import { motions, moveGrid, recolourGrid, type Grid } from '../../../../src/arc/grid/grid.ts';
import type { Pair } from '../../../../src/arc/grid/task.ts';
import { colourPermutations, grids, pic } from '../../arbitrary.ts';

const pairs = fc.tuple(grids(), grids()).map(([input, output]): Pair => ({ input, output }));
/** Pairs of one size, so that colour maps and change masks exist. */
const samePairs = grids().chain((input) =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: input.cells.length, maxLength: input.cells.length })
    .map((cells): Pair => ({ input, output: { ...input, cells: Uint8Array.from(cells) } })),
);

suite('facts about a task', () => {
  it('are the same bytes for the same input, sorted, with unique ids', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const facts = describe({ train: [pair] });
        expect(factsText(describe({ train: [structuredClone(pair)] }))).toBe(factsText(facts));
        expect(new Set(facts.map(({ fact_id }) => fact_id)).size).toBe(facts.length);
        expect(facts.map(({ scope, kind }) => `${scope} ${kind}`)).toEqual(
          facts.map(({ scope, kind }) => `${scope} ${kind}`).sort(),
        );
      }),
    );
  });

  it('contain every kind for every pair', () => {
    const facts = describe({ train: [{ input: pic('010'), output: pic('020') }] });
    expect(facts.filter(({ scope }) => scope === 'pair:0').map(({ kind }) => kind)).toEqual(
      [...factKinds].sort(),
    );
  });

  it('counts and measures do not change when both grids are moved', () => {
    fc.assert(
      fc.property(samePairs, fc.constantFrom(...motions), (pair, motion) => {
        const moved = { input: moveGrid(pair.input, motion), output: moveGrid(pair.output, motion) };
        for (const kind of ['background', 'palette-in', 'palette-out', 'colour-map'] as const)
          expect(value([moved], kind)).toEqual(value([pair], kind));
        for (const kind of ['objects-4', 'objects-8'] as const)
          expect(sizes(value([moved], kind))).toEqual(sizes(value([pair], kind)));
        expect((value([moved], 'change-mask') as { count: number }).count).toBe(
          (value([pair], 'change-mask') as { count: number }).count,
        );
      }),
    );
  });

  it('symmetries are transformed with the grid', () => {
    fc.assert(
      fc.property(grids(5, 2), fc.constantFrom(...motions), (grid, motion) => {
        const before = (value([{ input: grid, output: grid }], 'symmetry') as { input: string[] }).input;
        const after = (value([same(moveGrid(grid, motion))], 'symmetry') as { input: string[] }).input;
        expect(after.length).toBe(before.length);
        expect(after.includes('rotate180')).toBe(before.includes('rotate180'));
      }),
    );
  });

  it('axes are swapped when the grids are transposed', () => {
    fc.assert(
      fc.property(grids(), (grid) => {
        const period = value([same(grid)], 'period') as { input: { x: number; y: number } };
        const turned = value([same(moveGrid(grid, 'transpose'))], 'period') as {
          input: { x: number; y: number };
        };
        expect(turned.input).toEqual({ x: period.input.y, y: period.input.x });
      }),
    );
  });

  it('colours are permuted with the grids', () => {
    fc.assert(
      fc.property(samePairs, colourPermutations(false), (pair, colourOf) => {
        const moved = {
          input: recolourGrid(pair.input, colourOf),
          output: recolourGrid(pair.output, colourOf),
        };
        const mapped = (value([pair], 'palette-in') as number[])
          .map((colour) => colourOf[colour])
          .sort((a, b) => (a as number) - (b as number));
        expect(value([moved], 'palette-in')).toEqual(mapped);
        for (const kind of ['symmetry', 'period', 'change-mask', 'size-relation'] as const)
          expect(value([moved], kind)).toEqual(value([pair], kind));
        const map = value([pair], 'colour-map') as Record<string, number> | null;
        const expected =
          map === null
            ? null
            : Object.fromEntries(
                Object.entries(map).map(([from, to]) => [colourOf[Number(from)], colourOf[to]]),
              );
        expect(value([moved], 'colour-map')).toEqual(expected);
      }),
    );
  });

  it('separators and their panels are found', () => {
    const across = pic('15010', '15010', '55555', '15010');
    const one = pic('15010', '55555', '10501');
    expect(value([same(across)], 'separators')).toMatchObject({
      input: { colour: 5, rows: [2], columns: [1], panels: 4 },
    });
    expect(value([same(one)], 'separators')).toMatchObject({
      input: { colour: 5, rows: [1], columns: [], panels: 2 },
    });
    expect(value([same(pic('12', '21'))], 'separators')).toMatchObject({ input: null });
  });
});

function same(grid: Grid): Pair {
  return { input: grid, output: grid };
}

function value(train: readonly Pair[], kind: Fact['kind']): unknown {
  return describe({ train }).find((fact) => fact.scope === 'pair:0' && fact.kind === kind)?.value;
}

function sizes(objects: unknown): unknown {
  const { input, output } = objects as { input: { size: number }[]; output: { size: number }[] };
  return [input, output].map((list) => list.map(({ size }) => size).sort((a, b) => a - b));
}
