import {
  between,
  colours,
  enlarged,
  one,
  painted,
  places,
  shape,
  shuffled,
  Sheet,
  strew,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules of two thoughts: choose and change, move and draw, count and size, compare and copy. */

function boxed(sheet: Sheet, { x, y }: Box): readonly [sheet: Sheet, x: number, y: number] {
  return [sheet, x, y];
}

/** Square rings, the outermost first. */
function rings(order: readonly number[]): Sheet {
  const side = 2 * order.length;
  return new Sheet(side, side).map((x, y) => order[Math.min(x, y, side - 1 - x, side - 1 - y)] as number);
}

export const jointConcepts: Readonly<Record<string, Concept>> = {
  'crop the largest and take the colour of the dot': () => (draws) => {
    const [a = 1, b = 2, dot = 3] = colours(draws, 3);
    const input = new Sheet(between(draws, 11, 14), between(draws, 11, 14));
    const objects = [shape(draws, 4, 4, a), shape(draws, 3, 2, b), new Sheet(1, 1, dot)];
    const boxes = places(
      draws,
      input,
      objects.map(({ width, height }) => [width, height] as const),
    );
    if (boxes.length < 3) return null;
    for (const [i, box] of boxes.entries()) input.paste(...boxed(objects[i] as Sheet, box));
    return { input, output: painted(objects[0] as Sheet, dot) };
  },
  'crop the object and enlarge it': () => (draws) => {
    const [a = 1] = colours(draws, 1);
    const input = new Sheet(between(draws, 8, 12), between(draws, 8, 12));
    const object = shape(draws, between(draws, 2, 4), between(draws, 2, 4), a);
    const [box] = places(draws, input, [[object.width, object.height]]);
    if (box === undefined) return null;
    return { input: input.paste(...boxed(object, box)), output: enlarged(object, 2) };
  },
  'crop and mirror beside it': () => (draws) => {
    const all = colours(draws, 3);
    const input = new Sheet(between(draws, 8, 12), between(draws, 8, 12));
    const object = new Sheet(3, 3).map(() => one(draws, all));
    const [box] = places(draws, input, '3x3');
    if (box === undefined) return null;
    const output = new Sheet(6, 3).map((x, y) => object.get(Math.min(x, 5 - x), y));
    return { input: input.paste(...boxed(object, box)), output };
  },
  'colour ranks by height': (task) => {
    const [body = 1, ...ranks] = colours(task, 5);
    return (draws) => {
      const heights = shuffled(draws, [2, 3, 4, 5, 6, 7]).slice(0, 4);
      const order = heights.toSorted((a, b) => b - a);
      const draw = (colourOf: (height: number) => number): Sheet => {
        const sheet = new Sheet(9, 9);
        for (const [i, height] of heights.entries())
          sheet.rect({ x: 1 + 2 * i, y: 9 - height, width: 1, height }, colourOf(height));
        return sheet;
      };
      return { input: draw(() => body), output: draw((height) => ranks[order.indexOf(height)] as number) };
    };
  },
  'fill between two blocks': (task) => {
    const [fill = 1] = colours(task, 1);
    return (draws) => {
      const [a = 2, b = 3] = colours(draws, 9).filter((colour) => colour !== fill);
      const input = new Sheet(between(draws, 12, 15), between(draws, 9, 12));
      const left = { x: draws.below(2), y: draws.below(3), width: 3, height: between(draws, 4, 6) };
      const right = { x: input.width - 4, y: between(draws, 1, 3), width: 3, height: between(draws, 4, 6) };
      input.rect(left, a).rect(right, b);
      const top = Math.max(left.y, right.y);
      const bottom = Math.min(left.y + left.height, right.y + right.height);
      const output = input.copy();
      output.rect({ x: left.x + 3, y: top, width: right.x - left.x - 3, height: bottom - top }, fill);
      return { input, output };
    };
  },
  'keep what occurs twice': (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 12, 15), between(draws, 12, 15));
      const [twin, other, third] = [shape(draws, 3, 3, 1), shape(draws, 3, 2, 1), shape(draws, 2, 3, 1)];
      const objects = [twin, twin, other, third].map((object) => painted(object, one(draws, palette)));
      const boxes = places(
        draws,
        input,
        objects.map(({ width, height }) => [width, height] as const),
      );
      if (boxes.length < 4) return null;
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        input.paste(...boxed(objects[i] as Sheet, box));
        if (i < 2) output.paste(...boxed(objects[i] as Sheet, box));
      }
      return { input, output };
    };
  },
  'go to the wall of the same colour': (task) => {
    const [up = 1, down = 2, noise = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 9, 13), between(draws, 10, 13));
      for (const [y, colour] of [
        [0, up],
        [input.height - 1, down],
      ] as const)
        input.rect({ x: 0, y, width: input.width, height: 1 }, colour);
      const output = input.copy();
      for (const x of shuffled(
        draws,
        Array.from({ length: input.width }, (_, i) => i),
      ).slice(0, 5)) {
        const colour = one(draws, [up, down, noise]);
        input.set(x, between(draws, 3, input.height - 4), colour);
        if (colour !== noise) output.set(x, colour === up ? 1 : input.height - 2, colour);
      }
      return { input, output };
    };
  },
  'ray towards the other dot of its colour only': () => (draws) => {
    const [a = 1, b = 2, c = 3] = colours(draws, 3);
    const input = new Sheet(between(draws, 11, 14), between(draws, 11, 14));
    const output = input.copy();
    const [row = 1, lower = 5] = shuffled(draws, [1, 4, 7]);
    const column = between(draws, 8, input.width - 1);
    for (const sheet of [input, output])
      sheet
        .set(1, row, a)
        .set(6, row, a)
        .set(2, lower, b)
        .set(7, lower, c)
        .set(column, 0, c)
        .set(column, 9, c);
    output.rect({ x: 1, y: row, width: 6, height: 1 }, a).rect({ x: column, y: 0, width: 1, height: 10 }, c);
    return { input, output };
  },
  'dotted line to the edge': (task) => {
    const palette = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 10, 14), between(draws, 8, 12));
      for (const y of [1, 4, 6].slice(0, between(draws, 1, 3)))
        input.set(draws.below(4), y, one(draws, palette));
      const output = input.copy();
      for (const [i, cell] of input.cells.entries())
        if (cell !== 0)
          for (let x = (i % input.width) + 2; x < input.width; x += 2)
            output.set(x, Math.floor(i / input.width), cell);
      return { input, output };
    };
  },
  'frame in the colour of the odd cell': () => (draws) => {
    const [body = 1, odd = 2] = colours(draws, 2);
    const input = new Sheet(between(draws, 9, 12), between(draws, 9, 12));
    const [box] = places(draws, input, [[between(draws, 4, 6), between(draws, 4, 6)]], { margin: 1 });
    if (box === undefined) return null;
    input.rect(box, body).set(box.x + between(draws, 1, 2), box.y + between(draws, 1, 2), odd);
    return {
      input,
      output: input
        .copy()
        .frame({ x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 }, odd),
    };
  },
  'corners of the block fly apart': () => (draws) => {
    const all = colours(draws, 4);
    const input = new Sheet(between(draws, 8, 11), between(draws, 8, 11));
    const [box] = places(draws, input, '2x2', { margin: 2 });
    if (box === undefined) return null;
    for (const [i, colour] of all.entries()) input.set(box.x + (i % 2), box.y + Math.floor(i / 2), colour);
    const output = input.copy();
    for (const [i, colour] of all.entries())
      output.rect(
        { x: box.x + (i % 2 === 0 ? -2 : 2), y: box.y + (i < 2 ? -2 : 2), width: 2, height: 2 },
        colour,
      );
    return { input, output };
  },
  'one cell a panel': (task) => {
    const [wall = 1, mark = 2, result = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(11, 11);
      for (const at of [3, 7])
        input
          .rect({ x: at, y: 0, width: 1, height: 11 }, wall)
          .rect({ x: 0, y: at, width: 11, height: 1 }, wall);
      const output = new Sheet(3, 3);
      for (let i = 0; i < 9; i++) {
        const count = draws.below(4);
        const cells = shuffled(draws, [0, 1, 2, 3, 4, 5, 6, 7, 8]).slice(0, count);
        for (const cell of cells)
          input.set(4 * (i % 3) + (cell % 3), 4 * Math.floor(i / 3) + Math.floor(cell / 3), mark);
        if (count >= 2) output.set(i % 3, Math.floor(i / 3), result);
      }
      return { input, output };
    };
  },
  'the odd panel': () => (draws) => {
    const [a = 1, wall = 2] = colours(draws, 2);
    const [common, odd] = [shape(draws, 3, 3, a), shape(draws, 3, 3, a)];
    const place = draws.below(4);
    const input = new Sheet(15, 3).rect({ x: 3, y: 0, width: 1, height: 3 }, wall);
    for (let i = 0; i < 4; i++) {
      input.paste(i === place ? odd : common, 4 * i, 0);
      input.rect({ x: 4 * i + 3, y: 0, width: 1, height: 3 }, wall);
    }
    return common.cells.join('') === odd.cells.join('') ? null : { input, output: odd };
  },
  'tile as often as there are colours': () => (draws) => {
    const count = between(draws, 2, 4);
    const all = colours(draws, count);
    const input = new Sheet(2, 2).map((x, y) =>
      x + 2 * y < count ? (all[x + 2 * y] as number) : one(draws, all),
    );
    return { input, output: new Sheet(2 * count, 2).map((x, y) => input.get(x % 2, y)) };
  },
  'objects side by side by size': () => (draws) => {
    const all = colours(draws, 3);
    const widths = shuffled(draws, [1, 2, 3]);
    const input = new Sheet(between(draws, 10, 13), between(draws, 10, 13));
    const boxes = places(
      draws,
      input,
      widths.map((width) => [width, 2] as const),
    );
    if (boxes.length < 3) return null;
    for (const [i, box] of boxes.entries()) input.rect(box, all[i] as number);
    const order = [...widths.keys()].sort((a, b) => (widths[a] as number) - (widths[b] as number));
    const output = new Sheet(6, 2);
    let x = 0;
    for (const i of order) {
      output.rect({ x, y: 0, width: widths[i] as number, height: 2 }, all[i] as number);
      x += widths[i] as number;
    }
    return { input, output };
  },
  'noise in the picture of a symmetric thing': (task) => {
    const [noise = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const side = 2 * between(draws, 4, 5) + 1;
      const half = new Sheet((side + 1) / 2, side).map(() =>
        draws.below(3) === 0 ? one(draws, palette) : 0,
      );
      const output = new Sheet(side, side).map((x, y) => half.get(Math.min(x, side - 1 - x), y));
      const input = output.copy();
      for (const [box] of [places(draws, input, '3x3', { margin: 0 })])
        if (box !== undefined) input.rect({ ...box, x: Math.min(box.x, (side - 1) / 2 - 3) }, noise);
      return { input, output };
    };
  },
  'sort the colours of the rows': () => (draws) => {
    const all = colours(draws, between(draws, 3, 4));
    const lengths = shuffled(draws, [2, 3, 4, 5, 6]).slice(0, all.length);
    const draw = (order: readonly number[]): Sheet => {
      const sheet = new Sheet(7, all.length);
      for (const [y, i] of order.entries())
        sheet.rect({ x: 0, y, width: lengths[i] as number, height: 1 }, all[i] as number);
      return sheet;
    };
    const plain = [...all.keys()];
    return {
      input: draw(plain),
      output: draw(plain.toSorted((a, b) => (lengths[b] as number) - (lengths[a] as number))),
    };
  },
  'shadow of every block': (task) => {
    const [shade = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = new Sheet(between(draws, 11, 14), between(draws, 11, 14));
      const output = input.copy();
      const boxes = places(draws, input, '2x2 3x2 2x3', { gap: 2, margin: 1 });
      for (const box of boxes) {
        const colour = one(draws, palette);
        output.rect({ ...box, x: box.x + 1, y: box.y + 1 }, shade);
        input.rect(box, colour);
      }
      for (const [i, cell] of input.cells.entries()) if (cell !== 0) output.cells[i] = cell;
      return { input, output };
    };
  },
  'the number of objects as the size of a square': (task) => {
    const [body = 1, result = 2] = colours(task, 2);
    return (draws, index) => {
      const input = new Sheet(between(draws, 9, 12), between(draws, 9, 12));
      const count = index + 2;
      if (strew(draws, input, body, count).length < count) return null;
      return { input, output: new Sheet(count, count, result) };
    };
  },
  'cells beside the colour change': (task) => {
    const [from = 1, wall = 2, to = 3] = colours(task, 3);
    return (draws) => {
      const input = new Sheet(between(draws, 9, 12), between(draws, 9, 12)).map(() =>
        draws.below(3) === 0 ? from : draws.below(6) === 0 ? wall : 0,
      );
      const output = input.map((x, y, cell) =>
        cell === from &&
        [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ].some(([dx = 0, dy = 0]) => input.get(x + dx, y + dy) === wall)
          ? to
          : cell,
      );
      return { input, output };
    };
  },
  'bars as long as there are colours': (task) => {
    const [bar = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(12, between(draws, 10, 13));
      const output = input.copy();
      for (const x of [1, 5, 9]) {
        const count = between(draws, 2, 4);
        const own = shuffled(draws, palette).slice(0, count);
        const y = draws.below(4);
        for (const sheet of [input, output])
          for (let i = 0; i < 4; i++) sheet.set(x + (i % 2), y + Math.floor(i / 2), own[i % count] as number);
        output.rect({ x, y: y + 2, width: 2, height: count }, bar);
      }
      return { input, output };
    };
  },
  'mark the middle between two dots': (task) => {
    const [dot = 1, mark = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(between(draws, 11, 15), between(draws, 9, 13));
      const y = between(draws, 1, input.height - 2);
      const from = draws.below(3);
      const half = between(draws, 2, 4);
      input.set(from, y, dot).set(from + 2 * half, y, dot);
      const output = input.copy().set(from + half, y, mark);
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const)
        output.set(from + half + dx, y + dy, mark);
      return { input, output };
    };
  },
  'the pattern on every mark behind the wall': (task) => {
    const [wall = 1, mark = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(13, 9).rect({ x: 3, y: 0, width: 1, height: 9 }, wall);
      const pattern = new Sheet(3, 3).map(() => one(draws, palette));
      input.paste(pattern, 0, 0);
      const output = input.copy();
      for (const place of shuffled(draws, [0, 1, 2, 3, 4, 5, 6, 7, 8]).slice(0, between(draws, 2, 5))) {
        const [x, y] = [4 + 3 * (place % 3), 3 * Math.floor(place / 3)];
        input.set(x + 1, y + 1, mark);
        output.paste(pattern, x, y);
      }
      return { input, output };
    };
  },
  'rings from the inside out': () => (draws) => {
    const all = colours(draws, between(draws, 2, 5));
    return { input: rings(all), output: rings(all.toReversed()) };
  },
};
