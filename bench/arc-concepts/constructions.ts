import { motions } from '../../src/arc/grid/grid.ts';
import {
  between,
  colours,
  countOf,
  one,
  painted,
  places,
  scene,
  shape,
  shapes,
  Sheet,
  shuffled,
  sides,
  snake,
  strew,
  turnedBy,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules whose output is put together or worked out: crops, tables, boards, maps, assembled and completed figures. */

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** The index of the maximum by a measure; -1 if it is not unique. */
function most<T>(of: readonly T[], measure: (one: T) => number): number {
  const all = of.map(measure);
  const best = Math.max(...all);
  return all.indexOf(best) === all.lastIndexOf(best) ? all.indexOf(best) : -1;
}

function cellsIn(all: readonly Sheet[]): number {
  return all.reduce((sum, sheet) => sum + countOf(sheet), 0);
}

/** The cells of a frame in their order around it. */
function around({ x, y, width, height }: Box): (readonly [number, number])[] {
  return [
    ...many(width - 1, (i) => [x + i, y] as const),
    ...many(height - 1, (i) => [x + width - 1, y + i] as const),
    ...many(width - 1, (i) => [x + width - 1 - i, y + height - 1] as const),
    ...many(height - 1, (i) => [x, y + height - 1 - i] as const),
  ];
}

/** Line indices, each repeated as often as its count says. */
function repeated(counts: readonly number[]): number[] {
  return counts.flatMap((count, i) => many(count, () => i));
}

/** Objects of this many cells: bars, and the square for four. */
const blocksOf = [['1x1'], ['1x2', '2x1'], ['1x3', '3x1'], ['1x4', '4x1', '2x2']] as const;

export const constructionConcepts: Readonly<Record<string, Concept>> = {
  'the largest of the colour with the most objects, cut out': () => (draws, index) => {
    const [main = 1, second = 2, third = 3] = colours(draws, 3);
    const tones = [...many(between(draws, 3, 4), () => main), second, second, third];
    const objects = tones.map((tone) => {
      const [from, to] = tone === main ? [2, 3] : [3, 4];
      return shape(draws, between(draws, from, to), between(draws, from, to), tone);
    });
    const own = objects.filter((_, i) => tones[i] === main);
    const [largest, best] = [most(objects, countOf), most(own, countOf)];
    // It has more objects but not more cells; the first pairs distinguish the two
    if (index < 2 && cellsIn(own) >= cellsIn(objects.slice(own.length, -1))) return null;
    const drawn = scene(draws, [15, 19], objects);
    return drawn === null || best < 0 || largest < own.length
      ? null
      : { input: drawn.sheet, output: own[best] as Sheet };
  },
  'four pieces put together so that their marked corners meet': (task) => {
    const [mark = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const side = between(draws, 3, 4);
      const pieces = many(4, (i) => {
        const [near = 1, far = 2] = shuffled(draws, palette);
        const piece = new Sheet(side, side).map(() => (draws.below(3) === 0 ? near : far));
        return piece.set(i % 2 === 0 ? side - 1 : 0, i < 2 ? side - 1 : 0, mark);
      });
      const drawn = scene(draws, [12, 16], shuffled(draws, pieces));
      const output = new Sheet(2 * side, 2 * side);
      for (const [i, piece] of pieces.entries())
        output.paste(piece, (i % 2) * side, Math.floor(i / 2) * side);
      return drawn === null ? null : { input: drawn.sheet, output };
    };
  },
  'the pinwheel is made whole about its hub': (task) => {
    const [hub = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const wheels = many(between(draws, 2, 3), () => {
        const [body = 1, tip = 2] = shuffled(draws, palette);
        const arm = shape(draws, between(draws, 2, 4), 3, body);
        const cell = one(
          draws,
          [...arm.cells.keys()].filter((i) => arm.cells[i] !== 0),
        );
        arm.cells[cell] = tip;
        const quarter = new Sheet(7, 7).paste(arm, 3, 0);
        const arms = motions.slice(0, 4).map((motion) => turnedBy(quarter, motion));
        return shuffled(draws, arms);
      });
      const shown = wheels.map((arms) => arms.slice(0, between(draws, 1, 3)));
      const [input = null, output = null] = [shown, wheels].map((all) =>
        all.map((arms) =>
          arms.reduce((sheet, arm) => sheet.paste(arm, 0, 0), new Sheet(7, 7).set(3, 3, hub)),
        ),
      );
      const drawn = output === null ? null : scene(draws, [15, 20], output, { gap: 1 });
      if (drawn === null || input === null) return null;
      const bare = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const [i, { x, y }] of drawn.boxes.entries()) bare.paste(input[i] as Sheet, x, y);
      return { input: bare, output: drawn.sheet };
    };
  },
  'the beads go on around the ring': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const rings = many(2, () => {
        const period = between(draws, 3, 4);
        const tones = shuffled(draws, palette).slice(0, between(draws, 2, period));
        const beads = many(period, (i) => tones[Math.min(i, tones.length - 1)] as number);
        const width = between(draws, 6, 9);
        return {
          beads,
          width,
          height: one(
            draws,
            [5, 6, 7, 8].filter((it) => (2 * (width + it) - 4) % period === 0),
          ),
        };
      });
      if (rings.some(({ height }) => height === undefined)) return null;
      const input = new Sheet(between(draws, 12, 20), between(draws, 17, 20));
      const boxes = places(
        draws,
        input,
        rings.map(({ width, height }) => [width, height] as const),
      );
      if (boxes.length < 2) return null;
      const output = input.copy();
      for (const [k, box] of boxes.entries()) {
        const { beads } = rings[k] as (typeof rings)[number];
        const cells = around(box);
        const [start, gap] = [
          draws.below(cells.length),
          between(draws, 4, cells.length - 2 * beads.length - 3),
        ];
        for (const [i, [x, y]] of cells.entries()) {
          const bead = beads[i % beads.length] as number;
          output.set(x, y, bead);
          input.set(x, y, (i - start + cells.length) % cells.length < gap ? 0 : bead);
        }
        for (const sheet of [input, output]) sheet.set(box.x + 2, box.y + 2, palette[0] as number);
      }
      return { input, output };
    };
  },
  'columns as wide and rows as high as the dots beside them say': (task) => {
    const [wall = 1, dot = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [wide, high] = [0, 1].map(() => many(between(draws, 3, 5), () => between(draws, 1, 3))) as [
        number[],
        number[],
      ];
      const picture = new Sheet(wide.length, high.length).map(() => one(draws, palette));
      const input = new Sheet(wide.length + 4, high.length + 4)
        .rect({ x: 3, y: 0, width: 1, height: 9 }, wall)
        .rect({ x: 0, y: 3, width: 9, height: 1 }, wall)
        .paste(picture, 4, 4);
      for (const [i, count] of wide.entries())
        input.rect({ x: 4 + i, y: 3 - count, width: 1, height: count }, dot);
      for (const [i, count] of high.entries())
        input.rect({ x: 3 - count, y: 4 + i, width: count, height: 1 }, dot);
      const [columns, rows] = [repeated(wide), repeated(high)];
      const output = new Sheet(columns.length, rows.length).map((x, y) =>
        picture.get(columns[x] as number, rows[y] as number),
      );
      return { input, output };
    };
  },
  'which shape comes in which colour, as a table': (task) => {
    const [wall = 1, legend = 2, ...palette] = colours(task, 7);
    return (draws) => {
      const forms = shapes(draws, between(draws, 2, 3), 3, 3, legend);
      const tones = shuffled(draws, palette).slice(0, between(draws, 2, 4));
      const output = new Sheet(tones.length, forms.length).map((x) =>
        draws.below(2) === 0 ? 0 : (tones[x] as number),
      );
      const objects = [...output.cells.entries()].flatMap(([i, tone]) =>
        tone === 0
          ? []
          : many(between(draws, 1, 2), () => painted(forms[Math.floor(i / tones.length)] as Sheet, tone)),
      );
      const field = scene(draws, [14, 17], objects);
      if (field === null || objects.length < 3 || !output.cells.includes(0)) return null;
      const input = new Sheet(field.sheet.width + 5, field.sheet.height + 3).paste(field.sheet, 5, 3);
      input.rect({ x: 3, y: 0, width: 1, height: 30 }, wall).rect({ x: 0, y: 1, width: 30, height: 1 }, wall);
      for (const [i, form] of forms.entries()) input.paste(form, 0, 3 + 4 * i);
      for (const [i, tone] of tones.entries()) input.set(5 + 2 * i, 0, tone);
      return { input, output };
    };
  },
  'how many objects have one, two, three and four cells': (task) => {
    const [bar = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const counts = many(4, () => between(draws, 0, 4));
      const objects = counts.flatMap((count, i) =>
        many(count, () => {
          const [width = 1, height = 1] = one(draws, blocksOf[i] as readonly string[])
            .split('x')
            .map(Number);
          return new Sheet(width, height, one(draws, palette));
        }),
      );
      const drawn = scene(draws, [12, 16], shuffled(draws, objects));
      if (drawn === null || new Set(counts).size < 3) return null;
      return {
        input: drawn.sheet,
        output: new Sheet(4, 4).map((x, y) => (4 - y <= (counts[x] as number) ? bar : 0)),
      };
    };
  },
  'what at least two of three panels have': (task) => {
    const [wall = 1, result = 2, ...tones] = colours(task, 5);
    return (draws) => {
      const [width, height] = [between(draws, 4, 6), between(draws, 5, 9)];
      const panels = tones.map((tone) => new Sheet(width, height).map(() => (draws.below(9) < 4 ? tone : 0)));
      const input = new Sheet(3 * width + 2, height, wall);
      for (const [i, panel] of panels.entries())
        input.rect({ x: i * (width + 1), y: 0, width, height }, 0).paste(panel, i * (width + 1), 0);
      const votes = (x: number, y: number): number => panels.filter((panel) => panel.get(x, y) > 0).length;
      return { input, output: new Sheet(width, height).map((x, y) => (votes(x, y) >= 2 ? result : 0)) };
    };
  },
  'the tiles in a row by the number of their dots': (task) => {
    const [dot = 1, ...palette] = colours(task, 7);
    return (draws) => {
      const side = between(draws, 3, 4);
      const counts = shuffled(draws, [1, 2, 3, 4, 5, 6])
        .slice(0, between(draws, 3, 4))
        .sort((a, b) => a - b);
      const tones = shuffled(draws, palette);
      const tiles = counts.map((count, i) => {
        const tile = new Sheet(side, side, tones[i]);
        for (const cell of shuffled(draws, [...tile.cells.keys()]).slice(0, count)) tile.cells[cell] = dot;
        return tile;
      });
      const drawn = scene(draws, [12, 17], shuffled(draws, tiles));
      const output = new Sheet(side * tiles.length, side);
      for (const [i, tile] of tiles.entries()) output.paste(tile, i * side, 0);
      return drawn === null ? null : { input: drawn.sheet, output };
    };
  },
  'stood side by side on the ground without the gaps': (task) => {
    const [noise = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const tones = shuffled(draws, palette);
      const things = many(between(draws, 3, 4), (i) =>
        shape(draws, between(draws, 2, 4), between(draws, 2, 6), tones[i] as number),
      );
      const width = things.reduce((sum, thing) => sum + thing.width, 0);
      const input = new Sheet(width + 2 * things.length, between(draws, 12, 16));
      const output = new Sheet(width, Math.max(...things.map(({ height }) => height)));
      let [from, to] = [draws.below(2), 0];
      for (const thing of things) {
        input.paste(thing, from, draws.below(input.height - thing.height + 1));
        output.paste(thing, to, output.height - thing.height);
        from += thing.width + between(draws, 1, 2);
        to += thing.width;
      }
      strew(draws, input, noise, between(draws, 4, 7));
      return { input, output };
    };
  },
  'the largest in a frame as thick as there are others': () => (draws) => {
    const [tone = 1, spot = 2, other = 3] = colours(draws, 3);
    const thick = between(draws, 1, 5);
    const largest = shape(draws, between(draws, 3, 5), between(draws, 3, 5), tone);
    largest.cells[largest.cells.indexOf(tone)] = spot;
    const rest = many(thick, () => shape(draws, between(draws, 1, 2), 2, other));
    const drawn = scene(draws, [11, 15], [largest, ...rest]);
    if (drawn === null || countOf(largest) < 6) return null;
    const { width, height } = largest;
    const output = new Sheet(width + 2 * thick, height + 2 * thick, other)
      .rect({ x: thick, y: thick, width, height }, 0)
      .paste(largest, thick, thick);
    return { input: drawn.sheet, output };
  },
  'in the colours of the strip, from the largest to the smallest': (task) => {
    const [wall = 1, body = 2, ...palette] = colours(task, 7);
    return (draws) => {
      const tones = shuffled(draws, palette).slice(0, between(draws, 3, 5));
      const objects = tones.map(() => shape(draws, between(draws, 2, 4), between(draws, 2, 4), body));
      if (new Set(objects.map(countOf)).size < tones.length) return null;
      const ranks = objects.map((it) => objects.filter((other) => countOf(other) > countOf(it)).length);
      const field = scene(draws, [12, 16], objects);
      if (field === null) return null;
      const input = new Sheet(field.sheet.width, field.sheet.height + 3).paste(field.sheet, 0, 3);
      input.rect({ x: 0, y: 1, width: 30, height: 1 }, wall);
      for (const [i, tone] of tones.entries()) input.set(i, 0, tone);
      const output = input.copy();
      for (const [i, { x, y }] of field.boxes.entries())
        output.paste(objects[i] as Sheet, x, y + 3, tones[ranks[i] as number]);
      return { input, output };
    };
  },
  'a board as wide as there are squares and as high as there are crosses': (task) => {
    const [noise = 1, ...palette] = colours(task, 6);
    const cross = new Sheet(3, 3)
      .rect({ x: 1, y: 0, width: 1, height: 3 }, 1)
      .rect({ x: 0, y: 1, width: 3, height: 1 }, 1);
    return (draws) => {
      const [a = 1, b = 2] = shuffled(draws, palette);
      const [width, height] = [between(draws, 2, 6), between(draws, 2, 5)];
      const objects = [...many(height, () => painted(cross, b)), ...many(width, () => new Sheet(2, 2, a))];
      const drawn = scene(draws, [14, 18], objects);
      if (drawn === null) return null;
      strew(draws, drawn.sheet, noise, between(draws, 2, 5));
      return {
        input: drawn.sheet,
        output: new Sheet(width, height).map((x, y) => ((x + y) % 2 === 0 ? a : b)),
      };
    };
  },
  'a map of the rooms that can be reached': (task) => {
    const [wall = 1, start = 2, other = 3] = colours(task, 3);
    return (draws) => {
      const [columns, rows] = [between(draws, 3, 5), between(draws, 3, 5)];
      const input = new Sheet(4 * columns + 1, 4 * rows + 1).map((x, y) =>
        x % 4 === 0 || y % 4 === 0 ? wall : 0,
      );
      const output = new Sheet(columns, rows).set(draws.below(columns), draws.below(rows), start);
      const doors = new Set<string>();
      for (const [i, cell] of output.cells.entries()) {
        const [x, y] = [i % columns, Math.floor(i / columns)];
        if (cell === start || draws.below(4) === 0)
          input.set(4 * x + between(draws, 1, 3), 4 * y + between(draws, 1, 3), cell || other);
        for (const [dx, dy] of [sides[0], sides[2]]) {
          if (!output.has(x + dx, y + dy) || draws.below(2) === 0) continue;
          doors.add([x, y, x + dx, y + dy].join()).add([x + dx, y + dy, x, y].join());
          const along = between(draws, 1, 3);
          input.set(4 * x + (dx === 1 ? 4 : along), 4 * y + (dy === 1 ? 4 : along), 0);
        }
      }
      for (let round = 0; round < output.cells.length; round++)
        for (const i of output.cells.keys()) {
          const [x, y] = [i % columns, Math.floor(i / columns)];
          const from = sides.filter(([dx, dy]) => doors.has([x + dx, y + dy, x, y].join()));
          if (from.some(([dx, dy]) => output.get(x + dx, y + dy) === start)) output.set(x, y, start);
        }
      return countOf(output) < 4 || countOf(output) > columns * rows - 2 ? null : { input, output };
    };
  },
  'the strip is a walk, each colour a step to its side': (task) => {
    const [wall = 1, walker = 2, ...steps] = colours(task, 6);
    return (draws, index) => {
      const field = new Sheet(between(draws, 12, 16), between(draws, 9, 13));
      const path = snake(draws, field, between(draws, 9, 12));
      if (path === null) return null;
      const walk = path.slice(1).map(([x, y], i) => {
        const [fromX, fromY] = path[i] as readonly [number, number];
        return steps[sides.findIndex(([dx, dy]) => dx === x - fromX && dy === y - fromY)] as number;
      });
      // any three consecutive pairs show all four steps, so the test needs no unseen one
      if ([index % 3, (index % 3) + 1].some((step) => !walk.includes(steps[step] as number))) return null;
      const [[startX, startY] = [0, 0]] = path;
      const input = new Sheet(field.width, field.height + 2).set(startX, startY + 2, walker);
      input.rect({ x: 0, y: 1, width: 30, height: 1 }, wall);
      for (const [i, step] of walk.entries()) input.set(i, 0, step);
      for (const [x, y] of path) field.set(x, y, walker);
      return { input, output: field };
    };
  },
  'what only one of the two pictures has, cut out': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const objects = many(between(draws, 4, 5), () =>
        shape(draws, between(draws, 2, 3), between(draws, 2, 3), one(draws, palette)),
      );
      const drawn = scene(draws, [9, 11], objects);
      if (drawn === null) return null;
      const { width, height } = drawn.sheet;
      const [box, extra] = [drawn.boxes[0] as Box, objects[0] as Sheet];
      const lacking = drawn.sheet.copy().rect(box, 0);
      const [left, right] = shuffled(draws, [drawn.sheet, lacking]) as [Sheet, Sheet];
      const input = new Sheet(2 * width + 1, height).paste(left, 0, 0).paste(right, width + 1, 0);
      return { input: input.rect({ x: width, y: 0, width: 1, height }, wall), output: extra };
    };
  },
};
