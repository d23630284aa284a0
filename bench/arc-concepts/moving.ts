import {
  between,
  blank,
  colours,
  countOf,
  one,
  places,
  scene,
  shape,
  shapes,
  shuffled,
  sides,
  Sheet,
  strew,
  treated,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules that move objects by what they are or what stands elsewhere, and copies of them. Grids keep their size. */

/** How far an object can move in a direction before it meets a filled cell or the edge. */
function freeSteps(on: Sheet, object: Sheet, { x, y }: Box, dx: number, dy: number): number {
  const fits = (steps: number): boolean =>
    object.cells.every((cell, i) => {
      if (cell === 0) return true;
      return on.get(x + (i % object.width) + steps * dx, y + Math.floor(i / object.width) + steps * dy) === 0;
    });
  let steps = 0;
  while (fits(steps + 1)) steps++;
  return steps;
}

/** A block with a hole of this shape. */
function holedBy(hole: Sheet, body: number): Sheet {
  return new Sheet(hole.width + 2, hole.height + 2).map((x, y) => (hole.get(x - 1, y - 1) > 0 ? 0 : body));
}

export const movingConcepts: Readonly<Record<string, Concept>> = {
  'dots fly to the block of their colour': () => (draws) => {
    const [a = 1, b = 2, noise = 3] = colours(draws, 3);
    const input = blank(draws, 14, 18);
    const boxes = places(draws, input, '3x3 3x3', { margin: 4, gap: 1 });
    if (boxes.length < 2) return null;
    const output = input.copy();
    const own = [a, b];
    for (const sheet of [input, output])
      for (const [i, box] of boxes.entries()) sheet.rect(box, own[i] as number);
    for (const [i, box] of boxes.entries())
      for (const [dx, dy] of shuffled(draws, sides).slice(0, 2)) {
        const along = draws.below(3);
        const far = between(draws, 2, 4);
        const start = dx + dy > 0 ? 2 : 0;
        const at = (steps: number): readonly [number, number] =>
          dx === 0
            ? [box.x + along, box.y + start + dy * steps]
            : [box.x + start + dx * steps, box.y + along];
        for (let steps = 1; steps <= far; steps++) if (input.get(...at(steps)) !== 0) return null;
        input.set(...at(far), own[i] as number);
        output.set(...at(1), own[i] as number);
      }
    strew(draws, input, noise, 4);
    return { input, output };
  },
  'as many steps as it has cells': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 14, 18), 13);
      const output = input.copy();
      for (const y of [0, 3, 6, 9]) {
        const object = shape(draws, between(draws, 1, 3), between(draws, 1, 2), one(draws, palette));
        const x = draws.below(4);
        if (countOf(object) > 6) return null;
        input.paste(object, x, y);
        output.paste(object, x + countOf(object), y);
      }
      return { input, output };
    };
  },
  'to the edge that the nose points at, with a trail': (task) => {
    const [body = 1, nose = 2, trail = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const boxes = places(draws, input, '3x3 3x3 3x3', { gap: 2, margin: 2 });
      if (boxes.length < 3) return null;
      const output = input.copy();
      const rows = new Set<string>();
      for (const { x, y } of boxes) {
        const [dx, dy] = one(draws, sides);
        const cells = [-1, 0, 1].map((i) => [x + 1 + i * dx, y + 1 + i * dy] as const);
        const far = dx > 0 ? input.width - 3 - x : dx < 0 ? x : dy > 0 ? input.height - 3 - y : y;
        for (const [i, [column, row]] of cells.entries()) {
          input.set(column, row, i === 2 ? nose : body);
          const line = Array.from({ length: far }, (_, step) => `${column + step * dx},${row + step * dy}`);
          for (const place of line) {
            if (rows.has(place)) return null;
          }
          if (i === 0)
            for (let step = 0; step < far; step++) output.set(column + step * dx, row + step * dy, trail);
        }
        for (let step = 0; step <= far + 2; step++) {
          const [column, row] = cells[0] as readonly [number, number];
          rows.add(`${column + step * dx},${row + step * dy}`);
        }
        for (const [i, [column, row]] of cells.entries())
          output.set(column + far * dx, row + far * dy, i === 2 ? nose : body);
      }
      return { input, output };
    };
  },
  'two objects exchange places': (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const [a = 1, b = 2, c = 3] = shuffled(draws, palette);
      const objects = [shape(draws, 3, 3, a), shape(draws, 3, 3, b)];
      const drawn = scene(draws, [10, 14], objects, { gap: 2 });
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const [i, { x, y }] of drawn.boxes.entries()) output.paste(objects[1 - i] as Sheet, x, y);
      for (const [x, y] of strew(draws, drawn.sheet, c, 3)) output.set(x, y, c);
      return { input: drawn.sheet, output };
    };
  },
  'the mover pushes the block to the edge': (task) => {
    const [mover = 1, block = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const output = input.copy();
      for (const y of [1, 5, 9].slice(0, between(draws, 2, 3))) {
        const [a, b] = [shape(draws, 2, 2, mover), new Sheet(between(draws, 1, 3), 2, block)];
        const far = draws.below(3);
        const next = far + 2 + between(draws, 2, 4);
        input.paste(a, far, y).paste(b, next, y);
        output.paste(b, input.width - b.width, y).paste(a, input.width - b.width - 2, y);
      }
      return { input, output };
    };
  },
  'all stand level with the marked one': (task) => {
    const [body = 1, key = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 14, 18), between(draws, 10, 14));
      const output = input.copy();
      const leader = draws.below(4);
      const objects = [0, 1, 2, 3].map((i) => shape(draws, 3, 3, i === leader ? key : body));
      const heights = objects.map(() => draws.below(input.height - 2));
      for (const [i, object] of objects.entries()) {
        const x = i * 4 - (i === 3 && input.width < 15 ? 1 : 0);
        input.paste(object, x, heights[i] as number);
        output.paste(object, x, heights[leader] as number);
      }
      return input.width < 15 ? null : { input, output };
    };
  },
  'blocks fall into the gap of their width': (task) => {
    const [floor = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const widths = shuffled(draws, [1, 2, 3]);
      const input = new Sheet(13, between(draws, 10, 13)).rect({ x: 0, y: 8, width: 13, height: 5 }, floor);
      const output = input.copy();
      const gaps = shuffled(draws, [1, 2, 3]);
      const own = shuffled(draws, palette);
      let x = 1;
      for (const [i, width] of gaps.entries()) {
        const gap = { x, y: 8, width, height: 2 };
        for (const sheet of [input, output]) sheet.rect(gap, 0);
        output.rect(gap, own[width - 1] as number);
        x += width + (i === 0 ? 2 : 3);
      }
      for (const [i, width] of widths.entries())
        input.rect({ x: 1 + 4 * i, y: between(draws, 1, 4), width, height: 2 }, own[width - 1] as number);
      return { input, output };
    };
  },
  'the loose piece goes into the hole of its shape': (task) => {
    const [body = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const [a, b] = shapes(draws, 2, 3, 2, 1) as [Sheet, Sheet];
      const own = shuffled(draws, palette);
      const objects = [holedBy(a, body), holedBy(b, body), a, b].map((object, i) =>
        i < 2 ? object : object.map((_x, _y, cell) => (cell === 0 ? 0 : (own[i - 2] as number))),
      );
      const drawn = scene(draws, [14, 18], objects);
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const i of [0, 1]) {
        const { x, y } = drawn.boxes[i] as Box;
        output.paste(objects[i] as Sheet, x, y).paste(objects[i + 2] as Sheet, x + 1, y + 1);
      }
      return { input: drawn.sheet, output };
    };
  },
  'small ones fall, large ones stay': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const objects = [
        ...Array.from({ length: 2 }, () => new Sheet(between(draws, 4, 5), 3, one(draws, palette))),
        ...Array.from({ length: 4 }, () => new Sheet(between(draws, 1, 2), 1, one(draws, palette))),
      ];
      const drawn = scene(draws, [12, 16], objects);
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      const order = [
        0,
        1,
        ...[2, 3, 4, 5].sort((a, b) => (drawn.boxes[b] as Box).y - (drawn.boxes[a] as Box).y),
      ];
      for (const i of order) {
        const object = objects[i] as Sheet;
        const box = drawn.boxes[i] as Box;
        output.paste(object, box.x, box.y + (i < 2 ? 0 : freeSteps(output, object, box, 0, 1)));
      }
      return { input: drawn.sheet, output };
    };
  },
  'towards the wall of the other colour': (task) => {
    const [a = 1, b = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 17), 13);
      for (const [x, colour] of [
        [0, a],
        [input.width - 1, b],
      ] as const)
        input.rect({ x, y: 0, width: 1, height: 13 }, colour);
      const output = input.copy();
      for (const y of [0, 4, 8, 11].slice(0, between(draws, 3, 4))) {
        const colour = one(draws, [a, b]);
        const object = shape(draws, 3, 2, colour);
        input.paste(object, between(draws, 4, input.width - 8), y);
        output.paste(object, colour === b ? 1 : input.width - 4, y);
      }
      return { input, output };
    };
  },
  'copies on the way to the edge, each paler': (task) => {
    const [body = 1, trace = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 12, 16);
      const object = shape(draws, 2, 2, body);
      const [x, y] = [draws.below(3), draws.below(3)];
      input.paste(object, x, y);
      const output = input.copy();
      for (let i = 1; i < 10; i++) output.paste(object, x + 2 * i, y + 2 * i, i % 2 === 0 ? body : trace);
      return { input, output };
    };
  },
  'bars stand in order of their length': (task) => {
    const [body = 1, mark = 2] = colours(task, 2);
    return (draws) => {
      const count = between(draws, 4, 5);
      const lengths = shuffled(draws, [2, 3, 4, 5, 6, 7, 8]).slice(0, count);
      const draw = (order: readonly number[]): Sheet => {
        const sheet = new Sheet(12, 2 * count + 1);
        for (const [i, length] of order.entries())
          sheet.rect({ x: 1, y: 2 * i + 1, width: length, height: 1 }, body).set(1, 2 * i + 1, mark);
        return sheet;
      };
      return { input: draw(lengths), output: draw(lengths.toSorted((a, b) => a - b)) };
    };
  },
  'upside down if it has a dot': (task) => {
    const [dot = 1, ...palette] = colours(task, 5);
    return treated(
      [13, 17],
      (draws) =>
        [true, true, false, false].map((hasDot) => {
          const object = shape(draws, 3, 4, one(draws, palette));
          return hasDot ? object.set(1, 0, dot) : object;
        }),
      (object) =>
        object.cells.includes(dot) ? object.map((x, y) => object.get(x, object.height - 1 - y)) : object,
    );
  },
};
