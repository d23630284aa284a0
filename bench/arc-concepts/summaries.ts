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
  strew,
  turnedBy,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/** Rules whose outputs say something about the input: orders, counts, differences, chosen and put together parts. */

/** Cells of a colour in a line, one below the other. */
function column(tones: readonly number[]): Sheet {
  return new Sheet(1, tones.length).map((_x, y) => tones[y] as number);
}

export const summaryConcepts: Readonly<Record<string, Concept>> = {
  'the panel that is there twice': (task) => {
    const [wall = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const forms = shapes(draws, 3, 4, 4, 1).map((form) => painted(form, one(draws, palette)));
      const [twin] = forms as [Sheet];
      const parts = shuffled(draws, [twin, ...forms]);
      const input = new Sheet(9, 9)
        .rect({ x: 4, y: 0, width: 1, height: 9 }, wall)
        .rect({ x: 0, y: 4, width: 9, height: 1 }, wall);
      for (const [i, part] of parts.entries()) input.paste(part, 5 * (i % 2), 5 * Math.floor(i / 2));
      return { input, output: twin };
    };
  },
  'the colours from the largest to the smallest': (task) => {
    const palette = colours(task, 7);
    return (draws) => {
      const own = shuffled(draws, palette);
      const objects = [
        shape(draws, 4, 4, own[0] as number),
        shape(draws, 3, 3, own[1] as number),
        shape(draws, 3, 2, own[2] as number),
        shape(draws, 2, 1, own[3] as number),
      ];
      const sizes = objects.map(countOf);
      if (sizes.some((size, i) => i > 0 && size >= (sizes[i - 1] as number))) return null;
      const count = between(draws, 3, 4);
      const drawn = scene(draws, [12, 16], objects.slice(0, count));
      return drawn === null ? null : { input: drawn.sheet, output: column(own.slice(0, count)) };
    };
  },
  'objects of each colour as bars': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const own = shuffled(draws, palette).slice(0, 3);
      const counts = shuffled(draws, [1, 2, 3, 4])
        .slice(0, 3)
        .sort((a, b) => b - a);
      const objects = own.flatMap((tone, i) =>
        Array.from({ length: counts[i] as number }, () => shape(draws, between(draws, 1, 3), 2, tone)),
      );
      const drawn = scene(draws, [15, 19], shuffled(draws, objects));
      if (drawn === null) return null;
      const output = new Sheet(counts[0] as number, 3);
      for (const [y, count] of counts.entries())
        output.rect({ x: 0, y, width: count, height: 1 }, own[y] as number);
      return { input: drawn.sheet, output };
    };
  },
  'nested frames read from outside in': () => (draws) => {
    const all = colours(draws, between(draws, 3, 4));
    const input = blank(draws, 13, 17);
    const side = 2 * all.length + between(draws, 1, 3);
    const [box] = places(draws, input, [[side, side + between(draws, 0, 2)]]);
    if (box === undefined) return null;
    for (const [depth, tone] of all.entries()) input.rect(wider(box, -depth), tone);
    return { input, output: column(all) };
  },
  'what both halves have when one is folded over': (task) => {
    const [left = 1, right = 2, wall = 3, result = 4] = colours(task, 4);
    return (draws) => {
      const [width, height] = [between(draws, 4, 6), between(draws, 5, 8)];
      const [a, b] = [left, right].map((tone) =>
        new Sheet(width, height).map(() => (draws.below(2) === 0 ? tone : 0)),
      ) as [Sheet, Sheet];
      const input = new Sheet(2 * width + 1, height)
        .paste(a, 0, 0)
        .paste(b, width + 1, 0)
        .rect({ x: width, y: 0, width: 1, height }, wall);
      return { input, output: a.map((x, y, cell) => (cell > 0 && b.get(width - 1 - x, y) > 0 ? result : 0)) };
    };
  },
  'the picture of large pixels': (task) => {
    const [noise = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const times = between(draws, 2, 4);
      const small = shape(draws, 4, 3, 1).map((_x, _y, cell) => (cell === 0 ? 0 : one(draws, palette)));
      const drawn = scene(draws, [17, 20], [enlarged(small, times)], { margin: 1 });
      if (drawn === null) return null;
      strew(draws, drawn.sheet, noise, 5);
      return { input: drawn.sheet, output: small };
    };
  },
  'between the four corners, in their colour': (task) => {
    const [body = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const [box] = places(draws, input, [[between(draws, 6, 8), between(draws, 6, 8)]], { margin: 1 });
      if (box === undefined) return null;
      const corner = one(draws, palette);
      const inner = wider(box, -1);
      const object = new Sheet(inner.width, inner.height).map(() => (draws.below(2) === 0 ? body : 0));
      for (let i = 0; i < 10; i++) input.set(draws.below(input.width), draws.below(input.height), body);
      input.rect(box, 0).paste(object, inner.x, inner.y);
      for (const x of [box.x, box.x + box.width - 1])
        for (const y of [box.y, box.y + box.height - 1]) input.set(x, y, corner);
      return { input, output: painted(object, corner) };
    };
  },
  'the difference of two counts as a bar': (task) => {
    const [a = 1, b = 2] = colours(task, 2);
    return (draws, index) => {
      const input = blank(draws, 10, 13);
      const [less, more] = [between(draws, 2, 3), between(draws, 1, 3) + (index % 2)];
      const strewn = strew(draws, input, a, less + more).length + strew(draws, input, b, less).length;
      return strewn < 2 * less + more ? null : { input, output: new Sheet(more, 1, a) };
    };
  },
  'a diagonal as long as there are objects': (task) => {
    const [body = 1, noise = 2] = colours(task, 2);
    return (draws, index) => {
      const count = 2 + ((index + 1) % 4);
      const drawn = scene(
        draws,
        [14, 18],
        Array.from({ length: count }, () => shape(draws, 3, between(draws, 2, 3), body)),
      );
      if (drawn === null) return null;
      strew(draws, drawn.sheet, noise, between(draws, 2, 5));
      return { input: drawn.sheet, output: new Sheet(count, count).map((x, y) => (x === y ? body : 0)) };
    };
  },
  'frames put into each other': () => (draws) => {
    const all = colours(draws, 3);
    const frames = [7, 5, 3].map((side, i) =>
      new Sheet(side, side).frame({ x: 0, y: 0, width: side, height: side }, all[i] as number),
    );
    const drawn = scene(draws, [15, 19], shuffled(draws, frames));
    if (drawn === null) return null;
    const output = new Sheet(7, 7);
    for (const [i, frame] of frames.entries()) output.paste(frame, i, i);
    return { input: drawn.sheet, output };
  },
  'the one without a twin, twice as large': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const [single, a, b] = shapes(draws, 3, 3, 3, 1) as [Sheet, Sheet, Sheet];
      const objects = [single, a, a, b, b].map((form) => painted(form, one(draws, palette)));
      const drawn = scene(draws, [15, 19], objects);
      return drawn === null ? null : { input: drawn.sheet, output: enlarged(objects[0] as Sheet, 2) };
    };
  },
  'lines from the top of the heap to its ground': () => (draws) => {
    const all = colours(draws, between(draws, 3, 4));
    const input = blank(draws, 11, 15);
    const rows = shuffled(draws, [1, 3, 5, 7, 9]);
    for (const [i, tone] of all.toReversed().entries()) {
      const at = rows[i] as number;
      const isFlat = (all.length - 1 - i) % 2 === 0;
      input.rect(
        isFlat
          ? { x: 0, y: at, width: input.width, height: 1 }
          : { x: at, y: 0, width: 1, height: input.height },
        tone,
      );
    }
    return { input, output: column(all) };
  },
  'the main colour of every ninth': () => (draws) => {
    const side = between(draws, 4, 5);
    const all = colours(draws, 4);
    const output = new Sheet(3, 3).map(() => one(draws, all));
    const input = new Sheet(3 * side, 3 * side).map((x, y) =>
      draws.below(4) === 0 ? one(draws, all) : output.get(Math.floor(x / side), Math.floor(y / side)),
    );
    return { input, output };
  },
  'as many copies as there are dots': (task) => {
    const [dot = 1, ...palette] = colours(task, 5);
    return (draws, index) => {
      const count = 2 + ((index + 2) % 4);
      const object = new Sheet(3, 3).map(() => one(draws, palette));
      const drawn = scene(draws, [12, 16], [object]);
      if (drawn === null || strew(draws, drawn.sheet, dot, count).length < count) return null;
      return { input: drawn.sheet, output: new Sheet(3 * count, 3).map((x, y) => object.get(x % 3, y)) };
    };
  },
  'the panel with the most kinds, mirrored': (task) => {
    const [wall = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const order = shuffled(draws, [4, 2, 3]);
      const parts = order.map((kinds) => {
        const own = shuffled(draws, palette).slice(0, kinds);
        return new Sheet(4, 5).map(
          (x, y) => own[(x + 4 * y) % kinds === 0 ? (x + y) % kinds : draws.below(kinds)] as number,
        );
      });
      if (parts.some((part, i) => new Set(part.cells).size !== order[i])) return null;
      const input = new Sheet(14, 5)
        .rect({ x: 4, y: 0, width: 1, height: 5 }, wall)
        .rect({ x: 9, y: 0, width: 1, height: 5 }, wall);
      for (const [i, part] of parts.entries()) input.paste(part, 5 * i, 0);
      return { input, output: turnedBy(parts[order.indexOf(4)] as Sheet, 'flip-left-right') };
    };
  },
  'what the window shows, mended': () => (draws) => {
    const half = between(draws, 6, 8);
    const all = colours(draws, 5);
    const [mask = 1, ...tones] = all;
    const part = new Sheet(half, half).map(() => one(draws, tones));
    const whole = new Sheet(2 * half, 2 * half).map((x, y) =>
      part.get(Math.min(x, 2 * half - 1 - x), Math.min(y, 2 * half - 1 - y)),
    );
    const window: Box = {
      x: draws.below(half - 4),
      y: draws.below(2 * half - 3),
      width: between(draws, 3, 5),
      height: 3,
    };
    return { input: whole.copy().rect(window, mask), output: whole.crop(window) };
  },
};
