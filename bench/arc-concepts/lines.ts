import { between, colours, one, places, shape, shuffled, Sheet, strew, type Concept } from './sheet.ts';

/** Rules that draw: lines, rays, copies at marks, continued and completed patterns. Grids keep their size. */

function line(
  sheet: Sheet,
  x: number,
  y: number,
  dx: number,
  dy: number,
  colour: number,
  stop: (cell: number) => boolean,
): void {
  for (
    let [column, row] = [x + dx, y + dy];
    sheet.has(column, row) && !stop(sheet.get(column, row));
    column += dx, row += dy
  )
    sheet.set(column, row, colour);
}

export const lineConcepts: Readonly<Record<string, Concept>> = {
  'join cells in line': (task) => {
    const [dot = 1, join = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 10, 14), between(draws, 10, 14));
      const output = input.copy();
      for (const y of shuffled(draws, [1, 4, 7]).slice(0, 2)) {
        const from = between(draws, 0, 3);
        const to = between(draws, from + 3, input.width - 1);
        for (const sheet of [input, output]) sheet.set(from, y, dot).set(to, y, dot);
        output.rect({ x: from + 1, y, width: to - from - 1, height: 1 }, join);
      }
      return { input, output };
    };
  },
  'join cells of one colour': () => (draws) => {
    const input = new Sheet(between(draws, 11, 15), between(draws, 11, 15));
    const output = input.copy();
    const all = colours(draws, 3);
    const rows = shuffled(draws, [1, 4, 8]);
    for (const [i, colour] of all.entries()) {
      const from = between(draws, 0, 3);
      const to = between(draws, from + 3, input.width - 1);
      input.set(from, rows[i] as number, colour).set(to, rows[i] as number, colour);
      output.rect({ x: from, y: rows[i] as number, width: to - from + 1, height: 1 }, colour);
    }
    return { input, output };
  },
  'ray to the obstacle': (task) => {
    const [source = 1, wall = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 10, 14), between(draws, 10, 14));
      strew(draws, input, wall, 5);
      strew(draws, input, source, 4);
      const output = input.copy();
      for (const [i, cell] of input.cells.entries())
        if (cell === source)
          line(output, i % input.width, Math.floor(i / input.width), 1, 0, source, (met) => met === wall);
      return { input, output };
    };
  },
  'rays both ways, drawn in another colour': (task) => {
    const [source = 1, paint = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 9, 13), between(draws, 9, 13));
      const strewn = strew(draws, input, source, 2);
      const output = input.copy();
      for (const [x, y] of strewn)
        for (const dx of [1, -1]) line(output, x, y, dx, 0, paint, (met) => met === source);
      return { input, output };
    };
  },
  'ray that bounces': (task) => {
    const [source = 1] = colours(task, 1);
    return (draws) => {
      const input = new Sheet(between(draws, 5, 8), between(draws, 12, 16));
      const output = input.copy();
      let x = draws.below(input.width);
      input.set(x, 0, source);
      for (let y = 0, dx = 1; y < input.height; y++, x += dx) {
        output.set(x, y, source);
        if (!input.has(x + dx, 0)) dx = -dx;
      }
      return { input, output };
    };
  },
  'rays from corners': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 11, 15), between(draws, 11, 15));
      const [box] = places(draws, input, '2x2', { margin: 3 });
      if (box === undefined) return null;
      const colour = one(draws, palette);
      input.rect(box, colour);
      const output = input.copy();
      for (const dx of [-1, 1])
        for (const dy of [-1, 1])
          line(output, box.x + (dx > 0 ? 1 : 0), box.y + (dy > 0 ? 1 : 0), dx, dy, colour, () => false);
      return { input, output };
    };
  },
  'crosses that meet': (task) => {
    const [upright = 1, across = 2, meeting = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 9, 14), between(draws, 9, 14));
      const [x, y] = [draws.below(input.width), draws.below(input.height)];
      input
        .set(x, draws.below(2) * (input.height - 1), upright)
        .set(draws.below(2) * (input.width - 1), y, across);
      const output = new Sheet(input.width, input.height)
        .rect({ x, y: 0, width: 1, height: input.height }, upright)
        .rect({ x: 0, y, width: input.width, height: 1 }, across)
        .set(x, y, meeting);
      return x === 0 || y === 0 || x === input.width - 1 || y === input.height - 1 ? null : { input, output };
    };
  },
  'box from two corners': (task) => {
    const [corner = 1, inside = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 10, 14), between(draws, 10, 14));
      const output = input.copy();
      for (const box of places(draws, input, [
        [between(draws, 3, 5), between(draws, 3, 5)],
        [between(draws, 3, 5), 4],
      ])) {
        const [right, bottom] = [box.x + box.width - 1, box.y + box.height - 1];
        output.rect(box, inside);
        for (const sheet of [input, output])
          for (const [x, y] of [
            [box.x, box.y],
            [right, box.y],
            [box.x, bottom],
            [right, bottom],
          ] as const)
            sheet.set(x, y, corner);
      }
      return { input, output };
    };
  },
  'copy the pattern to marks': (task) => {
    const [mark = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 17), between(draws, 13, 17));
      const pattern = new Sheet(3, 3).map(() => one(draws, palette)).set(1, 1, mark);
      const [home, ...marked] = places(draws, input, '3x3 3x3 3x3');
      if (home === undefined) return null;
      input.paste(pattern, home.x, home.y);
      const output = input.copy();
      for (const { x, y } of marked) {
        input.set(x + 1, y + 1, mark);
        output.paste(pattern, x, y);
      }
      return { input, output };
    };
  },
  'copy the shape in the colour of the mark': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 17), between(draws, 13, 17));
      const pattern = shape(draws, 3, 3, body).set(1, 1, body);
      const [home, ...marked] = places(draws, input, '3x3 3x3 3x3');
      if (home === undefined) return null;
      input.paste(pattern, home.x, home.y);
      const output = input.copy();
      const marks = colours(draws, 9).filter((colour) => colour !== body);
      for (const [i, { x, y }] of marked.entries()) {
        input.set(x + 1, y + 1, marks[i] as number);
        output.paste(pattern, x, y, marks[i]);
      }
      return { input, output };
    };
  },
  'a plus around every cell': (task) => {
    const [dot = 1, arm = 2, other = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 10, 14), between(draws, 10, 14));
      const output = input.copy();
      for (const [i, { x, y }] of places(draws, input, '3x3 3x3 3x3').entries()) {
        const colour = i === 2 ? other : dot;
        input.set(x + 1, y + 1, colour);
        output.set(x + 1, y + 1, colour);
        for (const [dx, dy] of i === 2
          ? ([
              [0, 0],
              [2, 0],
              [0, 2],
              [2, 2],
            ] as const)
          : ([
              [1, 0],
              [0, 1],
              [2, 1],
              [1, 2],
            ] as const))
          output.set(x + dx, y + dy, arm);
      }
      return { input, output };
    };
  },
  'go on with the stripes': () => (draws) => {
    const all = colours(draws, between(draws, 2, 3));
    const input = new Sheet(between(draws, 14, 18), between(draws, 5, 9));
    const output = input.map((x) => all[x % all.length] as number);
    for (let x = 0; x < 2 * all.length; x++)
      input.rect({ x, y: 0, width: 1, height: input.height }, all[x % all.length] as number);
    return { input, output };
  },
  'repeat the cells to the edge': () => (draws) => {
    const input = new Sheet(between(draws, 14, 20), between(draws, 6, 9));
    const output = input.copy();
    for (const y of [1, 4]) {
      const [a = 1, b = 2] = colours(draws, 2);
      const [from, gap] = [draws.below(3), between(draws, 2, 3)];
      input.set(from, y, a).set(from + gap, y, b);
      for (let x = from, i = 0; x < input.width; x += gap, i++) output.set(x, y, i % 2 === 0 ? a : b);
    }
    return { input, output };
  },
  'complete the mirror image': () => (draws) => {
    const half = shape(draws, 4, 6, 1);
    const [a = 1, b = 2] = colours(draws, 2);
    const whole = new Sheet(8, 6).map((x, y) =>
      half.get(Math.min(x, 7 - x), y) === 0 ? 0 : (x * y + y) % 3 === 0 && x === 7 - x ? b : a,
    );
    const input = new Sheet(between(draws, 11, 14), between(draws, 9, 12));
    const at = [draws.below(input.width - 7), draws.below(input.height - 5)] as const;
    const output = input.copy().paste(whole, ...at);
    input.paste(
      whole.map((x, _y, cell) => (x >= 4 ? 0 : cell)),
      ...at,
    );
    for (const sheet of [input, output]) sheet.rect({ x: at[0] + 3, y: at[1] + 2, width: 1, height: 2 }, b);
    for (let y = 2; y < 4; y++) output.set(at[0] + 4, at[1] + y, b);
    return { input, output };
  },
  'mend the symmetric picture': () => (draws) => {
    const size = 2 * between(draws, 5, 7);
    const all = colours(draws, 4);
    const quarter = new Sheet(size / 2, size / 2).map(() => one(draws, all));
    const output = new Sheet(size, size).map((x, y) =>
      quarter.get(Math.min(x, size - 1 - x), Math.min(y, size - 1 - y)),
    );
    const input = output.copy();
    for (const box of places(draws, input, '3x2 2x3', { gap: 2 }))
      input.rect({ ...box, x: Math.min(box.x, size / 2 - 2) }, 0);
    return { input, output };
  },
  'mend the periodic picture': () => (draws) => {
    const [wide, high] = [between(draws, 2, 4), between(draws, 2, 4)];
    const all = colours(draws, 5);
    const tile = new Sheet(wide, high).map(() => one(draws, all));
    const output = new Sheet(between(draws, 12, 16), between(draws, 12, 16)).map((x, y) =>
      tile.get(x % wide, y % high),
    );
    const input = output.copy();
    for (const box of places(draws, input, '4x3 3x4 2x2')) input.rect(box, 0);
    return { input, output };
  },
  'mirror at the line': (task) => {
    const [axis = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const side = between(draws, 4, 6);
      const input = new Sheet(2 * side + 1, between(draws, 7, 11)).rect(
        { x: side, y: 0, width: 1, height: 12 },
        axis,
      );
      const object = shape(draws, 3, 4, one(draws, palette));
      const at = [draws.below(side - 2), draws.below(input.height - 3)] as const;
      input.paste(object, ...at);
      const output = input.map((x, y, cell) => cell || Math.max(0, input.get(2 * side - x, y)));
      return { input, output };
    };
  },
  'fill from the seed': (task) => {
    const [wall = 1] = colours(task, 1);
    return (draws) => {
      const input = new Sheet(between(draws, 11, 14), between(draws, 11, 14));
      const boxes = places(draws, input, '5x5 5x4 4x5', { gap: 0 });
      const output = input.copy();
      const seeds = colours(draws, 9).filter((colour) => colour !== wall);
      for (const [i, box] of boxes.entries()) {
        const seed = seeds[i] as number;
        if (i > 0) output.rect(box, seed);
        output.frame(box, wall);
        input.frame(box, wall);
        if (i > 0) input.set(box.x + 1, box.y + between(draws, 1, box.height - 2), seed);
      }
      return boxes.length < 3 ? null : { input, output };
    };
  },
  'colour layers': (task) => {
    const [wall = 1, ...rings] = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 12, 16), between(draws, 12, 16));
      const boxes = places(draws, input, [
        [between(draws, 5, 7), between(draws, 6, 7)],
        [5, 5],
      ]);
      const output = input.copy();
      for (const box of boxes) {
        input.rect(box, wall);
        for (let depth = 0; 2 * depth < Math.min(box.width, box.height); depth++)
          output.rect(
            {
              x: box.x + depth,
              y: box.y + depth,
              width: box.width - 2 * depth,
              height: box.height - 2 * depth,
            },
            depth === 0 ? wall : (rings[(depth - 1) % 2] as number),
          );
      }
      return { input, output };
    };
  },
};
