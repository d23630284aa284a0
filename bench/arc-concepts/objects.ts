import {
  between,
  blank,
  colours,
  countOf,
  one,
  painted,
  places,
  shape,
  shuffled,
  sides,
  Sheet,
  strew,
  treated,
  wider,
  type Concept,
} from './sheet.ts';

/** Rules about objects: which is recoloured, dropped, outlined, filled, moved. Grids keep their size. */
/** Whether a sheet is its own mirror image across. */
function isEven(object: Sheet): boolean {
  return object.cells.every(
    (cell, i) => cell === object.get(object.width - 1 - (i % object.width), Math.floor(i / object.width)),
  );
}

/** A rectangle with this many single holes in a row. */
function holed(holes: number, colour: number): Sheet {
  const sheet = new Sheet(2 * holes + 1, 3).rect({ x: 0, y: 0, width: 2 * holes + 1, height: 3 }, colour);
  for (let i = 0; i < holes; i++) sheet.set(2 * i + 1, 1, 0);
  return holes === 0 ? new Sheet(3, 3).rect({ x: 0, y: 0, width: 3, height: 3 }, colour) : sheet;
}

export const objectConcepts: Readonly<Record<string, Concept>> = {
  'recolour the largest': (task) => {
    const [from = 1, to = 2] = colours(task, 2);
    return treated(
      [11, 14],
      (draws) => [4, 3, 2, 2].map((side, i) => shape(draws, side, i === 1 ? 2 : side, from)),
      (object, all) => painted(object, countOf(object) === Math.max(...all.map(countOf)) ? to : from),
    );
  },
  'recolour by size': (task) => {
    const [from = 1, ...to] = colours(task, 4);
    return treated(
      [11, 14],
      (draws) => shuffled(draws, [1, 2, 3, 3, 2]).map((side) => shape(draws, side, 1, from)),
      (object) => painted(object, to[countOf(object) - 1] as number),
    );
  },
  'recolour by holes': (task) => {
    const [from = 1, ...to] = colours(task, 4);
    return treated(
      [14, 18],
      (draws) => shuffled(draws, [1, 2, 3, 1]).map((holes) => holed(holes, from)),
      (object) => painted(object, to[(object.width - 1) / 2 - 1] as number),
    );
  },
  'recolour what has a hole': (task) => {
    const [from = 1, to = 2] = colours(task, 2);
    return treated(
      [13, 17],
      (draws) => [holed(0, from), holed(1, from), holed(2, from), shape(draws, 3, 2, from)],
      (object) => (object.get(1, 1) === 0 && object.height === 3 ? painted(object, to) : object),
    );
  },
  'recolour the odd shape': (task) => {
    const [from = 1, to = 2] = colours(task, 2);
    return treated(
      [11, 14],
      (draws) => {
        const [common, rare] = [shape(draws, 3, 3, from), shape(draws, 3, 2, from)];
        return [rare, common, common, common];
      },
      (object, _all, i) => painted(object, i === 0 ? to : from),
    );
  },
  'recolour the symmetric': (task) => {
    const [from = 1, to = 2] = colours(task, 2);
    return treated(
      [12, 15],
      (draws) => [
        ...Array.from({ length: 3 }, () => shape(draws, 3, 3, from)),
        ...[0, 1].map(() => {
          const half = shape(draws, 3, 3, from);
          return half.map(
            (x, y) => half.get(Math.min(x, 2 - x), y) || half.get(1, y) || (x === 1 ? from : 0),
          );
        }),
      ],
      (object) => painted(object, isEven(object) ? to : from),
    );
  },
  'recolour what touches': (task) => {
    const [from = 1, mark = 2, to = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 11, 14);
      const boxes = places(draws, input, '2x3 3x2 3x3 2x2', { gap: 2, margin: 1 });
      const output = input.copy();
      for (const [i, box] of boxes.entries()) {
        input.rect(box, from);
        output.rect(box, i % 2 === 0 ? to : from);
        if (i % 2 === 0) for (const sheet of [input, output]) sheet.set(box.x + box.width, box.y, mark);
      }
      return boxes.length < 3 ? null : { input, output };
    };
  },
  'drop the small': (task) => {
    const [colour = 1] = colours(task, 1);
    return (draws) => {
      const output = blank(draws, 10, 14);
      for (const box of places(draws, output, '3x4 4x2 3x3', { gap: 3 })) output.rect(box, colour);
      const input = output.copy();
      strew(draws, input, colour, 6);
      return { input, output };
    };
  },
  'drop what touches the edge': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const input = blank(draws, 11, 14);
      const output = input.copy();
      let [kept, dropped] = [0, 0];
      for (const box of places(draws, input, '2x3 3x2 3x3 2x2 3x2')) {
        const colour = one(draws, palette);
        const isAtEdge =
          box.x === 0 ||
          box.y === 0 ||
          box.x + box.width === input.width ||
          box.y + box.height === input.height;
        input.rect(box, colour);
        if (isAtEdge) dropped++;
        else {
          kept++;
          output.rect(box, colour);
        }
      }
      return kept * dropped === 0 ? null : { input, output };
    };
  },
  'outline objects': (task) => {
    const [line = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = blank(draws, 11, 15);
      const output = input.copy();
      for (const box of places(draws, input, '1x1 2x2 3x1', { gap: 3, margin: 1 })) {
        const colour = one(draws, palette);
        output.rect(wider(box), line).rect(box, colour);
        input.rect(box, colour);
      }
      return { input, output };
    };
  },
  'fill square rooms': (task) => {
    const [wall = 1, square = 2, oblong = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const output = input.copy();
      const boxes = places(
        draws,
        input,
        shuffled(draws, [
          [4, 4],
          [5, 5],
          [5, 4],
          [4, 6],
        ] as const),
        { gap: 1 },
      );
      for (const box of boxes) {
        output.rect(box, box.width === box.height ? square : oblong).frame(box, wall);
        input.frame(box, wall);
      }
      return boxes.length < 3 ? null : { input, output };
    };
  },
  'fill closed rooms': (task) => {
    const [wall = 1, inside = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 13, 17);
      const output = input.copy();
      const boxes = places(draws, input, '4x4 5x4 4x5', { gap: 1, margin: 1 });
      for (const [i, box] of boxes.entries()) {
        if (i > 0) output.rect(box, inside);
        for (const sheet of [input, output]) {
          sheet.frame(box, wall);
          if (i === 0) sheet.set(box.x + 1, box.y, 0);
        }
      }
      return boxes.length < 3 ? null : { input, output };
    };
  },
  'take the colour of what is inside': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 12, 15);
      const output = input.copy();
      const inner = colours(draws, 9).filter((colour) => colour !== body);
      for (const [i, box] of places(draws, input, '3x3 4x3 3x5').entries()) {
        const colour = inner[i] as number;
        input.rect(box, body).set(box.x + 1, box.y + 1, colour);
        output.rect(box, colour);
      }
      return { input, output };
    };
  },
  'take the colour of the header': (task) => {
    const [body = 1] = colours(task, 1);
    return (draws) => {
      const input = new Sheet(11, between(draws, 7, 11));
      const header = colours(draws, 9).filter((colour) => colour !== body);
      const output = input.copy();
      for (let i = 0; i < 3; i++) {
        const bar = { x: 4 * i, y: between(draws, 2, 4), width: 3, height: between(draws, 1, 3) };
        for (const sheet of [input, output])
          sheet.rect({ x: 4 * i, y: 0, width: 3, height: 1 }, header[i] as number);
        input.rect(bar, body);
        output.rect(bar, header[i] as number);
      }
      return { input, output };
    };
  },
  'recolour by a key': () => (draws) => {
    const all = colours(draws, 6);
    const input = blank(draws, 11, 14);
    const pairs = [0, 1, 2].map((i) => [all[2 * i], all[2 * i + 1]] as [number, number]);
    for (const [i, [from, to]] of pairs.entries()) input.set(0, i, from).set(1, i, to);
    const output = input.copy();
    const boxes = places(draws, input, '3x2 2x2 2x3 3x3', { margin: 3, gap: 0 });
    for (const [i, box] of boxes.entries()) {
      const [from, to] = pairs[i % 3] as [number, number];
      input.rect(box, from);
      output.rect(box, to);
    }
    return boxes.length < 3 ? null : { input, output };
  },
  'swap the two colours of each object': () => (draws) => {
    const input = blank(draws, 12, 15);
    const output = input.copy();
    const all = colours(draws, 6);
    for (const [i, box] of places(draws, input, '3x3 4x3 3x4').entries()) {
      const [a, b] = [all[2 * i] as number, all[2 * i + 1] as number];
      const inner = wider(box, -1);
      input.rect(box, a).rect(inner, b);
      output.rect(box, b).rect(inner, a);
    }
    return { input, output };
  },
  'hollow the solid': (task) => {
    const [core = 1, ...palette] = colours(task, 4);
    return treated(
      [12, 15],
      (draws) =>
        [
          [3, 3],
          [4, 5],
          [5, 3],
        ].map(([width = 3, height = 3]) => new Sheet(width, height, one(draws, palette))),
      (object) =>
        object.map((x, y, cell) =>
          x > 0 && y > 0 && x < object.width - 1 && y < object.height - 1 ? core : cell,
        ),
    );
  },
  'move to the wall': (task) => {
    const [wall = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const input = blank(draws, 10, 14);
      input.rect({ x: input.width - 2, y: 0, width: 1, height: input.height }, wall);
      const output = input.copy();
      const rows = shuffled(draws, [0, 3, 6]).slice(0, between(draws, 1, 3));
      for (const y of rows) {
        const object = shape(draws, 3, 2, one(draws, palette));
        let x = input.width - 5;
        input.paste(object, draws.below(input.width - 6), y);
        while (
          object.cells.every(
            (cell, i) => cell === 0 || output.get(x + 1 + (i % 3), y + Math.floor(i / 3)) === 0,
          )
        )
          x++;
        output.paste(object, x, y);
      }
      return { input, output };
    };
  },
  'fall until blocked': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 9, 12);
      const boxes = places(draws, input, '3x2 2x2 3x1 1x3');
      const output = input.copy();
      const objects = boxes.map((box, i) => ({ box, colour: palette[i] as number }));
      for (const { box, colour } of objects) input.rect(box, colour);
      for (const { box, colour } of objects.toSorted(
        (a, b) => b.box.y + b.box.height - a.box.y - a.box.height,
      )) {
        let { y } = box;
        const free = (row: number): boolean =>
          Array.from({ length: box.width }, (_, i) => output.get(box.x + i, row)).every((cell) => cell === 0);
        while (free(y + box.height)) y++;
        output.rect({ ...box, y }, colour);
      }
      return { input, output };
    };
  },
  'move one step by colour': (task) => {
    const palette = colours(task, 3);
    const way = shuffled(task, sides);
    return (draws) => {
      const input = blank(draws, 10, 13);
      const output = input.copy();
      for (const [i, box] of places(draws, input, '2x2 3x1 2x3', { gap: 3, margin: 1 }).entries()) {
        const [dx, dy] = way[i] as readonly [number, number];
        input.rect(box, palette[i] as number);
        output.rect({ ...box, x: box.x + dx, y: box.y + dy }, palette[i] as number);
      }
      return { input, output };
    };
  },
  'mirror each object': (task) => {
    const palette = colours(task, 4);
    return treated(
      [11, 14],
      (draws) => [3, 3, 3].map((side) => shape(draws, side, side, one(draws, palette))),
      (object) => object.map((x, y) => object.get(object.width - 1 - x, y)),
    );
  },
  'restore noisy blocks': (task) => {
    const [noise = 1, ...palette] = colours(task, 4);
    return (draws) => {
      const output = blank(draws, 12, 16);
      for (const box of places(draws, output, '5x5 4x6 6x4')) output.rect(box, one(draws, palette));
      const input = output.copy();
      for (let i = 0; i < 12; i++) input.set(draws.below(input.width), draws.below(input.height), noise);
      return { input, output };
    };
  },
};
