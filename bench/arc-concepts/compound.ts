import {
  between,
  blank,
  colours,
  countOf,
  enlarged,
  one,
  places,
  scene,
  shape,
  shuffled,
  Sheet,
  strew,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/** What is seen, where it holds and what is done are three different things. */

export const compoundConcepts: Readonly<Record<string, Concept>> = {
  'lines through the dots, inside their block only': (task) => {
    const [line = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 15, 19);
      const tones = colours(draws, 9).filter((colour) => colour !== line);
      const boxes = places(draws, input, [
        [between(draws, 6, 8), between(draws, 5, 7)],
        [5, 6],
      ]);
      if (boxes.length < 2) return null;
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        const [x, y] = [box.x + between(draws, 1, box.width - 2), box.y + between(draws, 1, box.height - 2)];
        input.rect(box, tones[i] as number).set(x, y, line);
        output
          .rect(box, tones[i] as number)
          .rect({ ...box, x, width: 1 }, line)
          .rect({ ...box, y, height: 1 }, line);
      }
      return { input, output };
    };
  },
  'from the first to the second and so on': (task) => {
    const [first = 1, second = 2, next = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const object = shape(draws, 2, 2, first);
      const [dx, dy] = [between(draws, 2, 4), between(draws, 0, 3)];
      const [x, y] = [draws.below(2), draws.below(3)];
      input.paste(object, x, y).paste(object, x + dx, y + dy, second);
      const output = input.copy();
      for (let i = 2; i < 9; i++) output.paste(object, x + i * dx, y + i * dy, next);
      return { input, output };
    };
  },
  'without the lines that the noise is in': (task) => {
    const [noise = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const [width, height] = [between(draws, 5, 7), between(draws, 5, 7)];
      const output = new Sheet(width, height).map(() => one(draws, [0, ...palette]));
      const [column, row] = [between(draws, 1, width - 1), between(draws, 1, height - 1)];
      const input = new Sheet(width + 1, height + 1).map((x, y) => {
        if (x === column || y === row) return noise;
        return output.get(x > column ? x - 1 : x, y > row ? y - 1 : y);
      });
      return { input, output };
    };
  },
  'rooms in the colour of the dots that they hold most of': (task) => {
    const [wall = 1, a = 2, b = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 16, 19);
      const boxes = places(draws, input, [
        [6, between(draws, 6, 7)],
        [between(draws, 6, 8), 6],
        [6, 6],
      ]);
      if (boxes.length < 3) return null;
      const output = input.copy();
      for (const box of boxes) {
        const inner = wider(box, -1);
        const [m, n] = one(draws, [
          [2, 1],
          [1, 2],
          [3, 1],
          [1, 3],
        ] as const);
        const room = new Sheet(inner.width, inner.height);
        const dots = [...strew(draws, room, a, m), ...strew(draws, room, b, n)];
        if (dots.length < m + n) return null;
        for (const sheet of [input, output]) sheet.frame(box, wall);
        input.paste(room, inner.x, inner.y);
        output.rect(inner, m > n ? a : b);
      }
      return { input, output };
    };
  },
  'marks on two edges meet': (task) => {
    const [across = 1, down = 2, cross = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 12, 17);
      const pick = (length: number): number[] =>
        shuffled(
          draws,
          Array.from({ length: length - 2 }, (_, i) => i + 2),
        ).slice(0, between(draws, 2, 4));
      const [columns, rows] = [pick(input.width), pick(input.height)];
      for (const x of columns) input.set(x, 0, down);
      for (const y of rows) input.set(0, y, across);
      const output = input.copy();
      for (const x of columns) for (const y of rows) output.set(x, y, cross);
      return { input, output };
    };
  },
  'enlarged into the empty frame': (task) => {
    const [wall = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const times = between(draws, 2, 3);
      const object = shape(draws, 3, 3, one(draws, palette)).set(1, 1, one(draws, palette));
      const side = 3 * times + 2;
      const frame = new Sheet(side, side).frame({ x: 0, y: 0, width: side, height: side }, wall);
      const drawn = scene(draws, [16, 19], [frame, object]);
      if (drawn === null) return null;
      const { x, y } = drawn.boxes[0] as Box;
      return { input: drawn.sheet, output: drawn.sheet.copy().paste(enlarged(object, times), x + 1, y + 1) };
    };
  },
  'one colour falls, the other rises': (task) => {
    const [heavy = 1, light = 2, rock = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 10, 14);
      const output = input.copy();
      for (let x = 0; x < input.width; x++) {
        const [kind, y] = [draws.below(4), between(draws, 2, input.height - 3)];
        if (kind === 3) continue;
        const colour = [heavy, light, rock][kind] as number;
        input.set(x, y, colour);
        output.set(x, kind === 0 ? input.height - 1 : kind === 1 ? 0 : y, colour);
      }
      return { input, output };
    };
  },
  'a copy at the opposite place': (task) => {
    const [copy = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const object = shape(draws, 3, 3, one(draws, palette));
      const [x, y] = [draws.below(3), draws.below(Math.floor(input.height / 2) - 3)];
      input.paste(object, x, y);
      const output = input.copy().paste(object, input.width - 3 - x, input.height - 3 - y, copy);
      return { input, output };
    };
  },
  'rows in the order of what they hold': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const count = between(draws, 4, 6);
      const width = between(draws, 7, 9);
      const numbers = shuffled(draws, [1, 2, 3, 4, 5, 6, 7]).slice(0, count);
      const rows = numbers.map((filled) => {
        const tone = one(draws, palette);
        const cells = shuffled(
          draws,
          Array.from({ length: width }, (_, x) => (x < filled ? tone : 0)),
        );
        return { filled, cells };
      });
      const draw = (order: typeof rows): Sheet =>
        new Sheet(width, count).map((x, y) => order[y]?.cells[x] ?? 0);
      return { input: draw(rows), output: draw(rows.toSorted((a, b) => a.filled - b.filled)) };
    };
  },
  'to the wall, whose colour it takes': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const walls = colours(draws, 9).filter((colour) => colour !== body);
      const [left = 2, right = 3] = walls;
      const input = new Sheet(between(draws, 14, 18), 14);
      for (const [x, colour] of [
        [0, left],
        [input.width - 1, right],
      ] as const)
        input.rect({ x, y: 0, width: 1, height: 14 }, colour);
      const output = input.copy();
      for (const y of [0, 4, 8, 11]) {
        const object = shape(draws, 3, 2, body);
        const isLeft = draws.below(2) === 0;
        input.paste(object, isLeft ? between(draws, 2, 3) : input.width - 5 - draws.below(2), y);
        output.paste(object, isLeft ? 1 : input.width - 4, y, isLeft ? left : right);
      }
      return { input, output };
    };
  },
  'the whole of the half hidden thing': (task) => {
    const [cover = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const side = between(draws, 5, 7);
      const half = Math.ceil(side / 2);
      const quarter = new Sheet(half, half).map(() => one(draws, palette));
      const whole = new Sheet(side, side).map((x, y) =>
        quarter.get(Math.min(x, side - 1 - x), Math.min(y, side - 1 - y)),
      );
      const drawn = scene(draws, [12, 16], [whole], { margin: 1 });
      if (drawn === null) return null;
      const { x, y } = drawn.boxes[0] as Box;
      drawn.sheet.rect({ x: x + draws.below(2), y: y - 1, width: half - 1, height: half }, cover);
      return { input: drawn.sheet, output: whole };
    };
  },
  'as wide as the number in the largest': (task) => {
    const [dot = 1, result = 2, ...palette] = colours(task, 6);
    return (draws, index) => {
      const wanted = 1 + ((index + 1) % 4);
      const blocks = [
        [5, 5, wanted],
        [4, 4, between(draws, 1, 3)],
        [4, 3, between(draws, 1, 2)],
      ].map(([width = 4, height = 4, dots = 1]) => {
        const sheet = new Sheet(width, height, one(draws, palette));
        for (const cell of shuffled(draws, [0, 2, 4, 6, 8].slice(0, Math.max(dots, 3))).slice(0, dots))
          sheet.set(1 + (cell % 3), 1 + (Math.floor(cell / 3) % (height - 2)), dot);
        return sheet;
      });
      const [largest] = blocks as [Sheet];
      if (largest.cells.filter((cell) => cell === dot).length !== wanted || countOf(largest) !== 25)
        return null;
      const drawn = scene(draws, [14, 18], blocks);
      return drawn === null ? null : { input: drawn.sheet, output: new Sheet(wanted, 1, result) };
    };
  },
};
