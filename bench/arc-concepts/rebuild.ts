import { motions } from '../../src/arc/grid/grid.ts';
import {
  between,
  blank,
  colours,
  countOf,
  enlarged,
  one,
  painted,
  places,
  scene,
  shape,
  shapes,
  shuffled,
  Sheet,
  turnedBy,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules that complete or repeat a pattern: templates, unfolding, tables of panels, sequences, repairs. Grids keep their size. */

export const rebuildConcepts: Readonly<Record<string, Concept>> = {
  'every copy is made whole': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const [core = 1, ...rest] = shuffled(draws, palette);
      const whole = new Sheet(3, 3).map(() => (draws.below(4) === 0 ? 0 : one(draws, rest))).set(1, 1, core);
      const stub = new Sheet(3, 3).set(1, 1, core).set(0, 1, whole.get(0, 1)).set(1, 0, whole.get(1, 0));
      if (countOf(whole) < 6 || countOf(stub) < 2) return null;
      const drawn = scene(draws, [14, 18], [whole, stub, stub, stub]);
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const { x, y } of drawn.boxes) output.paste(whole, x, y);
      return { input: drawn.sheet, output };
    };
  },
  'the template on marks twice as large': (task) => {
    const [a = 1, b = 2, body = 3] = colours(task, 3);
    return (draws) => {
      const template = shape(draws, 3, 3, body).set(0, 0, a).set(2, 2, b).set(1, 1, body).set(1, 0, body);
      const marks = template.map((_x, _y, cell) => (cell === body ? 0 : cell));
      const objects = [template, enlarged(marks, 2), marks];
      const drawn = scene(draws, [15, 19], objects);
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const [i, times] of [
        [1, 2],
        [2, 1],
      ] as const)
        output.paste(enlarged(template, times), (drawn.boxes[i] as Box).x, (drawn.boxes[i] as Box).y);
      return { input: drawn.sheet, output };
    };
  },
  'unfold over the marked side': (task) => {
    const [hinge = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const objects = [0, 1].map(() => {
        const half = shape(draws, 3, 4, one(draws, palette)).rect({ x: 2, y: 0, width: 1, height: 4 }, hinge);
        const whole = new Sheet(5, 4).map((x, y) => half.get(Math.min(x, 4 - x), y));
        const motion = one(draws, motions);
        return { half: turnedBy(new Sheet(5, 4).paste(half, 0, 0), motion), whole: turnedBy(whole, motion) };
      });
      const drawn = scene(
        draws,
        [14, 18],
        objects.map(({ half }) => half),
      );
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const [i, { x, y }] of drawn.boxes.entries())
        output.paste((objects[i] as { whole: Sheet }).whole, x, y);
      return { input: drawn.sheet, output };
    };
  },
  'mirrored over the line in another colour': (task) => {
    const [axis = 1, from = 2, to = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const at = between(draws, 5, input.width - 6);
      input.rect({ x: at, y: 0, width: 1, height: input.height }, axis);
      for (const y of [1, 7])
        input.paste(
          shape(draws, 3, between(draws, 3, 5), from),
          between(draws, Math.max(0, at - 5), at - 3),
          y,
        );
      const output = input.map((x, y, cell) => (cell === 0 && input.get(2 * at - x, y) === from ? to : cell));
      return { input, output };
    };
  },
  'the bitten object is symmetric again': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const [a = 1, b = 2] = shuffled(draws, palette);
      const side = between(draws, 7, 9);
      const half = Math.ceil(side / 2);
      const quarter = shape(draws, half, half, a).map((x, y, cell) =>
        cell === 0 ? 0 : (x + 2 * y) % 3 === 0 ? b : a,
      );
      const whole = new Sheet(side, side).map((x, y) =>
        quarter.get(Math.min(x, side - 1 - x), Math.min(y, side - 1 - y)),
      );
      const input = blank(draws, side + 3, side + 7);
      const [box] = places(draws, input, [[side, side]]);
      if (box === undefined) return null;
      input.paste(whole, box.x, box.y);
      const output = input.copy();
      input.rect(
        { x: box.x + draws.below(half - 2), y: box.y + between(draws, 1, 2), width: 3, height: 2 },
        0,
      );
      return input.cells.join('') === output.cells.join('') ? null : { input, output };
    };
  },
  'squares grow along the diagonal': (task) => {
    const palette = colours(task, 3);
    return (draws, index) => {
      const side = [15, 10, 21, 15][index] as number;
      const output = new Sheet(side, side);
      const input = output.copy();
      const first = draws.below(3);
      for (let size = 1, at = 0; at < side; at += size, size++) {
        const colour = palette[(first + size) % 3] as number;
        output.rect({ x: at, y: at, width: size, height: size }, colour);
        if (size <= 3) input.rect({ x: at, y: at, width: size, height: size }, colour);
      }
      return { input, output };
    };
  },
  'the missing panel by row and column': (task) => {
    const [wall = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const forms = shapes(draws, 3, 3, 3, 1);
      const tones = shuffled(draws, palette).slice(0, 3);
      const output = new Sheet(11, 11);
      for (const at of [3, 7])
        output
          .rect({ x: at, y: 0, width: 1, height: 11 }, wall)
          .rect({ x: 0, y: at, width: 11, height: 1 }, wall);
      for (let i = 0; i < 9; i++)
        output.paste(forms[Math.floor(i / 3)] as Sheet, 4 * (i % 3), 4 * Math.floor(i / 3), tones[i % 3]);
      const hole = draws.below(9);
      return {
        input: output.copy().rect({ x: 4 * (hole % 3), y: 4 * Math.floor(hole / 3), width: 3, height: 3 }, 0),
        output,
      };
    };
  },
  'the pattern in every panel, in the colour of its dot': (task) => {
    const [wall = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const [across, down] = [between(draws, 2, 3), 3];
      const input = new Sheet(5 * across - 1, 5 * down - 1);
      for (let x = 4; x < input.width; x += 5) input.rect({ x, y: 0, width: 1, height: input.height }, wall);
      for (let y = 4; y < input.height; y += 5) input.rect({ x: 0, y, width: input.width, height: 1 }, wall);
      const output = input.copy();
      const pattern = shape(draws, 4, 4, 1);
      const shown = draws.below(across * down);
      for (let i = 0; i < across * down; i++) {
        const [x, y] = [5 * (i % across), 5 * Math.floor(i / across)];
        const tone = one(draws, palette);
        if (i === shown) {
          input.paste(pattern, x, y, tone);
          output.paste(pattern, x, y, tone);
        } else if (draws.below(3) > 0) {
          input.set(x + between(draws, 1, 2), y + between(draws, 1, 2), tone);
          output.paste(pattern, x, y, tone);
        }
      }
      return { input, output };
    };
  },
  'stripes under the noise': (task) => {
    const [noise = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const tones = shuffled(draws, palette);
      const wide = between(draws, 2, 3);
      const output = blank(draws, 12, 16).map((x) => tones[Math.floor(x / wide) % 4] as number);
      const input = output.map((_x, _y, cell) => (draws.below(6) === 0 ? noise : cell));
      return { input, output };
    };
  },
  'slanting stripes go on under the blots': () => (draws) => {
    const period = between(draws, 3, 5);
    const all = colours(draws, period + 1);
    const output = blank(draws, 13, 17).map((x, y) => all[(x + y) % period] as number);
    const input = output.copy();
    for (const box of places(draws, input, '4x4 3x5 5x2 3x3')) input.rect(box, all[period] as number);
    return { input, output };
  },
  'the frames are closed and their corners marked': (task) => {
    const [line = 1, mark = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const boxes = places(draws, input, [
        [between(draws, 5, 7), 5],
        [5, between(draws, 5, 6)],
        [4, 4],
      ]);
      if (boxes.length < 3) return null;
      const output = input.copy();
      for (const box of boxes) {
        const { x, y, width, height } = box;
        input.frame(box, line);
        output.frame(box, line);
        for (const [column, row] of [
          [x, y],
          [x + width - 1, y],
          [x, y + height - 1],
          [x + width - 1, y + height - 1],
        ] as const)
          output.set(column, row, mark);
        const gap = between(draws, 1, width - 2);
        input.set(x + gap, y + (draws.below(2) === 0 ? 0 : height - 1), 0);
      }
      return { input, output };
    };
  },
  'the shape drawn again, enlarged by its mark': (task) => {
    const [body = 1, twice = 2, thrice = 3] = colours(task, 3);
    return (draws) => {
      const times = between(draws, 2, 3);
      const object = shape(draws, 3, 3, body);
      const input = new Sheet(16, between(draws, 12, 15))
        .paste(object, 1, 1)
        .set(0, between(draws, 6, 10), times === 2 ? twice : thrice);
      return { input, output: input.copy().paste(enlarged(object, times), 6, 1) };
    };
  },
  'each quarter holds the object turned': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const half = between(draws, 5, 8);
      const object = shape(draws, 3, 3, one(draws, palette)).set(0, 0, one(draws, palette));
      const at = [draws.below(half - 2), draws.below(half - 2)] as const;
      const input = new Sheet(2 * half, 2 * half).paste(object, ...at);
      const side = 2 * half - 1;
      const output = input.map(
        (x, y) =>
          input.get(x, y) ||
          input.get(y, side - x) ||
          input.get(side - x, side - y) ||
          input.get(side - y, x) ||
          0,
      );
      return { input, output };
    };
  },
  'the smaller copy takes the colours of the larger': (task) => {
    const [grey = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const small = new Sheet(3, 3)
        .map(() => one(draws, palette))
        .map((x, y, cell) => (x === 0 && y === 2 ? 0 : cell));
      const drawn = scene(draws, [15, 19], [enlarged(small, 3), painted(small, grey)]);
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      const { x, y } = drawn.boxes[1] as Box;
      return { input: drawn.sheet, output: output.paste(small, x, y) };
    };
  },
};
