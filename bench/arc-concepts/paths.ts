import {
  between,
  blank,
  colours,
  one,
  places,
  scene,
  shuffled,
  sides,
  Sheet,
  strew,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules that draw what the objects say: walks, joins, rays out of openings, rings, fillings. Grids keep their size. */

type Way = readonly [dx: number, dy: number];

/** The free cells from a position in a direction, excluding the start, up to the first filled cell or the edge. */
function ray(
  on: Sheet,
  x: number,
  y: number,
  [dx, dy]: Way,
  colour: number,
  isFree: (cell: number) => boolean,
): void {
  for (
    let [column, row] = [x + dx, y + dy];
    on.has(column, row) && isFree(on.get(column, row));
    column += dx, row += dy
  )
    on.set(column, row, colour);
}

/** The cells of a path that winds back and forth, two rows down each time. */
function winding(draws: Parameters<ReturnType<Concept>>[0], on: Sheet): Way[] {
  let [x, y] = [draws.below(4), draws.below(2)];
  const path: Way[] = [[x, y]];
  while (y + 2 < on.height) {
    const goal = x < on.width / 2 ? between(draws, x + 3, on.width - 1) : between(draws, 0, x - 3);
    while (x !== goal) path.push([(x += Math.sign(goal - x)), y]);
    for (let i = 0; i < 2; i++) path.push([x, ++y]);
  }
  return path;
}

export const pathConcepts: Readonly<Record<string, Concept>> = {
  'join pairs unless something is between': (task) => {
    const [dot = 1, block = 2, line = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 12, 16), 13);
      const output = input.copy();
      const barred = draws.below(4);
      for (const [i, y] of [1, 4, 8, 11].entries()) {
        const from = draws.below(4);
        const to = between(draws, from + 6, input.width - 1);
        if (i !== barred) output.rect({ x: from, y, width: to - from + 1, height: 1 }, line);
        for (const sheet of [input, output]) {
          sheet.set(from, y, dot).set(to, y, dot);
          if (i === barred) sheet.rect({ x: from + 3, y: y - 1, width: 2, height: 2 }, block);
        }
        if (i !== barred && i % 2 === 0)
          for (const sheet of [input, output])
            sheet.rect({ x: from + 1, y: y + 1, width: 2, height: 1 }, block);
      }
      return { input, output };
    };
  },
  'a walker that turns at marks': (task) => {
    const [walker = 1, right = 2, left = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 13, 17);
      let [x, y] = [0, between(draws, 4, input.height - 5)];
      let [dx, dy] = [1, 0];
      const output = input.copy();
      input.set(x, y, walker);
      for (let legs = 0; legs < 4; legs++) {
        const length = between(draws, 3, 5);
        for (let i = 0; i < length; i++) {
          if (!output.has(x, y) || output.get(x, y) !== 0) return null;
          output.set(x, y, walker);
          [x, y] = [x + dx, y + dy];
        }
        if (!output.has(x, y) || output.get(x, y) !== 0) return null;
        const mark = one(draws, [right, left]);
        for (const sheet of [input, output]) sheet.set(x, y, mark);
        [dx, dy] = mark === right ? [-dy, dx] : [dy, -dx];
        [x, y] = [x + dx, y + dy];
      }
      while (output.has(x, y)) {
        if (output.get(x, y) !== 0) return null;
        output.set(x, y, walker);
        [x, y] = [x + dx, y + dy];
      }
      return { input, output };
    };
  },
  'a slanting ray bounces off the block': (task) => {
    const [source = 1, wall = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const at = between(draws, 6, input.width - 4);
      let [x, y, dx] = [0, draws.below(3), 1];
      input
        .rect({ x: at, y: 1, width: between(draws, 1, 3), height: input.height - 2 }, wall)
        .set(x, y, source);
      const output = input.copy();
      for (; output.has(x, y); x += dx, y++) {
        output.set(x, y, source);
        if (output.get(x + dx, y + 1) === wall) dx = -1;
      }
      return dx === 1 ? null : { input, output };
    };
  },
  'a spiral from the corner': (task) => {
    const [line = 1] = colours(task, 1);
    return (draws, index) => {
      const side = 8 + 2 * index + between(draws, 0, 1);
      const input = new Sheet(side, side).set(0, 0, line);
      const output = input.copy();
      let [x, y, dx, dy] = [0, 0, 1, 0];
      for (let turns = 0; turns < 2;) {
        const ahead = output.get(x + dx, y + dy);
        const beyond = output.get(x + 2 * dx, y + 2 * dy);
        if (ahead === 0 && beyond !== line) {
          [x, y] = [x + dx, y + dy];
          output.set(x, y, line);
          turns = 0;
        } else {
          [dx, dy] = [-dy, dx];
          turns++;
        }
      }
      return { input, output };
    };
  },
  'round the corner to the partner': (task) => {
    const [from = 1, to = 2, line = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const [x, y] = [between(draws, 0, 3), between(draws, 0, input.height - 1)];
      const [a, b] = [between(draws, x + 4, input.width - 1), between(draws, 0, input.height - 1)];
      if (Math.abs(y - b) < 3) return null;
      const output = input.copy();
      for (let column = x; column <= a; column++) output.set(column, y, line);
      for (let row = Math.min(y, b); row <= Math.max(y, b); row++) output.set(a, row, line);
      for (const sheet of [input, output]) sheet.set(x, y, from).set(a, b, to);
      return { input, output };
    };
  },
  'a wedge under the bar': (task) => {
    const [wedge = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 18), between(draws, 11, 14));
      const output = input.copy();
      let x = draws.below(2);
      for (let i = 0; i < 2; i++) {
        const width = 2 * between(draws, 1, 3) + 1;
        const y = between(draws, 0, 3);
        const colour = one(draws, palette);
        for (let depth = 0; 2 * depth < width; depth++)
          output.rect(
            { x: x + depth, y: y + depth, width: width - 2 * depth, height: 1 },
            depth === 0 ? colour : wedge,
          );
        input.rect({ x, y, width, height: 1 }, colour);
        x += width + 1;
      }
      return x > input.width ? null : { input, output };
    };
  },
  'out of the opening': () => (draws) => {
    const all = colours(draws, 4);
    const input = blank(draws, 14, 18);
    const boxes = places(draws, input, '4x4 4x4', { gap: 2, margin: 3 });
    if (boxes.length < 2) return null;
    const ways = shuffled(draws, sides);
    for (const [i, box] of boxes.entries()) {
      const [dx, dy] = ways[i] as Way;
      const dot = all[2 * i + 1] as number;
      input.frame(box, all[2 * i] as number);
      const [x, y] = [box.x + between(draws, 1, 2), box.y + between(draws, 1, 2)];
      input.set(x, y, dot);
      const gate =
        dx === 0 ? ([x, dy > 0 ? box.y + 3 : box.y] as const) : ([dx > 0 ? box.x + 3 : box.x, y] as const);
      input.set(...gate, 0);
    }
    const output = input.copy();
    for (const [i, box] of boxes.entries()) {
      const at = [...input.cells].findIndex((cell, place) => {
        const [x, y] = [place % input.width, Math.floor(place / input.width)];
        return cell === all[2 * i + 1] && x > box.x && x < box.x + 3 && y > box.y && y < box.y + 3;
      });
      ray(
        output,
        at % input.width,
        Math.floor(at / input.width),
        ways[i] as Way,
        all[2 * i + 1] as number,
        (cell) => cell === 0,
      );
    }
    return { input, output };
  },
  'rings around the dot to the edge': (task) => {
    const [first = 1, second = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 10, 15);
      const [x, y] = [draws.below(input.width), draws.below(input.height)];
      const output = input.map((column, row) =>
        Math.max(Math.abs(column - x), Math.abs(row - y)) % 2 === 0 ? first : second,
      );
      return { input: input.set(x, y, first), output };
    };
  },
  'a chequered floor in every frame': (task) => {
    const [wall = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const tones = colours(draws, 9).filter((colour) => colour !== wall);
      const boxes = places(draws, input, [
        [between(draws, 5, 8), between(draws, 5, 7)],
        [5, between(draws, 4, 6)],
      ]);
      if (boxes.length < 2) return null;
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        const tone = tones[i] as number;
        for (let cell = 0; cell < box.width * box.height; cell++) {
          const [x, y] = [cell % box.width, Math.floor(cell / box.width)];
          if ((x + y) % 2 === 0) output.set(box.x + x, box.y + y, tone);
        }
        for (const sheet of [input, output]) sheet.frame(box, wall);
        input.set(box.x + 1, box.y + 1, tone);
        output.set(box.x + 1, box.y + 1, tone);
      }
      return { input, output };
    };
  },
  'colours go on along the winding path': (task) => {
    const [path = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const cells = winding(draws, input);
      const tones = colours(draws, 9)
        .filter((colour) => colour !== path)
        .slice(0, between(draws, 2, 3));
      const output = input.copy();
      for (const [i, [x, y]] of cells.entries()) {
        input.set(x, y, i < tones.length ? (tones[i] as number) : path);
        output.set(x, y, tones[i % tones.length] as number);
      }
      return { input, output };
    };
  },
  'a ray out of every notch': (task) => {
    const [line = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const boxes = places(draws, input, '4x3 3x4 5x3', { gap: 2, margin: 2 });
      if (boxes.length < 3) return null;
      const notches: (readonly [x: number, y: number, way: Way])[] = [];
      for (const box of boxes) {
        input.rect(box, one(draws, palette));
        const [dx, dy] = one(draws, sides);
        const x =
          dx === 0 ? box.x + between(draws, 1, box.width - 2) : dx > 0 ? box.x + box.width - 1 : box.x;
        const y =
          dy === 0 ? box.y + between(draws, 1, box.height - 2) : dy > 0 ? box.y + box.height - 1 : box.y;
        input.set(x, y, 0);
        notches.push([x, y, [dx, dy]]);
      }
      const output = input.copy();
      for (const [x, y, way] of notches)
        ray(output.set(x, y, line), x, y, way, line, (cell) => cell === 0 || cell === line);
      return { input, output };
    };
  },
  'cross hairs of the rare dot, behind everything': (task) => {
    const [common = 1, rare = 2, line = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 12, 16);
      strew(draws, input, rare, 1);
      strew(draws, input, common, 14);
      const at = input.cells.indexOf(rare);
      const [column, row] = [at % input.width, Math.floor(at / input.width)];
      return { input, output: input.map((x, y, cell) => cell || (x === column || y === row ? line : 0)) };
    };
  },
  'slanting lines from the ends of the bar': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const length = between(draws, 2, 4);
      const [x, y] = [between(draws, 3, input.width - 4 - length), between(draws, 3, input.height - 4)];
      const colour = one(draws, palette);
      input.rect({ x, y, width: length, height: 1 }, colour);
      const output = input.copy();
      for (const dy of [-1, 1]) {
        ray(output, x, y, [-1, dy], colour, () => true);
        ray(output, x + length - 1, y, [1, dy], colour, () => true);
      }
      return { input, output };
    };
  },
  'fill the four corners with the colour inside': (task) => {
    const [corner = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const own = colours(draws, 9).filter((colour) => colour !== corner);
      const boxes = places(draws, input, [
        [between(draws, 5, 7), between(draws, 4, 6)],
        [4, 5],
        [5, 4],
      ]);
      if (boxes.length < 3) return null;
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        const inner = wider(box, -1);
        if (i < 2) {
          input.set(
            inner.x + draws.below(inner.width),
            inner.y + draws.below(inner.height),
            own[i] as number,
          );
          output.rect(inner, own[i] as number);
        }
        for (const sheet of [input, output])
          for (const x of [box.x, box.x + box.width - 1])
            for (const y of [box.y, box.y + box.height - 1]) sheet.set(x, y, corner);
      }
      return { input, output };
    };
  },
  'bridges between blocks of one colour': () => (draws) => {
    const all = colours(draws, 3);
    const input = new Sheet(between(draws, 14, 18), 15);
    const output = input.copy();
    const rows = shuffled(draws, [0, 5, 10]);
    for (const [i, y] of rows.entries()) {
      const colour = all[i] as number;
      const mate = i === 2 ? (all[0] as number) : colour;
      const [a, b] = [draws.below(3), between(draws, 8, input.width - 3)];
      for (const sheet of [input, output])
        sheet.rect({ x: a, y, width: 3, height: 3 }, colour).rect({ x: b, y, width: 3, height: 3 }, mate);
      if (i < 2) output.rect({ x: a, y: y + 1, width: b - a, height: 1 }, colour);
    }
    return { input, output };
  },
  'shadows on the right edge': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const input = new Sheet(between(draws, 11, 15), between(draws, 13, 16));
      const output = input.copy();
      for (let y = draws.below(2); y < input.height - 2;) {
        const box: Box = {
          x: draws.below(input.width - 5),
          y,
          width: between(draws, 1, 4),
          height: between(draws, 1, 3),
        };
        const colour = one(draws, palette);
        for (const sheet of [input, output]) sheet.rect(box, colour);
        output.rect({ ...box, x: input.width - 1, width: 1 }, colour);
        y += box.height + between(draws, 1, 2);
      }
      return { input, output };
    };
  },
  'shoot from the block of two colours': () => (draws) => {
    const [body = 1, tip = 2, wall = 3] = colours(draws, 3);
    const gun = new Sheet(3, 3).rect({ x: 0, y: 0, width: 2, height: 3 }, body).set(2, 1, tip);
    const drawn = scene(draws, [13, 17], [gun, gun], { margin: 1, gap: 3 });
    if (drawn === null) return null;
    const { sheet, boxes } = drawn;
    const [a, b] = boxes as [Box, Box];
    if (a.y < b.y + 3 && b.y < a.y + 3) return null;
    const stop = between(draws, a.x + 3, sheet.width - 1);
    sheet.rect({ x: stop, y: a.y, width: 1, height: 3 }, wall);
    const output = sheet.copy();
    for (const { x, y } of boxes) ray(output, x + 2, y + 1, [1, 0], tip, (cell) => cell === 0);
    return { input: sheet, output };
  },
};
