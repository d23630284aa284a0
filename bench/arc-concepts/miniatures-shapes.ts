import type { Draws } from '../../src/arc/learning/synth/draws.ts';
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
import { between, enlarged, one, shape, Sheet, turnedBy, type Concept } from './sheet.ts';

/** Miniatures about shapes, halves, distances, directions and instructions. */

interface Fixed {
  readonly colours: readonly number[];
}

/** One connected shape of about four cells, somewhere on the grid. */
function figure(side = 6): (draws: Draws, fixed: Fixed) => Sheet {
  return (draws, { colours: [a = 1] }) => {
    const drawn = shape(draws, between(draws, 2, 3), between(draws, 2, 3), a);
    return new Sheet(side, side).paste(
      drawn,
      draws.below(side - drawn.width + 1),
      draws.below(side - drawn.height + 1),
    );
  };
}

function boxOf(sheet: Sheet): { x: number; y: number; width: number; height: number } {
  const spots = spotsOf(sheet);
  const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}

/** The value that occurs once. */
function single(values: readonly number[]): number {
  return values.find((v) => values.filter((w) => w === v).length === 1) ?? 0;
}

const cropped = (sheet: Sheet): Sheet => sheet.crop(boxOf(sheet));
const half = (sheet: Sheet, from: number): Sheet =>
  sheet.crop({ x: from, y: 0, width: 3, height: sheet.height });

/** Two halves of 3 columns with a wall between them. */
function halves(percent = 50): (draws: Draws, fixed: Fixed) => Sheet {
  return (draws, { colours: [a = 1, b = 2, wall = 3] }) =>
    new Sheet(7, 4).map((x) => (x === 3 ? wall : draws.below(100) < percent ? (x < 3 ? a : b) : 0));
}

