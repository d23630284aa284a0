import { motions, type Motion } from '../../src/arc/grid/grid.ts';
import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import {
  between,
  blank,
  cellsOf,
  colours,
  covers,
  one,
  places,
  shape,
  shuffled,
  Sheet,
  sides,
  turnedBy,
  wider,
  type Box,
  type Cell,
  type Concept,
} from './sheet.ts';

/** Rules of large canvases: mazes, walls, mosaics, grids of panels, noise, layers and regions. */

function random(draws: Draws, width: number, height: number, palette: readonly number[]): Sheet {
  return new Sheet(width, height).map(() => one(draws, palette));
}

/** A maze without loops in a sheet full of wall, its corridors and walls one cell wide. */
function carve(draws: Draws, on: Sheet, [x, y]: Cell, wall: number): Sheet {
  on.set(x, y, 0);
  for (const [dx, dy] of shuffled(draws, sides)) {
    if (on.get(x + 2 * dx, y + 2 * dy) !== wall) continue;
    carve(draws, on.set(x + dx, y + dy, 0), [x + 2 * dx, y + 2 * dy], wall);
  }
  return on;
}

/** The empty cells on the only path from one cell to another; null if there is none. */
function way(on: Sheet, [x, y]: Cell, to: Cell, from: Cell = [-1, -1]): Cell[] | null {
  if (on.get(x, y) !== 0) return null;
  if (x === to[0] && y === to[1]) return [to];
  for (const [dx, dy] of sides) {
    if (x + dx === from[0] && y + dy === from[1]) continue;
    const rest = way(on, [x + dx, y + dy], to, [x, y]);
    if (rest !== null) return [[x, y], ...rest];
  }
  return null;
}

/** A building cut into rooms with walls of one cell between them. */
function rooms(draws: Draws, box: Box): Box[] {
  const across = box.width > box.height;
  const length = across ? box.width : box.height;
  if (length < 7) return [box];
  const cut = between(draws, 2, length - 3);
  const part = (from: number, size: number): Box =>
    across ? { ...box, x: box.x + from, width: size } : { ...box, y: box.y + from, height: size };
  return [part(0, cut), part(cut + 1, length - cut - 1)].flatMap((half) => rooms(draws, half));
}

function shareWall(a: Box, b: Box): boolean {
  const overlapX = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const overlapY = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (overlapX === -1 && overlapY > 0) || (overlapY === -1 && overlapX > 0);
}

/** Lengths of bricks that fill a course with joints of one cell. */
function course(draws: Draws, width: number): number[] {
  const fitting = [1, 2, 3, 4].filter((length) => length === width || width - length > 1);
  const length = one(draws, fitting);
  return length === width ? [length] : [length, ...course(draws, width - length - 1)];
}

/** The distance in steps from every filled cell to the nearest empty one. */
function depthAt(sheet: Sheet, x: number, y: number): number {
  for (let depth = 1; ; depth++)
    for (let dy = -depth; dy <= depth; dy++)
      for (let dx = -depth; dx <= depth; dx++) if (sheet.get(x + dx, y + dy) <= 0) return depth;
}

/** The panels visited by following each one's dot; null if the walk never ends. */
function tour(pointers: readonly Cell[], start: Cell, columns: number, rows: number): Cell[] | null {
  const passed: Cell[] = [];
  let [x, y] = start;
  while (x >= 0 && y >= 0 && x < columns && y < rows) {
    if (passed.length > columns * rows) return null;
    passed.push([x, y]);
    const [dx, dy] = pointers[y * columns + x] as Cell;
    [x, y] = [x + dx, y + dy];
  }
  return passed;
}

