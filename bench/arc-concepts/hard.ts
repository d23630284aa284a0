import { motions } from '../../src/arc/grid/grid.ts';
import {
  between,
  blank,
  colours,
  countOf,
  one,
  painted,
  places,
  scene,
  shape,
  shapes,
  shuffled,
  Sheet,
  sides,
  strew,
  turnedBy,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules of two and three thoughts, with things in the way that do not count. */

/** Fills the free cells between two positions on a line with one colour. */
function join(
  sheet: Sheet,
  from: readonly [number, number],
  to: readonly [number, number],
  colour: number,
): void {
  const [dx, dy] = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  for (let [x, y] = from; x !== to[0] || y !== to[1]; x += dx, y += dy)
    if (sheet.get(x, y) === 0) sheet.set(x, y, colour);
}

/** The start and end of each of the three spans between two walls. */
function spans([first = 0, second = 0]: readonly number[], length: number): [number, number][] {
  return [
    [0, first],
    [first + 1, second],
    [second + 1, length],
  ];
}

function isEven(sheet: Sheet): boolean {
  return motions
    .slice(4, 6)
    .some((motion) => turnedBy(sheet, motion).cells.join('') === sheet.cells.join(''));
}

/** Three cells in a line, the last one its head. */
function arrow([dx, dy]: readonly [number, number], body: number, head: number): Sheet {
  return new Sheet(3, 3)
    .set(1 - dx, 1 - dy, body)
    .set(1, 1, body)
    .set(1 + dx, 1 + dy, head);
}

export const hardConcepts: Readonly<Record<string, Concept>> = {
  'the fourth quarter, in the colour of its corner': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const half = between(draws, 5, 7);
      const corner = colours(draws, 9).find((colour) => colour !== body) as number;
      const part = shape(draws, half, half, body).set(0, 0, 0);
      const last = 2 * half - 1;
      const output = new Sheet(2 * half, 2 * half).map((x, y) => {
        const cell = part.get(Math.min(x, last - x), Math.min(y, last - y));
        return x >= half && y >= half && cell !== 0 ? corner : cell;
      });
      const input = output.map((x, y, cell) => (x >= half && y >= half ? 0 : cell)).set(last, last, corner);
      return { input, output: output.set(last, last, corner) };
    };
  },
  'beside each colour as many cells as it has objects': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const side = 13;
      const own = shuffled(draws, palette).slice(0, 3);
      const counts = own.map(() => between(draws, 1, 4));
      const objects = own.flatMap((tone, i) =>
        Array.from({ length: counts[i] as number }, () => shape(draws, between(draws, 1, 2), 2, tone)),
      );
      const field = scene(draws, [side, side], objects);
      if (field === null) return null;
      const input = new Sheet(side + 6, side)
        .paste(field.sheet, 6, 0)
        .rect({ x: 5, y: 0, width: 1, height: side }, wall);
      for (const [i, tone] of own.entries()) input.set(0, 1 + 3 * i, tone);
      const output = input.copy();
      for (const [i, tone] of own.entries())
        output.rect({ x: 0, y: 1 + 3 * i, width: counts[i] as number, height: 1 }, tone);
      return { input, output };
    };
  },
  'every panel in its main colour, even ones stay': (task) => {
    const [wall = 1, a = 2, b = 3] = colours(task, 3);
    return (draws) => {
      const count = between(draws, 2, 3);
      const input = new Sheet(5 * count - 1, 14);
      const output = input.copy();
      for (let i = 0; i < 3 * count; i++) {
        const [x, y] = [5 * (i % count), 5 * Math.floor(i / count)];
        const [m, n] = one(draws, [
          [3, 1],
          [1, 3],
          [4, 2],
          [2, 2],
          [2, 5],
        ] as const);
        const cells = shuffled(
          draws,
          Array.from({ length: 16 }, (_, cell) => cell),
        );
        for (const [k, cell] of cells.slice(0, m + n).entries())
          for (const sheet of [input, output])
            sheet.set(x + (cell % 4), y + Math.floor(cell / 4), k < m ? a : b);
        if (m !== n) output.rect({ x, y, width: 4, height: 4 }, m > n ? a : b);
      }
      for (const sheet of [input, output]) {
        for (let x = 4; x < sheet.width; x += 5) sheet.rect({ x, y: 0, width: 1, height: 14 }, wall);
        for (const y of [4, 9]) sheet.rect({ x: 0, y, width: sheet.width, height: 1 }, wall);
      }
      return { input, output };
    };
  },
  'the largest and the smallest room': (task) => {
    const [wall = 1, large = 2, small = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const cuts = (length: number): number[] => {
        const first = between(draws, 2, 4);
        return [first, between(draws, first + 3, length - 3)];
      };
      const [down, across] = [cuts(input.width), cuts(input.height)];
      for (const x of down) input.rect({ x, y: 0, width: 1, height: input.height }, wall);
      for (const y of across) input.rect({ x: 0, y, width: input.width, height: 1 }, wall);
      const rooms = spans(down, input.width).flatMap(([left, right]) =>
        spans(across, input.height).map(([top, bottom]): Box => ({
          x: left,
          y: top,
          width: right - left,
          height: bottom - top,
        })),
      );
      const areas = rooms.map(({ width, height }) => width * height);
      const [most, least] = [Math.max(...areas), Math.min(...areas)];
      if (
        areas.filter((area) => area === most).length > 1 ||
        areas.filter((area) => area === least).length > 1
      )
        return null;
      const output = input
        .copy()
        .rect(rooms[areas.indexOf(most)] as Box, large)
        .rect(rooms[areas.indexOf(least)] as Box, small);
      return { input, output };
    };
  },
  'pairs joined round the corner, first across': () => (draws) => {
    const all = colours(draws, 3);
    const input = new Sheet(between(draws, 14, 17), 15);
    const output = input.copy();
    for (const [i, tone] of all.entries()) {
      const [x, y] = [i, 5 * i + draws.below(2)];
      const [a, b] = [input.width - 1 - between(draws, 0, 2) - 3 * i, 5 * i + between(draws, 3, 4)];
      for (const sheet of [input, output]) sheet.set(x, y, tone).set(a, b, tone);
      join(output, [x, y], [a, y], tone);
      join(output, [a, y], [a, b], tone);
    }
    return { input, output };
  },
  'stretched to the wall': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 13, 17);
      input.rect({ x: input.width - 2, y: 0, width: 2, height: input.height }, wall);
      const output = input.copy();
      for (const y of [0, 4, 8].slice(0, between(draws, 2, 3))) {
        const [a = 1, b = 2] = shuffled(draws, palette);
        const x = between(draws, 0, 5);
        for (const sheet of [input, output])
          sheet.rect({ x, y, width: 1, height: 3 }, a).rect({ x: x + 1, y, width: 2, height: 3 }, b);
        output.rect({ x: x + 1, y, width: input.width - 3 - x, height: 3 }, b);
      }
      return { input, output };
    };
  },
  'as many dots at the bottom as there are holes': (task) => {
    const [body = 1, dot = 2, noise = 3] = colours(task, 3);
    return (draws) => {
      const holes = between(draws, 2, 5);
      const parts = holes > 3 ? [3, holes - 3] : [holes, 0];
      const blocks = parts.map((count) => {
        const sheet = new Sheet(2 * Math.max(1, count) + 1, 3, body);
        for (let i = 0; i < count; i++) sheet.set(2 * i + 1, 1, 0);
        return sheet;
      });
      const field = scene(draws, [11, 14], blocks);
      if (field === null) return null;
      strew(draws, field.sheet, noise, 3);
      const { width, height } = field.sheet;
      const input = new Sheet(width, height + 2).paste(field.sheet, 0, 0);
      const output = input.copy();
      for (let i = 0; i < holes; i++) output.set(2 * i, height + 1, dot);
      return { input, output };
    };
  },
  'each row one step further': () => (draws) => {
    const all = colours(draws, between(draws, 2, 4));
    const width = between(draws, 9, 14);
    const row = Array.from({ length: width }, (_, x) =>
      x < all.length + 1 ? (all[x % all.length] as number) : 0,
    );
    const height = between(draws, 7, 10);
    const output = new Sheet(width, height).map((x, y) => row[(x - y + 2 * width) % width] as number);
    return { input: new Sheet(width, height).map((x, y) => (y === 0 ? (row[x] as number) : 0)), output };
  },
  'the shape of one panel in the colours of the other': (task) => {
    const [wall = 1, body = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const side = between(draws, 4, 6);
      const form = shape(draws, side, side, body);
      const cloth = new Sheet(side, side).map(() => one(draws, palette));
      const input = new Sheet(2 * side + 1, side)
        .rect({ x: side, y: 0, width: 1, height: side }, wall)
        .paste(form, 0, 0)
        .paste(cloth, side + 1, 0);
      return { input, output: form.map((x, y, cell) => (cell === 0 ? 0 : cloth.get(x, y))) };
    };
  },
  'a frame in the colour of the dot inside, which goes': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 15, 19);
      const tones = colours(draws, 9).filter((colour) => colour !== body);
      const boxes = places(
        draws,
        input,
        [
          [between(draws, 3, 5), 4],
          [4, between(draws, 3, 5)],
          [3, 3],
        ],
        { gap: 3, margin: 1 },
      );
      if (boxes.length < 3) return null;
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        input.rect(box, body).set(box.x + 1, box.y + 1, tones[i] as number);
        output.rect(wider(box), tones[i] as number).rect(box, body);
      }
      return { input, output };
    };
  },
  'the dot flies to the block, which takes its colour': (task) => {
    const [body = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 14, 18), 15);
      const output = input.copy();
      for (const y of [0, 5, 10]) {
        const tone = one(draws, palette);
        const box = { x: between(draws, 5, input.width - 8), y, width: between(draws, 2, 4), height: 3 };
        const row = y + draws.below(3);
        const isHit = draws.below(3) > 0;
        input.rect(box, body);
        output.rect(box, isHit ? tone : body);
        if (!isHit) continue;
        const left = draws.below(2) === 0;
        input.set(left ? draws.below(3) : input.width - 1 - draws.below(2), row, tone);
        output.set(left ? box.x - 1 : box.x + box.width, row, tone);
      }
      return { input, output };
    };
  },
  'a box around the dots of each colour': () => (draws) => {
    const all = colours(draws, 2);
    const input = blank(draws, 15, 19);
    const boxes = places(
      draws,
      input,
      [
        [between(draws, 5, 8), between(draws, 5, 7)],
        [6, 6],
      ],
      { gap: 2, margin: 1 },
    );
    if (boxes.length < 2) return null;
    for (const [i, box] of boxes.entries()) {
      const { x, y, width, height } = box;
      for (const [column, row] of [
        [draws.below(width), 0],
        [draws.below(width), height - 1],
        [0, draws.below(height)],
        [width - 1, draws.below(height)],
      ] as const)
        input.set(x + column, y + row, all[i] as number);
    }
    const output = input.copy();
    for (const [i, box] of boxes.entries()) output.frame(wider(box), all[i] as number);
    return { input, output };
  },
  'mirrored over its own middle line': (task) => {
    const [axis = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const objects = [0, 1].map(() => {
        const half = shape(draws, 2, 5, one(draws, palette));
        const whole = new Sheet(5, 5).map((x, y) => (x === 2 ? axis : half.get(Math.min(x, 4 - x), y)));
        return { whole, part: whole.map((x, _y, cell) => (x > 2 ? 0 : cell)) };
      });
      const drawn = places(
        draws,
        input,
        objects.map(() => [5, 5] as const),
      );
      if (drawn.length < 2) return null;
      const output = input.copy();
      for (const [i, { x, y }] of drawn.entries()) {
        input.paste((objects[i] as { part: Sheet }).part, x, y);
        output.paste((objects[i] as { whole: Sheet }).whole, x, y);
      }
      return { input, output };
    };
  },
  'the tile of the noisy carpet': (task) => {
    const [noise = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const [width, height] = [between(draws, 3, 4), between(draws, 3, 4)];
      const tile = new Sheet(width, height).map(() => one(draws, palette));
      const input = new Sheet(3 * width, 3 * height).map((x, y) =>
        draws.below(8) === 0 ? noise : tile.get(x % width, y % height),
      );
      return { input, output: tile };
    };
  },
  'only the symmetric ones, without the noise': (task) => {
    const [noise = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const even = (): Sheet => {
        const half = shape(draws, 2, 3, one(draws, palette));
        return new Sheet(3, 3).map((x, y) => half.get(Math.min(x, 2 - x), y));
      };
      const odd = (): Sheet => shape(draws, 3, 3, one(draws, palette));
      const objects = [even(), even(), odd(), odd()];
      if (objects.slice(2).some(isEven) || objects.some((object) => countOf(object) < 4)) return null;
      const drawn = scene(draws, [13, 17], objects);
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const [i, { x, y }] of drawn.boxes.slice(0, 2).entries()) output.paste(objects[i] as Sheet, x, y);
      strew(draws, drawn.sheet, noise, 6);
      return { input: drawn.sheet, output };
    };
  },
  'a ray from each tip up to the wall and onto it': (task) => {
    const [body = 1, tip = 2, wall = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 14, 18), 13);
      const output = input.copy();
      for (const y of [2, 6, 10]) {
        const from = draws.below(2);
        const to = draws.below(3) > 0 ? between(draws, 8, input.width - 2) : input.width;
        for (const sheet of [input, output])
          sheet
            .rect({ x: from, y: y - 1, width: 2, height: 3 }, body)
            .set(from + 2, y, tip)
            .rect({ x: to, y: y - 1, width: 1, height: 3 }, wall);
        output.rect({ x: from + 2, y, width: to - from - 1, height: 1 }, tip);
      }
      return { input, output };
    };
  },
  'the piece that fits the gap is shown': (task) => {
    const [body = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const forms = shapes(draws, 3, 3, 2, 1);
      const [right] = forms as [Sheet];
      const block = new Sheet(7, 6, body).map((x, y, cell) => (right.get(x - 2, y - 2) > 0 ? 0 : cell));
      const tones = shuffled(draws, palette);
      const objects = forms.map((form, i) => painted(form, tones[i] as number));
      const drawn = scene(draws, [15, 19], [block, ...shuffled(draws, objects)]);
      return drawn === null ? null : { input: drawn.sheet, output: objects[0] as Sheet };
    };
  },
  'arrows of one colour, all to the side that most point to': (task) => {
    const [body = 1, head = 2] = colours(task, 2);
    return (draws) => {
      const [way, other] = shuffled(draws, sides) as [(typeof sides)[number], (typeof sides)[number]];
      const drawn = scene(
        draws,
        [13, 16],
        [way, way, way, other].map((side) => arrow(side, body, head)),
        { gap: 1 },
      );
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const { x, y } of drawn.boxes) output.paste(arrow(way, body, head), x, y);
      return { input: drawn.sheet, output };
    };
  },
};
