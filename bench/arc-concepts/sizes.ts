import {
  between,
  colours,
  countOf,
  one,
  places,
  shape,
  shuffled,
  Sheet,
  strew,
  type Concept,
} from './sheet.ts';

/** Rules whose outputs have another size: crops, panels, scaling, tiling, counts. */
type Logic = (a: boolean, b: boolean) => boolean;

/** Two panels beside each other, cell by cell. */
function panels(logic: Logic): Concept {
  return (task) => {
    const [left = 1, right = 2, wall = 3, result = 4] = colours(task, 4);
    return (draws) => {
      const [width, height] = [between(draws, 3, 5), between(draws, 3, 5)];
      const [a, b] = [left, right].map((colour) =>
        new Sheet(width, height).map(() => (draws.below(2) === 0 ? colour : 0)),
      ) as [Sheet, Sheet];
      const input = new Sheet(2 * width + 1, height)
        .paste(a, 0, 0)
        .paste(b, width + 1, 0)
        .rect({ x: width, y: 0, width: 1, height }, wall);
      const output = a.map((x, y, cell) => (logic(cell !== 0, b.get(x, y) !== 0) ? result : 0));
      return { input, output };
    };
  };
}

/** Several objects, of which one is cut out. */
function crop(
  make: (
    draws: Parameters<ReturnType<Concept>>[0],
    palette: readonly number[],
  ) => { objects: Sheet[]; chosen: number },
): Concept {
  return (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 17), between(draws, 13, 17));
      const { objects, chosen } = make(draws, palette);
      const order = shuffled(draws, [...objects.keys()]);
      const boxes = places(
        draws,
        input,
        order.map((i) => [(objects[i] as Sheet).width, (objects[i] as Sheet).height]),
      );
      if (boxes.length < objects.length) return null;
      for (const [i, { x, y }] of boxes.entries()) input.paste(objects[order[i] as number] as Sheet, x, y);
      return { input, output: objects[chosen] as Sheet };
    };
  };
}