export const surfaceConcepts: Readonly<Record<string, Concept>> = {
  'the way through the maze between two of a colour': (task) => {
    const [wall = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const [width, height] = [2 * between(draws, 5, 9) + 1, 2 * between(draws, 5, 8) + 1];
      const input = carve(draws, new Sheet(width, height, wall), [1, 1], wall);
      const halls = cellsOf(input).filter(([x, y]) => x % 2 === 1 && y % 2 === 1);
      const [from, to, stray] = shuffled(draws, halls) as [Cell, Cell, Cell];
      const path = way(input, from, to) as Cell[];
      const [tone = 1, other = 2] = shuffled(draws, palette);
      if (path.length < 10 || path.some(([x, y]) => x === stray[0] && y === stray[1])) return null;
      const output = input.set(...stray, other).copy();
      for (const cell of path) output.set(...cell, tone);
      return { input: input.set(...from, tone).set(...to, tone), output };
    };
  },
  'a map of the flaws of the panels': (task) => {
    const [wall = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const [columns, rows, side] = [between(draws, 3, 4), between(draws, 2, 4), between(draws, 3, 4)];
      const motif = random(draws, side, side, palette);
      const input = new Sheet(columns * (side + 1) - 1, rows * (side + 1) - 1, wall);
      const output = new Sheet(columns, rows);
      const flawed = shuffled(draws, cellsOf(output)).slice(0, between(draws, 2, 3));
      for (const [x, y] of cellsOf(output)) input.paste(motif, x * (side + 1), y * (side + 1));
      for (const [x, y] of flawed) {
        const [column, row] = [draws.below(side), draws.below(side)];
        const wrong = shuffled(draws, palette).find((tone) => tone !== motif.get(column, row)) as number;
        input.set(x * (side + 1) + column, y * (side + 1) + row, wrong);
        output.set(x, y, wrong);
      }
      return { input, output };
    };
  },
  'the patch of the paper that is laid like bricks': (task) => {
    const [blot = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const [width, height] = [one(draws, [4, 6]), between(draws, 2, 3)];
      const tile = random(draws, width, height, shuffled(draws, palette).slice(0, 3));
      const whole = blank(draws, 14, 18).map((x, y) =>
        tile.get((x + (Math.floor(y / height) % 2) * (width / 2)) % width, y % height),
      );
      const size = [between(draws, 3, 5), between(draws, 3, 5)] as const;
      const [hole] = places(draws, whole, [size], { margin: 1 }) as [Box];
      return { input: whole.copy().rect(hole, blot), output: whole.crop(hole) };
    };
  },
  'rooms in the colour that their count has in the strip': (task) => {
    const [wall = 1, dot = 2, ...palette] = colours(task, 8);
    return (draws) => {
      const [columns, rows, side] = [between(draws, 3, 4), between(draws, 2, 4), between(draws, 3, 4)];
      const strip = shuffled(draws, palette).slice(0, between(draws, 3, 5));
      const input = new Sheet(columns * (side + 1) + 1, rows * (side + 1) + 3, wall);
      input.rect({ x: 0, y: 0, width: input.width, height: 2 }, 0);
      for (const [i, tone] of strip.entries()) input.set(i, 0, tone);
      const output = input.copy();
      for (const [column, row] of cellsOf(new Sheet(columns, rows))) {
        const room = { x: column * (side + 1) + 1, y: row * (side + 1) + 3, width: side, height: side };
        const count = between(draws, 1, strip.length);
        output.rect(room, strip[count - 1] as number);
        input.rect(room, 0);
        for (const [x, y] of shuffled(draws, cellsOf(input.crop(room))).slice(0, count))
          input.set(room.x + x, room.y + y, dot);
      }
      return { input, output };
    };
  },
  'the rooms beside the marked room': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const plan = blank(draws, 15, 20);
      const all = rooms(draws, { x: 1, y: 1, width: plan.width - 2, height: plan.height - 2 });
      const input = plan.rect({ x: 0, y: 0, width: plan.width, height: plan.height }, wall);
      for (const room of all) input.rect(room, 0);
      const marked = one(draws, all);
      const beside = all.filter((room) => shareWall(room, marked));
      if (beside.length < 2 || beside.length > all.length - 3) return null;
      const tone = one(draws, palette);
      const [x, y] = [marked.x + draws.below(marked.width), marked.y + draws.below(marked.height)];
      const output = input.set(x, y, tone).copy();
      for (const room of beside) output.rect(room, tone);
      return { input, output };
    };
  },
  'the notched window, its notch turned to the top': (task) => {
    const [frame = 1, notch = 2, ...palette] = colours(task, 5);
    const order = shuffled(task, [0, 1, 2, 3]);
    return (draws, index) => {
      const turns = order[index] as number;
      const input = random(draws, between(draws, 16, 21), between(draws, 16, 21), palette);
      const sizes = [0, 1].map(() => [between(draws, 5, 7), between(draws, 5, 7)] as const);
      const windows = places(draws, input, sizes, { gap: 1, margin: 1 });
      if (windows.length < 2) return null;
      for (const window of windows) input.frame(window, frame);
      const [{ x, y, width, height }] = windows as [Box];
      const [column, row] = [x + between(draws, 1, width - 2), y + between(draws, 1, height - 2)];
      const columns = [column, x, column, x + width - 1];
      const rows = [y, row, y + height - 1, row];
      input.set(columns[turns] as number, rows[turns] as number, notch);
      const inside = { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
      return { input, output: turnedBy(input.crop(inside), motions[turns] as Motion) };
    };
  },
  'threads from two edges are woven': (task) => {
    const palette = colours(task, 9);
    return (draws) => {
      const tones = shuffled(draws, palette);
      const [down, across] = [0, 5].map((first) => {
        const threads: Cell[] = [];
        for (const tone of tones.slice(first, first + between(draws, 3, 4)))
          threads.push([(threads.at(-1)?.[0] ?? 0) + between(draws, 2, 4), tone]);
        return threads;
      }) as [Cell[], Cell[]];
      const input = new Sheet((down.at(-1)?.[0] ?? 0) + 2, (across.at(-1)?.[0] ?? 0) + 2);
      for (const [at, tone] of down) input.set(at, 0, tone);
      for (const [at, tone] of across) input.set(0, at, tone);
      const output = input.map((x, y) => {
        const [column, row] = [down, across].map((all, i) => all.findIndex(([at]) => at === [x, y][i]));
        const tone = [down[column as number]?.[1], across[row as number]?.[1]];
        const over = ((column as number) + (row as number)) % 2 === 0 ? 1 : 0;
        return tone[over] ?? tone[1 - over] ?? 0;
      });
      return { input, output };
    };
  },
  'rain in the colour of the cloud stays in the valleys': (task) => {
    const [ground = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 20), between(draws, 12, 15));
      const heights: number[] = [];
      while (heights.length < input.width) {
        const height = between(draws, 1, input.height - 5);
        for (let i = between(draws, 1, 3); i > 0; i--) heights.push(height);
      }
      const [tone, size, bottom] = [one(draws, palette), between(draws, 3, 5), input.height];
      const cloud = { x: draws.below(input.width - size), y: 0, width: size, height: 2 };
      input.rect(cloud, tone).set(cloud.x, 0, 0);
      for (let x = 0; x < input.width; x++)
        input.rect({ x, y: bottom - (heights[x] as number), width: 1, height: heights[x] as number }, ground);
      const output = input.map((x, y, cell) => {
        const banks = [heights.slice(0, x), heights.slice(x + 1, input.width)];
        const held = banks.every((bank) => bank.some((height) => height >= bottom - y));
        return cell === 0 && held ? tone : cell;
      });
      return output.cells.filter((cell, i) => cell !== input.cells[i]).length < 6 ? null : { input, output };
    };
  },
  'from panel to panel as the dots point': (task) => {
    const [wall = 1, dot = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [columns, rows] = [between(draws, 3, 5), between(draws, 3, 5)];
      const map = new Sheet(columns, rows);
      const pointers = cellsOf(map).map(() => one(draws, sides));
      const tours = cellsOf(map).map((start) => tour(pointers, start, columns, rows) ?? []);
      const passed = tours.reduce((best, next) => (next.length > best.length ? next : best));
      if (passed.length < 5) return null;
      const tone = one(draws, palette);
      const input = new Sheet(4 * columns - 1, 4 * rows - 1).map((x, y) =>
        x % 4 === 3 || y % 4 === 3 ? wall : 0,
      );
      for (const [i, [x, y]] of cellsOf(map).entries()) {
        const [dx, dy] = pointers[i] as Cell;
        input.set(4 * x + 1 + dx, 4 * y + 1 + dy, dot);
      }
      const output = input.copy();
      for (const [x, y] of passed) output.set(4 * x + 1, 4 * y + 1, tone);
      const [[x, y]] = passed as [Cell];
      return { input: input.set(4 * x + 1, 4 * y + 1, tone), output };
    };
  },
  'the lake is darker further from its shores': (task) => {
    const [shallow = 1, middle = 2, deep = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 16, 21);
      for (let i = between(draws, 2, 3); i > 0; i--) {
        const size = [between(draws, 6, 10), between(draws, 6, 10)] as const;
        input.rect(places(draws, input, [size], { margin: 1 })[0] as Box, shallow);
      }
      const deepest = cellsOf(input).filter(([x, y]) => input.get(x, y) > 0 && depthAt(input, x, y) > 2);
      input.set(...one(draws, deepest), 0);
      const output = input.map((x, y, cell) =>
        cell === 0 ? 0 : ([0, shallow, middle][depthAt(input, x, y)] ?? deep),
      );
      return output.cells.filter((cell) => cell === deep).length < 4 ? null : { input, output };
    };
  },
  'bricks as long as the samples take their colours': (task) => {
    const [brick = 1, mortar = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [width, courses] = [between(draws, 13, 18), between(draws, 4, 6)];
      const input = new Sheet(width, 2 * courses + 4, mortar).rect({ x: 0, y: 0, width, height: 3 }, 0);
      const output = input.copy();
      const tones = shuffled(draws, palette);
      const samples = shuffled(draws, [1, 2, 3, 4]).slice(0, 2);
      for (const sheet of [input, output])
        for (const [i, length] of samples.entries())
          sheet.rect({ x: 1 + 7 * i, y: 1, width: length, height: 1 }, tones[i] as number);
      for (let row = 0; row < courses; row++) {
        let x = 0;
        for (const length of course(draws, width)) {
          const box = { x, y: 2 * row + 4, width: length, height: 1 };
          input.rect(box, brick);
          output.rect(box, samples.includes(length) ? (tones[samples.indexOf(length)] as number) : brick);
          x += length + 1;
        }
      }
      return { input, output };
    };
  },
  'the clearing with the dot, framed in its colour': (task) => {
    const [a = 1, b = 2, c = 3, ...palette] = colours(task, 6);
    return (draws) => {
      const noise = random(draws, between(draws, 15, 20), between(draws, 15, 20), [a, b, c]);
      const sizes = [0, 1].map(() => [between(draws, 4, 7), between(draws, 4, 7)] as const);
      const boxes = places(draws, noise, sizes, { gap: 2, margin: 1 });
      if (boxes.length < 2) return null;
      const input = noise.map((x, y, cell) => {
        if (boxes.some((box) => covers(box, x, y))) return 0;
        return draws.below(9) === 0 && !boxes.some((box) => covers(wider(box), x, y)) ? 0 : cell;
      });
      const [{ x, y, width, height }] = boxes as [Box];
      const tone = one(draws, palette);
      const [dx, dy] = [between(draws, 1, width - 2), between(draws, 1, height - 2)];
      input.set(x + dx, y + dy, tone);
      const output = new Sheet(width, height).frame({ x: 0, y: 0, width, height }, tone).set(dx, dy, tone);
      return { input, output };
    };
  },
  'columns roll until their marks are level with the pointer': (task) => {
    const [mark = 1, pointer = 2, ...palette] = colours(task, 5);
    return (draws) => {
      const [width, height] = [between(draws, 8, 14), between(draws, 7, 10)];
      const field = random(draws, width, height, palette);
      const marks = Array.from({ length: width }, () => draws.below(height));
      for (const [x, y] of marks.entries()) field.set(x, y, mark);
      const level = draws.below(height);
      const rolled = field.map((x, y) => field.get(x, (y + (marks[x] as number) - level + height) % height));
      const [input, output] = [field, rolled].map((sheet) =>
        new Sheet(width + 2, height).paste(sheet, 2, 0).set(0, level, pointer),
      ) as [Sheet, Sheet];
      return { input, output };
    };
  },
  'behind the wall the mirrored negative': (task) => {
    const [wall = 1, a = 2, b = 3] = colours(task, 3);
    return (draws) => {
      const [left, right, height] = [between(draws, 6, 9), between(draws, 5, 10), between(draws, 9, 14)];
      const picture = shape(draws, left, height, a).map((_x, _y, cell) =>
        cell === a && draws.below(3) === 0 ? b : cell,
      );
      const input = new Sheet(left + 1 + right, height)
        .paste(picture, 0, 0)
        .rect({ x: left, y: 0, width: 1, height }, wall);
      const negative = picture.map((_x, _y, cell) => (cell === 0 ? 0 : a + b - cell));
      const output = input.copy().paste(turnedBy(negative, 'flip-left-right'), left + 1, 0);
      return { input, output };
    };
  },
  'the next picture of the strip': (task) => {
    const [wall = 1, dot = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [width, height] = [between(draws, 5, 7), between(draws, 5, 7)];
      const [dx, dy] = [one(draws, [-1, 1]), one(draws, [-1, 0, 1])];
      const left = dx < 0 ? width - 1 : draws.below(width - 3);
      const top = dy < 0 ? height - 2 : draws.below(height - 4);
      const [start, tones] = [between(draws, 1, width - 3), shuffled(draws, palette)];
      const pictures = [0, 1, 2, 3].map((step) =>
        new Sheet(width, height)
          .set(left + step * dx, top + step * dy, dot)
          .rect({ x: 0, y: height - 1, width: start + step, height: 1 }, tones[step % 2] as number),
      );
      const input = new Sheet(3 * width + 2, height);
      for (const [i, picture] of pictures.slice(0, 3).entries())
        input
          .paste(picture, i * (width + 1), 0)
          .rect({ x: i * (width + 1) + width, y: 0, width: 1, height }, wall);
      return { input, output: pictures[3] as Sheet };
    };
  },
  'the line that lay above lies below': (task) => {
    const palette = colours(task, 8);
    return (draws) => {
      const tones = shuffled(draws, palette);
      const rows = [between(draws, 2, 3), between(draws, 7, 8), between(draws, 12, 13)];
      rows.length = between(draws, 2, 3);
      const input = new Sheet(between(draws, 12, 18), (rows.at(-1) as number) + between(draws, 4, 5));
      const bars = rows.map((y) => ({ x: 0, y, width: input.width, height: between(draws, 1, 2) }));
      for (const [i, bar] of bars.entries()) input.rect(bar, tones[i] as number);
      const output = input.copy();
      const stops = [0, ...bars.map(({ y, height }) => y + height + 1)];
      stops[stops.length - 1] = input.height;
      for (let [x, i] = [between(draws, 1, 2), 3]; x < input.width - 2; x += between(draws, 4, 5), i++) {
        const first = draws.below(stops.length - 1);
        const y = stops[first] as number;
        const last = stops[between(draws, first + 1, stops.length - 1)] as number;
        const column = { x, y, width: between(draws, 1, 2), height: last - y };
        for (const sheet of [input, output]) sheet.rect(column, tones[i] as number);
        for (const [k, bar] of bars.entries()) {
          if (bar.y < y || bar.y >= last) continue;
          const crossing = { ...column, y: bar.y, height: bar.height };
          (draws.below(2) === 0 ? input : output).rect(crossing, tones[k] as number);
        }
      }
      return { input, output };
    };
  },
};