export const shapeMiniatures: Readonly<Record<string, Concept>> = {
  'cut out the shape': miniature(figure(), cropped),
  'cut out and turn': miniature(figure(), (s) => turnedBy(cropped(s), 'rotate90')),
  'cut out and enlarge': miniature(figure(), (s) => enlarged(cropped(s), 2)),
  'the shape moves to the corner': miniature(figure(), (s) => new Sheet(6, 6).paste(cropped(s), 0, 0)),
  'the shape moves to the opposite side': miniature(figure(), (s) => s.map((x, y) => s.get(5 - x, 5 - y))),
  'the shape moves two steps': miniature(figure(), (s, { colours: _c }) => {
    const { x, width } = boxOf(s);
    return x + width > 4 ? null : s.map((i, j) => Math.max(0, s.get(i - 2, j)));
  }),
  'the box around the shape is filled': miniature(figure(), (s, { colours: [, b = 2] }) => {
    const { x, y, width, height } = boxOf(s);
    return s.map((i, j, c) => (c === 0 && i >= x && j >= y && i < x + width && j < y + height ? b : c));
  }),
  'the shape is mirrored beside itself': miniature(figure(), (s) => {
    const part = cropped(s);
    return new Sheet(2 * part.width, part.height).map((x, y) =>
      part.get(x < part.width ? x : 2 * part.width - 1 - x, y),
    );
  }),
  'tall or wide': miniature(figure(), (s, { colours: [, b = 2, d = 3] }) => {
    const { width, height } = boxOf(s);
    return width === height ? null : new Sheet(1, 1, width > height ? b : d);
  }),
  'the colour of the shape says its size': miniature(figure(), (s, { colours: k }) => {
    const cells = spotsOf(s).length;
    return cells > 7 ? null : s.map((_x, _y, c) => (c > 0 ? (k[cells] ?? 0) : 0));
  }),
  'symmetric or not': miniature(figure(), (s, { colours: [, b = 2, d = 3] }) => {
    const rows = rowsOf(cropped(s));
    const same = rows.every((row) => row.join() === row.toReversed().join());
    return s.map((_x, _y, c) => (c > 0 ? (same ? b : d) : 0));
  }),
  'both halves': miniature(halves(), (s, { colours: k }) =>
    half(s, 0).map((x, y, c) => (c > 0 && s.get(x + 4, y) > 0 ? (k[3] ?? 0) : 0)),
  ),
  'where the halves differ': miniature(halves(), (s, { colours: k }) =>
    half(s, 0).map((x, y, c) => (c > 0 !== s.get(x + 4, y) > 0 ? (k[3] ?? 0) : 0)),
  ),
  'the right half covers the left': miniature(halves(), (s) => half(s, 0).paste(half(s, 4), 0, 0)),
  'the fuller half': miniature(halves(), (s) => {
    const [left, right] = [half(s, 0), half(s, 4)];
    const [p, q] = [spotsOf(left).length, spotsOf(right).length];
    return p === q ? null : p > q ? left : right;
  }),
  'are the halves equal': miniature(
    (draws, fixed) => {
      const s = halves()(draws, fixed);
      const [a = 1] = fixed.colours;
      const whole = s.map((x, _y, c) => (x === 3 || c === 0 ? c : a));
      return draws.below(2) === 0 ? whole : whole.map((x, y, c) => (x > 3 ? whole.get(x - 4, y) : c));
    },
    (s, { colours: k }) => {
      const same = half(s, 0).cells.every((c, i) => c === half(s, 4).cells[i]);
      return new Sheet(1, 1, (same ? k[4] : k[5]) ?? 0);
    },
  ),
  'swap the halves': miniature(halves(), (s) => s.map((x, y, c) => (x === 3 ? c : s.get((x + 4) % 8, y)))),
  'mirror the left half onto the right': miniature(speckled(6, 5, 45), (s) =>
    s.map((x, y) => s.get(x < 3 ? x : 5 - x, y)),
  ),
  'mirror to all four quarters': miniature(speckled(3, 3, 50), (s) =>
    new Sheet(6, 6).map((x, y) => s.get(x < 3 ? x : 5 - x, y < 3 ? y : 5 - y)),
  ),
  'mirror about the diagonal': miniature(mosaic(5, 5, 3), transposed),
  'the upper triangle decides': miniature(mosaic(5, 5, 3), (s) =>
    s.map((x, y, c) => (x < y ? s.get(y, x) : c)),
  ),
  invert: miniature(speckled(5, 5, 50), (s, { colours: [a = 1] }) => s.map((_x, _y, c) => (c > 0 ? 0 : a))),
  'three colours in turn': miniature(mosaic(5, 5, 3), (s, { colours: k }) =>
    s.map((_x, _y, c) => k[(k.indexOf(c) + 1) % 3] ?? 0),
  ),
  'the two most frequent colours change places': miniature(mosaic(5, 5, 3), (s, { colours: k }) => {
    const order = k
      .slice(0, 3)
      .map((c) => [c, spotsOf(s, c).length] as const)
      .toSorted((a, b) => b[1] - a[1]);
    if (new Set(order.map(([, n]) => n)).size < 3) return null;
    const [[a] = [0], [b] = [0]] = order;
    return s.map((_x, _y, c) => (c === a ? b : c === b ? a : c));
  }),
  'all other colours become the most frequent': miniature(mosaic(5, 5, 4), (s) => {
    const top = most([...s.cells]);
    return top === null ? null : s.map((_x, _y, c) => (c === top ? c : 0));
  }),
  'the colour of the corner fills the rest': miniature(loose(5, 5, 2, 4), (s, { colours: k }) => {
    const corner = k[1 + (spotsOf(s).length % 3)] ?? 0;
    return s.get(0, 0) > 0 ? null : s.map((_x, _y, c) => (c > 0 ? corner : 0));
  }),
  'recolour by the cell in the corner': miniature(
    (draws, { colours: k }) =>
      new Sheet(5, 5).map((x, y) =>
        x + y === 0 ? (k[1 + draws.below(4)] ?? 0) : draws.below(3) === 0 ? (k[0] ?? 0) : 0,
      ),
    (s, { colours: [a = 1] }) => s.map((_x, _y, c) => (c === a ? s.get(0, 0) : c)),
  ),
  'the arrow shows the way': miniature(
    (draws, { colours: [a = 1, b = 2, d = 3, e = 4] }) =>
      new Sheet(7, 7).set(between(draws, 1, 5), between(draws, 1, 5), one(draws, [a, b, d, e])),
    (s, { colours: k }) => {
      const [[x0, y0] = [0, 0]] = spotsOf(s);
      const c = s.get(x0, y0);
      const [dx = 0, dy = 0] =
        [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ][k.indexOf(c)] ?? [];
      return s.map((x, y, old) =>
        (x - x0) * dx + (y - y0) * dy > 0 && (x - x0) * dy === (y - y0) * dx ? c : old,
      );
    },
  ),
  'move by the colour': miniature(
    (draws, { colours: [a = 1, b = 2, d = 3] }) =>
      new Sheet(6, 6).set(between(draws, 1, 4), between(draws, 1, 4), one(draws, [a, b, d])),
    (s, { colours: k }) => {
      const [[x0, y0] = [0, 0]] = spotsOf(s);
      const c = s.get(x0, y0);
      const [dx = 0, dy = 0] =
        [
          [1, 0],
          [0, 1],
          [-1, -1],
        ][k.indexOf(c)] ?? [];
      return new Sheet(6, 6).set(x0 + dx, y0 + dy, c);
    },
  ),
  'one step towards the other': miniature(singles(6, 6, 2), (s, { colours: [a = 1, b = 2] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s, a);
    const [[x1, y1] = [0, 0]] = spotsOf(s, b);
    if (Math.abs(x0 - x1) < 2 && Math.abs(y0 - y1) < 2) return null;
    return new Sheet(6, 6).set(x1, y1, b).set(x0 + Math.sign(x1 - x0), y0 + Math.sign(y1 - y0), a);
  }),
  'the cell nearest to the mark': miniature(
    (draws, fixed) =>
      loose(6, 6, 3, 4)(draws, fixed).set(draws.below(6), draws.below(6), fixed.colours[1] ?? 0),
    (s, { colours: [a = 1, b = 2] }) => {
      const [[x0, y0] = [0, 0]] = spotsOf(s, b);
      const far = spotsOf(s, a).map(([x, y]) => Math.abs(x - x0) + Math.abs(y - y0));
      const least = Math.min(...far);
      if (far.filter((n) => n === least).length > 1) return null;
      return s.map((x, y, c) => (c === a && Math.abs(x - x0) + Math.abs(y - y0) === least ? b : c));
    },
  ),
  'distance from the mark in two colours': miniature(
    loose(6, 6, 1, 1),
    (s, { colours: [a = 1, b = 2, d = 3] }) => {
      const [[x0, y0] = [0, 0]] = spotsOf(s);
      return s.map((x, y, c) => (c > 0 ? a : Math.max(Math.abs(x - x0), Math.abs(y - y0)) % 2 === 1 ? b : d));
    },
  ),
  'nearer to which mark': miniature(singles(6, 5, 2), (s, { colours: [a = 1, b = 2] }) => {
    const [[x0] = [0, 0]] = spotsOf(s, a);
    const [[x1] = [0, 0]] = spotsOf(s, b);
    if ((x0 + x1) % 2 === 0) return null;
    return s.map((x) => (Math.abs(x - x0) < Math.abs(x - x1) ? a : b));
  }),
  'the middle of two cells': miniature(loose(7, 7, 2, 2), (s, { colours: [, b = 2] }) => {
    const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = spotsOf(s);
    if ((x0 + x1) % 2 === 1 || (y0 + y1) % 2 === 1) return null;
    return s.map((x, y, c) => (2 * x === x0 + x1 && 2 * y === y0 + y1 ? b : c));
  }),
  'mirror a cell at the other': miniature(singles(7, 7, 2), (s, { colours: [a = 1, b = 2] }) => {
    const [[x0, y0] = [0, 0]] = spotsOf(s, a);
    const [[x1, y1] = [0, 0]] = spotsOf(s, b);
    const [x, y] = [2 * x1 - x0, 2 * y1 - y0];
    return s.has(x, y) ? s.copy().set(x, y, a) : null;
  }),
  'the fourth corner': miniature(
    (draws, { colours: [a = 1] }) => {
      const [x, y] = [draws.below(3), draws.below(3)];
      const [x1, y1] = [x + between(draws, 1, 3), y + between(draws, 1, 3)];
      const corners = [
        [x, y],
        [x1, y],
        [x, y1],
        [x1, y1],
      ] as const;
      const missing = draws.below(4);
      const sheet = new Sheet(6, 6);
      for (const [i, [cx, cy]] of corners.entries()) if (i !== missing) sheet.set(cx, cy, a);
      return sheet;
    },
    (s, { colours: [, b = 2] }) => {
      const spots = spotsOf(s);
      return s.copy().set(single(spots.map(([x]) => x)), single(spots.map(([, y]) => y)), b);
    },
  ),
  'go on along the line': miniature(
    (draws, { colours: [a = 1] }) => {
      const [x, y, dx, dy] = [draws.below(2), draws.below(2), draws.below(2) + 1, draws.below(2) + 1];
      return new Sheet(9, 9).set(x, y, a).set(x + dx, y + dy, a);
    },
    (s, { colours: [a = 1] }) => {
      const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = spotsOf(s);
      const next = s.copy();
      for (let i = 2; i < 9; i++) next.set(x0 + i * (x1 - x0), y0 + i * (y1 - y0), a);
      return next;
    },
  ),
  'fill the hole of the ring': miniature(
    (draws, { colours: [a = 1] }) =>
      new Sheet(7, 7).frame(
        { x: draws.below(3), y: draws.below(3), width: between(draws, 3, 4), height: between(draws, 3, 4) },
        a,
      ),
    (s, { colours: [, b = 2] }) => {
      const { x, y, width, height } = boxOf(s);
      return s.map((i, j, c) =>
        c === 0 && i > x && j > y && i < x + width - 1 && j < y + height - 1 ? b : c,
      );
    },
  ),
  'the block becomes hollow': miniature(block(7, 7), (s) =>
    s.map((x, y, c) => (besides(s, x, y).every((n) => n > 0) ? 0 : c)),
  ),
  'corners of the block change colour': miniature(block(7, 7), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) => (c > 0 && besides(s, x, y).filter((n) => n > 0).length === 2 ? b : c)),
  ),
  'a border around the block': miniature(block(7, 7), (s, { colours: [, b = 2] }) =>
    s.map((x, y, c) => (c === 0 && around(s, x, y) > 0 ? b : c)),
  ),
  'a block as wide as high': miniature(block(7, 7), (s, { colours: [a = 1] }) => {
    const { width, height } = boxOf(s);
    return new Sheet(Math.max(width, height), Math.max(width, height), a);
  }),
  'the block in quarters': miniature(block(8, 8), (s, { colours: [, b = 2, d = 3] }) => {
    const { x, y, width, height } = boxOf(s);
    if (width % 2 === 1 || height % 2 === 1) return null;
    return s.map((i, j, c) => (c === 0 ? 0 : i - x < width / 2 === j - y < height / 2 ? b : d));
  }),
  'stripes in the block': miniature(block(7, 7), (s, { colours: [, b = 2] }) => {
    const { x } = boxOf(s);
    return s.map((i, _j, c) => (c > 0 && (i - x) % 2 === 1 ? b : c));
  }),
  'the missing cell of the pattern': miniature(
    (draws, { colours: k }) => {
      const [w, at] = [between(draws, 2, 3), [draws.below(5), draws.below(5)]];
      return new Sheet(5, 5).map((x, y) => (x === at[0] && y === at[1] ? 0 : (k[(x + y) % w] ?? 0)));
    },
    (s) => {
      const period =
        s.get(0, 1) === s.get(1, 0) && s.get(2, 0) === s.get(0, 0) && s.get(4, 4) === s.get(0, 0) ? 2 : 3;
      const next = s.map((x, y, c) => {
        if (c > 0) return c;
        const kin = spotsOf(s).find(([i, j]) => (i + j - x - y) % period === 0);
        return kin === undefined ? 0 : s.get(...kin);
      });
      return next.cells.every((c, i) => c > 0 && c !== next.cells[i + 1]) ? next : null;
    },
  ),
  'the next stripe': miniature(
    (draws, { colours: k }) => {
      const order = [k[draws.below(3)] ?? 0, k[3 + draws.below(3)] ?? 0, k[6 + draws.below(3)] ?? 0];
      return new Sheet(6, 3).map((x) => (x < 4 ? (order[x % 3] ?? 0) : 0));
    },
    (s) => s.map((x, y, c) => (c > 0 ? c : s.get(x - 3, y))),
  ),
  'each cell as a block': miniature(mosaic(3, 3, 3), (s) => enlarged(s, 2)),
  'each block as a cell': miniature(
    (draws, fixed) => enlarged(mosaic(3, 3, 3)(draws, fixed), 2),
    (s) => new Sheet(3, 3).map((x, y) => s.get(2 * x, 2 * y)),
  ),
  'each quarter as its most frequent colour': miniature(mosaic(6, 6, 3), (s) => {
    const tops = [0, 1, 2, 3].map((i) =>
      most([...s.crop({ x: 3 * (i % 2), y: 3 * (i >> 1), width: 3, height: 3 }).cells]),
    );
    return tops.includes(null) ? null : new Sheet(2, 2).map((x, y) => tops[2 * y + x] ?? 0);
  }),
  'the quarter that differs': miniature(
    (draws, { colours: k }) => {
      const odd = draws.below(4);
      const usual = Array.from({ length: 9 }, () => k[draws.below(2)] ?? 0);
      return new Sheet(6, 6).map((x, y) => {
        const i = (y % 3) * 3 + (x % 3);
        const at = Math.floor(y / 3) * 2 + Math.floor(x / 3);
        return at === odd && i === 4 ? (k[2] ?? 0) : (usual[i] ?? 0);
      });
    },
    (s) => {
      const quarters = [0, 1, 2, 3].map((i) =>
        s.crop({ x: 3 * (i % 2), y: 3 * (i >> 1), width: 3, height: 3 }),
      );
      return (
        quarters.find(
          (q) => quarters.filter((other) => other.cells.join() === q.cells.join()).length === 1,
        ) ?? null
      );
    },
  ),
  'legend above, picture below': miniature(
    (draws, { colours: k }) => {
      const to = [k[4 + draws.below(2)] ?? 0, k[6 + draws.below(2)] ?? 0];
      return new Sheet(5, 6).map((x, y) =>
        y === 0 ? ([k[0], to[0], 0, k[1], to[1]][x] ?? 0) : y === 1 ? 0 : (k[draws.below(2)] ?? 0),
      );
    },
    (s) => s.map((_x, y, c) => (y < 2 ? c : c === s.get(0, 0) ? s.get(1, 0) : s.get(4, 0))),
  ),
  'the first row is repeated as often as it has cells': miniature(
    (draws, { colours: [a = 1] }) =>
      new Sheet(5, 5).map((_x, y) => (y === 0 && draws.below(2) === 0 ? a : 0)),
    (s) => s.map((x, y) => (y < filled(rowsOf(s)[0] ?? []) ? s.get(x, 0) : 0)),
  ),
  'two rows added as filled or not': miniature(
    (draws, { colours: [a = 1] }) => new Sheet(5, 3).map((_x, y) => (y < 2 && draws.below(2) === 0 ? a : 0)),
    (s, { colours: [, b = 2] }) =>
      s.map((x, y, c) => (y === 2 ? (s.get(x, 0) > 0 === s.get(x, 1) > 0 ? 0 : b) : c)),
  ),
  'the column with the mark slides down': miniature(
    (draws, fixed) => {
      const sheet = mosaic(5, 5, 3)(draws, fixed);
      const marked = draws.below(5);
      return sheet.map((x, y, c) => (y === 0 ? (x === marked ? (fixed.colours[4] ?? 0) : 0) : c));
    },
    (s, { colours: k }) => {
      const [[x0] = [0, 0]] = spotsOf(s, k[4]);
      return s.map((x, y, c) => (x === x0 && y > 0 ? s.get(x, y === 1 ? 4 : y - 1) : c));
    },
  ),
  'what two colours enclose': miniature(
    (draws, { colours: [a = 1, b = 2] }) => {
      const [left, right, y] = [draws.below(2), between(draws, 4, 6), draws.below(4)];
      return new Sheet(7, 5).set(left, y, a).set(right, y, b).set(draws.below(7), 4, a);
    },
    (s, { colours: [a = 1, b = 2, d = 3] }) => {
      const [[x1, y1] = [0, 0]] = spotsOf(s, b);
      const from = spotsOf(s, a).find(([, y]) => y === y1);
      if (from === undefined) return null;
      return s.map((x, y, c) => (y === y1 && c === 0 && x > from[0] && x < x1 ? d : c));
    },
  ),
  'stairs from the count': miniature(loose(5, 5, 1, 5), (s, { colours: [, b = 2] }) =>
    s.map((x, y) => (x + (4 - y) < spotsOf(s).length ? b : 0)),
  ),
  'columns sorted by height': miniature(
    (draws, { colours: [a = 1] }) => {
      const heights = Array.from({ length: 5 }, () => between(draws, 1, 5));
      return new Sheet(5, 5).map((x, y) => (5 - y <= (heights[x] ?? 0) ? a : 0));
    },
    (s) => transposed(fromRows(columnsOf(s).toSorted((p, q) => filled(p) - filled(q)))),
  ),
};
