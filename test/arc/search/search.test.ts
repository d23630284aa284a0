import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Canvas } from '../../../src/arc/search/canvas.ts';
import { decide, fixedColours, rightAnswers, type Column } from '../../../src/arc/search/decide.ts';
import { completed, decisionFor } from '../../../src/arc/search/decision.ts';
import { Graph } from '../../../src/arc/search/graph.ts';
import { Pieces } from '../../../src/arc/search/pieces.ts';
import { exactByPair, exactPieces, pairMask, stackFrom } from '../../../src/arc/search/stack.ts';
import { choicesFor } from '../../../src/arc/language/variants.ts';
import { viewsOf } from '../../../src/arc/search/views.ts';
import { sameGrid } from '../../../src/arc/grid/grid.ts';
import { Work } from '../../../src/arc/search/work.ts';
import type { Image } from '../../../src/arc/language/image.ts';
import { compile } from '../../../src/arc/language/run.ts';
import { digits, grids, picture } from '../arbitrary.ts';
import { invented } from '../invented.ts';

describe('the graph', () => {
  it('stores equal values in one node', () => {
    const root = picture('120', '003');
    const choices = choicesFor([root], [root], false);
    const graph = new Graph(
      root,
      null,
      choices.map(({ bound }) => bound),
    );
    const flip = choices.findIndex(({ args }) => args['motion'] === 'flip-left-right');
    const once = graph.child(0, flip);
    expect(once).not.toBe(0);
    expect(graph.child(once, flip)).toBe(0);
  });

  it('caches children, so work is done once', () => {
    const root = picture('12', '03');
    const choices = choicesFor([root], [root], false);
    const graph = new Graph(
      root,
      null,
      choices.map(({ bound }) => bound),
    );
    graph.child(0, 0);
    const work = graph.work;
    graph.child(0, 0);
    expect(graph.work).toBe(work);
  });
});

describe('pieces', () => {
  it('are distinct tuples, cheapest first, within the limits', () => {
    const roots = [picture('120', '003'), picture('010', '220')];
    const choices = choicesFor(roots, roots, false);
    const bounds = choices.map(({ bound }) => bound);
    const pieces = new Pieces(
      roots.map((root) => new Graph(root, null, bounds)),
      choices,
    );
    const seen: string[] = [];
    pieces.grow({ cost: 20, tuples: 500, work: 100_000 }, (tuple) => {
      seen.push(`${pieces.node(tuple, 0)} ${pieces.node(tuple, 1)}`);
      return false;
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(pieces.costs.every((cost) => cost <= 20)).toBe(true);
  });

  it('end one step after the value that was searched for', () => {
    const roots = [picture('120', '003')];
    const choices = choicesFor(roots, roots, false);
    const grown = (isWanted: (tuple: number) => boolean): Pieces => {
      const bounds = choices.map(({ bound }) => bound);
      const pieces = new Pieces([new Graph(roots[0] as Image, null, bounds)], choices);
      pieces.grow({ cost: 30, tuples: 20_000, work: 60_000 }, isWanted);
      return pieces;
    };
    const all = grown(() => false);
    const some = grown((tuple) => tuple === 1);
    expect(some.count).toBeLessThan(all.count);
    expect(Math.max(...some.costs)).toBeLessThanOrEqual(10 + (some.costs[1] as number) + 10);
  });

  it('list the lists among them, cheapest first', () => {
    const roots = [picture('120', '003'), picture('010', '220')];
    const choices = choicesFor(roots, roots, false);
    const bounds = choices.map(({ bound }) => bound);
    const pieces = new Pieces(
      roots.map((root) => new Graph(root, null, bounds)),
      choices,
    );
    pieces.grow({ cost: 27, tuples: 4000, work: 100_000 }, () => false);
    const lists = pieces.lists(10);
    expect(lists.length).toBe(10);
    expect(lists.every((tuple) => pieces.images(tuple) === null)).toBe(true);
    expect(pieces.listsAt(lists[0] as number).map(({ length }) => length)).toEqual([3, 2]);
  });
});

describe('stacking', () => {
  const target = picture('1122', '1122');
  const canvas = new Canvas([target], [target], 10);
  canvas.add([picture('1100', '1100')], 0, 10);
  canvas.add([picture('2222', '2222')], 1, 10);
  canvas.add([picture('3000', '0000')], 2, 10);
  const all = pairMask(canvas, () => true);

  it('drops pieces that write no correct cell', () => {
    expect(canvas.count).toBe(2);
  });

  it('paints correct cells first and covers wrong ones', () => {
    const stack = stackFrom(canvas, all, null);
    expect(stack.pieces).toEqual([0, 1]);
    expect(stack.exactPairs).toBe(1);
    expect(exactByPair(canvas, [1, 0])).toEqual([false]);
    expect(exactPieces(canvas, all)).toEqual([]);
  });
});

function column(name: string, values: number[]): Column {
  return { name, values: Uint8Array.from(values), kinds: 4, price: 5 };
}

describe('deciding', () => {
  it('finds the column that decides, and verifies it by leaving each pair out', () => {
    const wanted = Uint8Array.from([5, 6, 5, 6]);
    const columns = [column('noise', [0, 0, 1, 1, 0]), column('signal', [1, 2, 1, 2, 3])];
    const answers = ['@noise', ...fixedColours];
    const right = rightAnswers(wanted, answers, () => columns[0]?.values as Uint8Array);
    const { decided } = decide(
      { columns, pairEnd: [2, 4, 5], trainPairs: 2, right, answers },
      { widen: 2, deepest: 2, work: new Work(Infinity) },
      1,
    );
    expect(decided[0]).toMatchObject({ table: { '1': '5', '2': '6' }, unknownCells: 1, held: 1 });
  });

  it('answers a key that only a test has like the keys that differ from it in one column', () => {
    const columns = [column('one', [0, 0, 1, 2, 3, 3]), column('two', [0, 1, 0, 1, 1, 2])];
    const right = Uint32Array.from([1, 2, 1, 2]);
    const cells = { columns, pairEnd: [2, 4, 6], trainPairs: 2, right, answers: ['keep', 'fill'] };
    const table = { '0,0': 'keep', '0,1': 'fill', '1,0': 'keep', '2,1': 'fill' };
    const decision = decisionFor(cells, columns);
    expect(decision).toMatchObject({ table, unknownCells: 2 });
    expect(completed(cells, decision).table).toEqual({ ...table, '3,1': 'fill' });
  });
});

describe('views', () => {
  it('map to a common form and back: the empty rule returns the input', () => {
    for (const task of invented)
      for (const { prefix, suffix } of viewsOf(task)) {
        if (prefix.length === 0) continue;
        for (const input of [...task.train.map((pair) => pair.input), ...task.test]) {
          const outcome = compile([...prefix, ...suffix])(input);
          expect(outcome.kind === 'grid' && digits(outcome.grid)).toEqual(digits(input));
        }
      }
  });

  it('work for any input', () => {
    const step = fc.constantFrom(
      ...['count', 'rare', 'solid', 'first'].flatMap((by) =>
        ['black', 'main'].map((ground) => ({ op: 'roles', args: { keep: [2], by, ground } })),
      ),
      ...['transpose', 'wide', 'mass', 'mass-across'].map((by) => ({ op: 'orient', args: { by } })),
    );
    fc.assert(
      fc.property(grids(), step, (grid, { op, args }) => {
        const there = { op, args };
        const outcome = compile([there, { op: `un${op}`, args }])(grid);
        expect(outcome.kind === 'grid' && sameGrid(outcome.grid, grid)).toBe(true);
      }),
    );
  });
});