export const sizeConcepts: Readonly<Record<string, Concept>> = {
  'both panels': panels((a, b) => a && b),
  'either panel': panels((a, b) => a || b),
  'one panel only': panels((a, b) => a !== b),
  'neither panel': panels((a, b) => !a && !b),
  'panels laid over each other': (task) => {
    const palette = colours(task, 4);
    const order = shuffled(task, [0, 1, 2, 3]);
    return (draws) => {
      const side = between(draws, 3, 4);
      const parts = palette.map((colour) =>
        new Sheet(side, side).map(() => (draws.below(2) === 0 ? colour : 0)),
      );
      const input = new Sheet(2 * side, 2 * side);
      for (const [i, part] of parts.entries()) input.paste(part, side * (i % 2), side * Math.floor(i / 2));
      const output = new Sheet(side, side);
      for (const i of order) output.paste(parts[i] as Sheet, 0, 0);
      return { input, output };
    };
  },
  'crop the largest': crop((draws, palette) => ({
    objects: [
      [4, 4],
      [3, 3],
      [2, 3],
      [2, 2],
    ].map(([width = 2, height = 2]) => shape(draws, width, height, one(draws, palette))),
    chosen: 0,
  })),
  'crop the most colourful': crop((draws, palette) => ({
    objects: [4, 2, 1].map((count) =>
      new Sheet(3, 3).map((x, y) =>
        x + 3 * y < count ? (palette[x + 3 * y] as number) : one(draws, palette.slice(0, count)),
      ),
    ),
    chosen: 0,
  })),
  'crop the one with the mark': crop((draws, palette) => {
    const [mark = 1, ...others] = palette;
    const objects = [
      [4, 3],
      [3, 3],
      [4, 4],
    ].map(([width = 3, height = 3]) => new Sheet(width, height, one(draws, others)));
    (objects[0] as Sheet).set(between(draws, 0, 3), between(draws, 0, 2), mark);
    return {
      objects: objects.map((object, i) => (i > 0 ? object.set(1, 1, one(draws, others)) : object)),
      chosen: 0,
    };
  }),
  'crop the odd shape': crop((draws, palette) => {
    const [common, odd] = [shape(draws, 3, 3, 1), shape(draws, 3, 3, 1)];
    const inColour = (sheet: Sheet): Sheet => {
      const colour = one(draws, palette);
      return sheet.map((_x, _y, cell) => (cell === 0 ? 0 : colour));
    };
    return { objects: [inColour(odd), inColour(common), inColour(common), inColour(common)], chosen: 0 };
  }),
  'crop the symmetric': crop((draws, palette) => {
    const make = (isEven: boolean): Sheet => {
      const colour = one(draws, palette);
      const half = shape(draws, 3, 4, colour);
      return isEven
        ? new Sheet(5, 4).map((x, y) => half.get(Math.min(x, 4 - x), y))
        : shape(draws, 4, 4, colour);
    };
    return { objects: [make(true), make(false), make(false)], chosen: 0 };
  }),
  'crop the inside of the frame': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = new Sheet(between(draws, 12, 16), between(draws, 12, 16)).map(() =>
        draws.below(4) === 0 ? one(draws, palette) : 0,
      );
      const [box] = places(draws, input, [[between(draws, 5, 8), between(draws, 5, 8)]], { margin: 1 });
      if (box === undefined) return null;
      input.frame(box, wall);
      return {
        input,
        output: input.crop({ x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 }),
      };
    };
  },
  'crop what was covered': (task) => {
    const [cover = 1, ...all] = colours(task, 6);
    return (draws) => {
      const side = 2 * between(draws, 5, 7);
      const quarter = new Sheet(side / 2, side / 2).map(() => one(draws, all));
      const whole = new Sheet(side, side).map((x, y) =>
        quarter.get(Math.min(x, side - 1 - x), Math.min(y, side - 1 - y)),
      );
      const [box] = places(draws, whole, [[between(draws, 2, 4), between(draws, 2, 4)]], { margin: 1 });
      if (box === undefined || box.x + box.width > side / 2) return null;
      return { input: whole.copy().rect(box, cover), output: whole.crop(box) };
    };
  },
  'enlarge by the number of colours': () => (draws) => {
    const all = colours(draws, between(draws, 2, 4));
    const input = new Sheet(3, 3).map((x, y) =>
      x + 3 * y < all.length ? (all[x + 3 * y] as number) : one(draws, [0, ...all]),
    );
    const times = all.length;
    const output = new Sheet(3 * times, 3 * times).map((x, y) =>
      input.get(Math.floor(x / times), Math.floor(y / times)),
    );
    return { input, output };
  },
  'tile with mirrors': () => (draws) => {
    const [wide, high] = [between(draws, 2, 4), between(draws, 2, 4)];
    const all = colours(draws, 3);
    const input = new Sheet(wide, high).map(() => one(draws, all));
    const output = new Sheet(3 * wide, 3 * high).map((x, y) => {
      const flipped = Math.floor(y / high) === 1;
      return input.get(flipped ? wide - 1 - (x % wide) : x % wide, y % high);
    });
    return { input, output };
  },
  'colours as bars, most first': () => (draws) => {
    const all = colours(draws, 3);
    const counts = shuffled(draws, [2, 3, 4, 5]).slice(0, 3);
    const input = new Sheet(between(draws, 9, 12), between(draws, 9, 12));
    for (const [i, colour] of all.entries()) strew(draws, input, colour, counts[i] as number);
    const bars = all
      .map((colour) => ({ colour, count: input.cells.filter((cell) => cell === colour).length }))
      .sort((a, b) => b.count - a.count);
    const output = new Sheet(Math.max(...bars.map(({ count }) => count)), 3);
    for (const [y, { colour, count }] of bars.entries())
      output.rect({ x: 0, y, width: count, height: 1 }, colour);
    return new Set(bars.map(({ count }) => count)).size < 3 ? null : { input, output };
  },
  'count the objects in a row': (task) => {
    const [body = 1, result = 2] = colours(task, 2);
    return (draws, index) => {
      const input = new Sheet(between(draws, 10, 13), between(draws, 10, 13));
      const boxes = places(
        draws,
        input,
        Array.from({ length: index + 1 }, () => [2, between(draws, 1, 3)] as const),
      );
      for (const box of boxes) input.rect(box, body);
      return { input, output: new Sheet(5, 1).map((x) => (x < boxes.length ? result : 0)) };
    };
  },
  'colours by place': () => (draws) => {
    const [wide, high] = [between(draws, 2, 3), between(draws, 2, 3)];
    const output = new Sheet(wide, high).map(() => one(draws, colours(draws, 9)));
    const input = new Sheet(5 * wide, 5 * high);
    for (const [i, colour] of output.cells.entries())
      input.rect(
        {
          x: 5 * (i % wide) + draws.below(2),
          y: 5 * Math.floor(i / wide) + draws.below(2),
          width: between(draws, 2, 3),
          height: 3,
        },
        colour,
      );
    return { input, output };
  },
  'the colour of most cells': () => (draws) => {
    const all = colours(draws, 3);
    const input = new Sheet(5, 5).map(() => one(draws, [...all, all[0] as number]));
    const counts = all.map((colour) => input.cells.filter((cell) => cell === colour).length);
    return counts[0] === counts[1] || counts[1] === counts[2] || counts[0] === counts[2]
      ? null
      : { input, output: new Sheet(2, 2, all[counts.indexOf(Math.max(...counts))]) };
  },
  'columns sorted': () => (draws) => {
    const width = between(draws, 4, 6);
    const heights = shuffled(draws, [1, 2, 3, 4, 5, 6]).slice(0, width);
    const [colour = 1] = colours(draws, 1);
    const draw = (bars: readonly number[]): Sheet =>
      new Sheet(width, 7).map((x, y) => (y >= 7 - (bars[x] as number) ? colour : 0));
    return { input: draw(heights), output: draw(heights.toSorted((a, b) => b - a)) };
  },
  'the panel with the most cells': (task) => {
    const [wall = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const side = between(draws, 3, 4);
      const parts = Array.from({ length: 4 }, () =>
        new Sheet(side, side).map(() => (draws.below(2) === 0 ? one(draws, palette) : 0)),
      );
      const input = new Sheet(2 * side + 1, 2 * side + 1)
        .rect({ x: side, y: 0, width: 1, height: 9 }, wall)
        .rect({ x: 0, y: side, width: 9, height: 1 }, wall);
      for (const [i, part] of parts.entries())
        input.paste(part, (side + 1) * (i % 2), (side + 1) * Math.floor(i / 2));
      const counts = parts.map(countOf);
      const most = Math.max(...counts);
      return counts.indexOf(most) === counts.lastIndexOf(most)
        ? { input, output: parts[counts.indexOf(most)] as Sheet }
        : null;
    };
  },
};
