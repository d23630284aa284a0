import { Sheet, type Concept } from './sheet.ts';
import {
  around,
  besides,
  block,
  columnsOf,
  filled,
  fromRows,
  loose,
  miniature,
  mosaic,
  most,
  rowsOf,
  singles,
  speckled,
  spotsOf,
  transposed,
} from './miniature.ts';

/** Miniatures about rows, columns, order, counting and neighbours. */

const edge = (sheet: Sheet, x: number, y: number): boolean =>
  x === 0 || y === 0 || x === sheet.width - 1 || y === sheet.height - 1;

export const lineMiniatures: Readonly<Record<string, Concept>> = {
  'rows shift one step and wrap': miniature(mosaic(), (s) => s.map((x, y) => s.get((x + 4) % 5, y))),
  'every second row is reversed': miniature(mosaic(), (s) =>
    s.map((x, y, c) => (y % 2 === 0 ? c : s.get(4 - x, y))),
  ),
  'each row shifts by its number': miniature(mosaic(), (s) => s.map((x, y) => s.get((x + y) % 5, y))),
  'the first row goes to the end': miniature(mosaic(), (s) => s.map((x, y) => s.get(x, (y + 1) % 5))),
  'first and last column change places': miniature(mosaic(), (s) =>
    s.map((x, y, c) => (x === 0 ? s.get(4, y) : x === 4 ? s.get(0, y) : c)),
  ),
  'rows sorted by how full they are': miniature(speckled(), (s) => {
    const rows = rowsOf(s);
    if (new Set(rows.map(filled)).size < 5) return null;
    return fromRows(rows.toSorted((a, b) => filled(a) - filled(b)));
  }),
  'each row pushed to the left': miniature(loose(5, 5, 6, 10, 3), (s) =>
    fromRows(rowsOf(s).map((row) => [...row.filter((c) => c > 0), 0, 0, 0, 0, 0].slice(0, 5))),
  ),
  'each row as a bar': miniature(speckled(), (s, { colours: [c = 1] }) =>
    fromRows(rowsOf(s).map((row) => row.map((_, x) => (x < filled(row) ? c : 0)))),
  ),
  'the fullest row alone': miniature(speckled(), (s) => {
    const counts = rowsOf(s).map(filled);
    const best = Math.max(...counts);
    return counts.filter((n) => n === best).length > 1
      ? null
      : s.map((_x, y, c) => (counts[y] === best ? c : 0));
  }),
  'full rows are cleared': miniature(
    (draws, { colours: [c = 1] }) =>
      new Sheet(5, 6).map((_x, y) => (y % 3 === draws.below(3) || draws.below(3) > 0 ? c : 0)),
    (s) => s.map((_x, y, c) => (filled(rowsOf(s)[y] ?? []) === 5 ? 0 : c)),
  ),
  'empty columns are filled': miniature(speckled(6, 4, 25), (s, { colours: [, b = 2] }) =>
    s.map((x, _y, c) => (filled(columnsOf(s)[x] ?? []) === 0 ? b : c)),
  ),
  'rows with two cells change colour': miniature(speckled(), (s, { colours: [, b = 2] }) =>
    s.map((_x, y, c) => (c > 0 && filled(rowsOf(s)[y] ?? []) === 2 ? b : c)),
  ),
  'even counts are kept': miniature(speckled(), (s) =>
    s.map((_x, y, c) => (filled(rowsOf(s)[y] ?? []) % 2 === 0 ? c : 0)),
  ),
  'the end of each row says its parity': miniature(speckled(5, 5, 45), (s, { colours: [, b = 2, d = 3] }) => {
    const next = new Sheet(6, 5);
    return next.map((x, y) => (x < 5 ? s.get(x, y) : filled(rowsOf(s)[y] ?? []) % 2 === 0 ? b : d));
  }),
  'each row takes its most frequent colour': miniature(mosaic(), (s) => {
    const tops = rowsOf(s).map(most);
    return tops.includes(null) ? null : s.map((_x, y) => tops[y] ?? 0);
  }),
  'each row takes its last colour': miniature(mosaic(5, 5, 4), (s) => s.map((_x, y) => s.get(4, y))),
  'the column of the loose cell is filled': miniature(loose(5, 5, 1, 1), (s, { colours: [a = 1] }) => {
    const [[x0] = [0, 0]] = spotsOf(s);
    return s.map((x, _y, c) => (x === x0 ? a : c));
  }),
  'row and column through the cell': miniature(loose(6, 6, 1, 1), (s, { colours: [a = 1, b = 2] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s);
    return s.map((x, y, c) => (c > 0 ? a : x === x0 || y === y0 ? b : 0));
  }),
  'both diagonals through the cell': miniature(loose(6, 6, 1, 1), (s, { colours: [a = 1] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s);
    return s.map((x, y) => (Math.abs(x - x0) === Math.abs(y - y0) ? a : 0));
  }),
  'where a knight may go': miniature(loose(6, 6, 1, 1), (s, { colours: [, b = 2] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s);
    return s.map((x, y, c) => (Math.abs((x - x0) * (y - y0)) === 2 ? b : c));
  }),
  'between two cells of one row': miniature(loose(6, 6, 2, 2), (s, { colours: [, b = 2] }) => {
    const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = spotsOf(s);
    if (y0 !== y1 || Math.abs(x0 - x1) < 2) return null;
    return s.map((x, y, c) => (y === y0 && c === 0 && (x - x0) * (x - x1) < 0 ? b : c));
  }),
  'the box that two cells span': miniature(loose(6, 6, 2, 2), (s, { colours: [a = 1] }) => {
    const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = spotsOf(s);
    return s.map((x, y) => ((x - x0) * (x - x1) <= 0 && (y - y0) * (y - y1) <= 0 ? a : 0));
  }),
  'an angle joins two cells': miniature(singles(6, 6, 2), (s, { colours: [a = 1, b = 2, d = 3] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s, a);
    const [[x1, y1] = [0, 0]] = spotsOf(s, b);
    return s.map((x, y, c) =>
      c > 0 ? c : (y === y0 && (x - x0) * (x - x1) <= 0) || (x === x1 && (y - y0) * (y - y1) <= 0) ? d : 0,
    );
  }),
  'cells beside others turn': miniature(speckled(), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) => (c > 0 && besides(s, x, y).some((n) => n > 0) ? b : c)),
  ),
  'lonely cells vanish': miniature(speckled(6, 6, 35), (s) =>
    s.map((x, y, c) => (around(s, x, y) === 0 ? 0 : c)),
  ),
  'the number of neighbours as a colour': miniature(speckled(5, 5, 30), (s, { colours: k }) =>
    s.map((x, y, c) => (c === 0 ? 0 : (k[Math.min(3, around(s, x, y))] ?? 0))),
  ),
  'one step of life': miniature(speckled(6, 6, 40), (s, { colours: [a = 1] }) =>
    s.map((x, y, c) => {
      const n = around(s, x, y);
      return n === 3 || (n === 2 && c > 0) ? a : 0;
    }),
  ),
  'empty cells with two neighbours fill': miniature(speckled(6, 6, 35), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) => (c === 0 && besides(s, x, y).filter((n) => n > 0).length === 2 ? b : c)),
  ),
  'grow by one cell': miniature(loose(6, 6, 1, 3), (s, { colours: [a = 1] }) =>
    s.map((x, y, c) => (c > 0 || besides(s, x, y).some((n) => n > 0) ? a : 0)),
  ),
  'shrink by one cell': miniature(block(7, 7), (s) =>
    s.map((x, y, c) => (besides(s, x, y).every((n) => n > 0) ? c : 0)),
  ),
  'the edge in another colour': miniature(mosaic(5, 5, 2), (s, { colours: [, , d = 3] }) =>
    s.map((x, y, c) => (edge(s, x, y) ? d : c)),
  ),
  'the edge turns by one cell': miniature(mosaic(3, 3, 4), (s) => {
    const from = [3, 0, 1, 6, 4, 2, 7, 8, 5];
    return s.map((x, y) => s.cells[from[y * 3 + x] ?? 0] ?? 0);
  }),
  'only the edge': miniature(speckled(5, 5, 50), (s) => s.map((x, y, c) => (edge(s, x, y) ? c : 0))),
  'only every other cell': miniature(mosaic(5, 5, 2), (s) => s.map((x, y, c) => ((x + y) % 2 === 0 ? c : 0))),
  'a checkerboard where it is empty': miniature(speckled(6, 6, 30), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) => (c === 0 && (x + y) % 2 === 0 ? b : c)),
  ),
  'even columns change colour': miniature(speckled(6, 5, 50), (s, { colours: [, b = 2] }) =>
    s.map((x, _y, c) => (c > 0 && x % 2 === 0 ? b : c)),
  ),
  'as many cells in a row as the grid has': miniature(loose(5, 5, 1, 5), (s, { colours: [a = 1] }) =>
    new Sheet(5, 1).map((x) => (x < spotsOf(s).length ? a : 0)),
  ),
  'count in reading order': miniature(loose(4, 4, 2, 12), (s, { colours: [a = 1] }) =>
    s.map((x, y) => (y * 4 + x < spotsOf(s).length ? a : 0)),
  ),
  'count as a diagonal': miniature(loose(5, 5, 1, 5), (s, { colours: [a = 1] }) =>
    s.map((x, y) => (x === y && x < spotsOf(s).length ? a : 0)),
  ),
  'count in binary': miniature(loose(5, 5, 1, 15), (s, { colours: [a = 1] }) =>
    new Sheet(4, 1).map((x) => ((spotsOf(s).length >> (3 - x)) & 1 ? a : 0)),
  ),
  'which of two colours is more': miniature(mosaic(4, 4, 2), (s, { colours: [a = 1, b = 2] }) => {
    const [one, two] = [spotsOf(s, a).length, spotsOf(s, b).length];
    return one === two ? null : new Sheet(1, 1, one > two ? a : b);
  }),
  'how many more': miniature(mosaic(4, 4, 2), (s, { colours: [a = 1, b = 2] }) => {
    const more = spotsOf(s, a).length - spotsOf(s, b).length;
    return more === 0 ? null : new Sheet(Math.abs(more), 1, more > 0 ? a : b);
  }),
  'the number of colours as a square': miniature(mosaic(4, 4, 5), (s, { colours: [a = 1] }) => {
    const kinds = new Set(s.cells).size;
    return new Sheet(kinds, kinds, a);
  }),
  'the colours in order of their counts': miniature(mosaic(5, 5, 4), (s, { colours: k }) => {
    const counted = k.slice(0, 4).map((c) => [c, spotsOf(s, c).length] as const);
    if (new Set(counted.map(([, n]) => n)).size < 4) return null;
    return fromRows([counted.toSorted((a, b) => b[1] - a[1]).map(([c]) => c)]);
  }),
  'the rarest colour alone': miniature(mosaic(5, 5, 3), (s, { colours: k }) => {
    const counts = k.slice(0, 3).map((c) => spotsOf(s, c).length);
    const least = Math.min(...counts);
    if (counts.filter((n) => n === least).length > 1 || least === 0) return null;
    return s.map((_x, _y, c) => (c === k[counts.indexOf(least)] ? c : 0));
  }),
  'repeated rows are kept once': miniature(
    (draws, { colours: k }) => {
      const rows = [0, 1, 2].map(() => Array.from({ length: 4 }, () => k[draws.below(3)] ?? 0));
      return fromRows(rows.flatMap((row) => Array.from({ length: 1 + draws.below(3) }, () => row)));
    },
    (s) => fromRows(rowsOf(s).filter((row, y, all) => row.join() !== all[y - 1]?.join())),
  ),
  'the row that differs': miniature(
    (draws, { colours: k }) => {
      const usual = Array.from({ length: 4 }, () => k[draws.below(3)] ?? 0);
      const odd = draws.below(5);
      return fromRows(
        [0, 1, 2, 3, 4].map((y) => (y === odd ? usual.map((c, x) => (x === 1 ? (k[3] ?? 0) : c)) : usual)),
      );
    },
    (s) => {
      const rows = rowsOf(s);
      return fromRows(rows.filter((row) => rows.filter((other) => other.join() === row.join()).length === 1));
    },
  ),
  'highest cell of each column': miniature(speckled(5, 5, 45), (s) =>
    s.map((x, y, c) =>
      rowsOf(s)
        .slice(0, y)
        .every((row) => row[x] === 0)
        ? c
        : 0,
    ),
  ),
  'shade below each cell': miniature(loose(5, 6, 2, 3), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) =>
      c === 0 &&
      rowsOf(s)
        .slice(0, y)
        .some((row) => row[x] !== 0)
        ? b
        : c,
    ),
  ),
  'columns fall': miniature(speckled(5, 5, 40), (s) =>
    transposed(
      fromRows(
        columnsOf(s).map((column) => {
          const cells = column.filter((c) => c > 0);
          return [...Array.from({ length: 5 - cells.length }, () => 0), ...cells];
        }),
      ),
    ),
  ),
  'the next frame of a walk': miniature(
    (draws, { colours: [a = 1] }) => {
      const [x, y] = [draws.below(3), draws.below(5)];
      return new Sheet(6, 5).set(x, y, a).set(x + 1, y, a);
    },
    (s, { colours: [a = 1, b = 2] }) => {
      const [, [x, y] = [0, 0]] = spotsOf(s, a);
      return s.map((i, j, c) => (j === y && i > x && (i - x) % 2 === 0 ? b : c));
    },
  ),
  'rows that read the same backwards': miniature(
    (draws, { colours: k }) =>
      fromRows(
        [0, 1, 2, 3].map(() => {
          const [p = 0, q = 0, r = 0] = [0, 0, 0].map(() => k[draws.below(2)] ?? 0);
          return draws.below(2) === 0
            ? [p, q, r, q, p]
            : [p, q, r, k[draws.below(2)] ?? 0, k[draws.below(2)] ?? 0];
        }),
      ),
    (s, { colours: [, , d = 3] }) => {
      const same = rowsOf(s).map((row) => row.join() === row.toReversed().join());
      return s.map((_x, y, c) => (same[y] === true ? d : c));
    },
  ),
  'the middle row everywhere': miniature(mosaic(5, 5, 3), (s) => s.map((x) => s.get(x, 2))),
  'the grid read as one row': miniature(mosaic(3, 3, 3), (s) => fromRows([rowsOf(s).flat()])),
  'the diagonal read as a row': miniature(mosaic(4, 4, 4), (s) => new Sheet(4, 1).map((x) => s.get(x, x))),
  'the corners as a small grid': miniature(mosaic(5, 5, 4), (s) =>
    new Sheet(2, 2).map((x, y) => s.get(4 * x, 4 * y)),
  ),
  'twice the same row': miniature(mosaic(4, 3, 3), (s) => new Sheet(4, 6).map((x, y) => s.get(x, y >> 1))),
};
