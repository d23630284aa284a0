import { motions } from '../../src/arc/grid/grid.ts';
import {
  between,
  blank,
  colours,
  countOf,
  one,
  painted,
  places,
  scene,
  shape,
  shapes,
  shuffled,
  Sheet,
  strew,
  treated,
  turnedBy,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/** Which objects change and how, said by their relation to others: rank, legend, neighbour, kind of shape. Grids keep their size. */

function middle({ x, y, width, height }: Box): readonly [number, number] {
  return [x + (width - 1) / 2, y + (height - 1) / 2];
}

/** A block with dots on it that do not touch each other. */
function dotted(dots: number, body: number, dot: number): Sheet {
  const sheet = new Sheet(5, 4, body);
  for (const [x, y] of [
    [1, 1],
    [3, 2],
    [3, 0],
    [0, 3],
  ].slice(0, dots) as [number, number][])
    sheet.set(x, y, dot);
  return sheet;
}

/** A ring, perhaps with a gap in it. */
function ring(width: number, height: number, colour: number, isOpen: boolean): Sheet {
  const sheet = new Sheet(width, height).frame({ x: 0, y: 0, width, height }, colour);
  return isOpen ? sheet.set(1, 0, 0) : sheet;
}

export const relationConcepts: Readonly<Record<string, Concept>> = {
  'take the colour of the mark at the end of the row': (task) => {
    const [body = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 14, 18), 15);
      const output = input.copy();
      const silent = draws.below(4);
      for (const [i, y] of [0, 4, 8, 12].entries()) {
        const mark = one(draws, palette);
        const high = between(draws, 2, 3);
        for (const x of [between(draws, 2, 4), between(draws, 8, 10)].slice(0, between(draws, 1, 2))) {
          const object = shape(draws, 3, high, body);
          input.paste(object, x, y);
          output.paste(object, x, y, i === silent ? body : mark);
        }
        if (i === silent) continue;
        const row = y + draws.below(2);
        for (const sheet of [input, output]) sheet.set(input.width - 1, row, mark);
      }
      return { input, output };
    };
  },
  'colour by rank of size': (task) => {
    const [body = 1, ...ranks] = colours(task, 5);
    return treated(
      [13, 17],
      (draws) => {
        const made = [
          shape(draws, 4, 4, body),
          shape(draws, 3, 3, body),
          shape(draws, 3, 2, body),
          shape(draws, 2, between(draws, 1, 2), body),
        ];
        return new Set(made.map(countOf)).size < 4 ? null : shuffled(draws, made);
      },
      (object, all) =>
        painted(object, ranks[all.filter((other) => countOf(other) > countOf(object)).length] as number),
    );
  },
  'the shape in the frame is meant': (task) => {
    const [body = 1, wall = 2, to = 3] = colours(task, 3);
    return (draws) => {
      const [meant, other, third] = shapes(draws, 3, 3, 3, body) as [Sheet, Sheet, Sheet];
      const framed = new Sheet(7, 7).frame({ x: 0, y: 0, width: 7, height: 7 }, wall).paste(meant, 2, 2);
      const objects = [framed, meant, meant, other, third, other];
      const drawn = scene(draws, [17, 20], objects);
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const { x, y } of drawn.boxes.slice(1, 3)) output.paste(meant, x, y, to);
      return { input: drawn.sheet, output };
    };
  },
  'a legend of shapes': (task) => {
    const [body = 1, wall = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const known = shapes(draws, 3, 3, 3, body);
      const keys = shuffled(draws, palette).slice(0, 3);
      const side = 13;
      const field = scene(
        draws,
        [side, side],
        shuffled(draws, [0, 0, 1, 1, 2]).map((i) => known[i] as Sheet),
      );
      if (field === null) return null;
      const input = new Sheet(side + 5, side)
        .rect({ x: 4, y: 0, width: 1, height: side }, wall)
        .paste(field.sheet, 5, 0);
      for (const [i, object] of known.entries()) input.paste(object, 0, 1 + 4 * i, keys[i]);
      const output = input.copy();
      for (const { x, y } of field.boxes) {
        const object = field.sheet.crop({ x, y, width: 3, height: 3 });
        const which = known.findIndex(({ cells }) => cells.join('') === object.cells.join(''));
        output.paste(object, x + 5, y, keys[which]);
      }
      return { input, output };
    };
  },
  'keep what has a dot, without it': (task) => {
    const [dot = 1, ...palette] = colours(task, 5);
    return treated(
      [13, 17],
      (draws) =>
        Array.from({ length: 5 }, (_, i) => {
          const block = new Sheet(between(draws, 3, 4), between(draws, 3, 4), one(draws, palette));
          return i < 2 ? block.set(1, between(draws, 1, 2), dot) : block;
        }),
      (object) => {
        const body = object.get(0, 0);
        return object.cells.includes(dot) ? painted(object, body) : null;
      },
    );
  },
  'colour by the number of dots': (task) => {
    const [body = 1, dot = 2, ...by] = colours(task, 5);
    return treated(
      [15, 19],
      (draws) => shuffled(draws, [1, 2, 3, 1, 2]).map((dots) => dotted(dots, body, dot)),
      (object) => {
        const dots = object.cells.filter((cell) => cell === dot).length;
        return object.map((_x, _y, cell) => (cell === dot ? dot : (by[dots - 1] as number)));
      },
    );
  },
  'the block with the most dots': (task) => {
    const [dot = 1, to = 2, ...palette] = colours(task, 6);
    return treated(
      [15, 19],
      (draws) => {
        const most = between(draws, 2, 4);
        const bodies = shuffled(draws, palette);
        return shuffled(draws, [most, most - 1, most - 1, Math.max(0, most - 2)]).map((dots, i) =>
          dotted(dots, bodies[i] as number, dot),
        );
      },
      (object, all) => {
        const dots = all.map(({ cells }) => cells.filter((cell) => cell === dot).length);
        const isMost = Math.max(...dots) === dots[all.indexOf(object)];
        return painted(object, isMost ? to : object.get(0, 1));
      },
    );
  },
  'the object nearest to the dot': (task) => {
    const [body = 1, dot = 2, to = 3] = colours(task, 3);
    return (draws) => {
      const objects = [
        new Sheet(1, 1, dot),
        ...Array.from({ length: 4 }, () => shape(draws, between(draws, 2, 3), 3, body)),
      ];
      const drawn = scene(draws, [13, 17], objects, { gap: 2 });
      if (drawn === null) return null;
      const [home, ...others] = drawn.boxes as [Box, ...Box[]];
      const far = others.map((box) => Math.hypot(middle(box)[0] - home.x, middle(box)[1] - home.y));
      const order = far.toSorted((a, b) => a - b);
      if ((order[1] as number) - (order[0] as number) < 2.5) return null;
      const nearest = far.indexOf(order[0] as number);
      const { x, y } = others[nearest] as Box;
      return {
        input: drawn.sheet,
        output: drawn.sheet.copy().paste(objects[nearest + 1] as Sheet, x, y, to),
      };
    };
  },
  'one side of the wall': (task) => {
    const [wall = 1, to = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const at = between(draws, 5, input.width - 6);
      const output = input.copy();
      const objects = Array.from({ length: 7 }, () =>
        shape(draws, between(draws, 2, 3), 2, one(draws, palette)),
      );
      const boxes = places(
        draws,
        input,
        objects.map(({ width, height }) => [width, height] as const),
      );
      let [kept, dropped] = [0, 0];
      for (const [i, box] of boxes.entries()) {
        const object = objects[i] as Sheet;
        if (box.width !== object.width || (box.x <= at && box.x + box.width >= at)) continue;
        input.paste(object, box.x, box.y);
        if (box.x > at) dropped++;
        else {
          kept++;
          output.paste(object, box.x, box.y, to);
        }
      }
      for (const sheet of [input, output]) sheet.rect({ x: at, y: 0, width: 1, height: input.height }, wall);
      return kept * dropped === 0 ? null : { input, output };
    };
  },
  'the highest and the lowest exchange colours': (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const own = shuffled(draws, palette);
      const objects = Array.from({ length: 4 }, (_, i) =>
        shape(draws, 3, between(draws, 2, 3), own[i] as number),
      );
      const drawn = scene(draws, [13, 17], objects);
      if (drawn === null) return null;
      const order = [0, 1, 2, 3].sort((a, b) => (drawn.boxes[a] as Box).y - (drawn.boxes[b] as Box).y);
      const [top = 0, , , low = 0] = order;
      const tops = order.map((i) => (drawn.boxes[i] as Box).y);
      const ends = drawn.boxes.map(({ y, height }) => y + height);
      if (
        tops[0] === tops[1] ||
        Math.max(...ends) !== ends[low] ||
        ends.filter((end) => end === ends[low]).length > 1 ||
        tops[2] === tops[3]
      )
        return null;
      const output = drawn.sheet.copy();
      for (const [i, from] of [
        [top, low],
        [low, top],
      ] as const)
        output.paste(objects[i] as Sheet, (drawn.boxes[i] as Box).x, (drawn.boxes[i] as Box).y, own[from]);
      return { input: drawn.sheet, output };
    };
  },
  'solid rectangles and the rest': (task) => {
    const [body = 1, solid = 2, rest = 3] = colours(task, 3);
    return treated(
      [14, 18],
      (draws) => [
        ...Array.from({ length: 3 }, () => new Sheet(between(draws, 2, 4), between(draws, 2, 3), body)),
        ...Array.from({ length: 3 }, () => {
          const object = shape(draws, 3, 3, body);
          return countOf(object) === 9 ? object.set(0, 0, 0) : object;
        }),
      ],
      (object) => painted(object, countOf(object) === object.width * object.height ? solid : rest),
    );
  },
  'closed rings are filled, open ones vanish': (task) => {
    const [inner = 1, ...palette] = colours(task, 5);
    return treated(
      [15, 19],
      (draws) =>
        [false, false, true, true].map((isOpen) =>
          ring(between(draws, 4, 6), between(draws, 4, 5), one(draws, palette), isOpen),
        ),
      (object) => {
        if (object.get(1, 0) === 0) return null;
        return object.map((_x, _y, cell) => cell || inner);
      },
    );
  },
  'the shape of the corner, however turned': (task) => {
    const [body = 1, key = 2] = colours(task, 2);
    return (draws) => {
      const [meant, other, third] = shapes(draws, 3, 3, 2, body) as [Sheet, Sheet, Sheet];
      const field = [meant, other, meant, third, other].map((object) =>
        turnedBy(object, one(draws, motions)),
      );
      const drawn = scene(draws, [16, 19], [painted(meant, key), ...field], { margin: 1 });
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const i of [1, 3])
        output.paste(field[i - 1] as Sheet, (drawn.boxes[i] as Box).x, (drawn.boxes[i] as Box).y, key);
      return { input: drawn.sheet, output };
    };
  },
  'holes by their size': (task) => {
    const [body = 1, ...by] = colours(task, 4);
    return treated(
      [16, 20],
      (draws) =>
        shuffled(draws, [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 2],
          [1, 1],
        ] as const).map(([width, height]) =>
          new Sheet(width + between(draws, 2, 4), height + between(draws, 2, 3), body).rect(
            { x: 1, y: 1, width, height },
            0,
          ),
        ),
      (object) => {
        const empty = object.width * object.height - countOf(object);
        return object.map((_x, _y, cell) => cell || (by[empty === 4 ? 2 : empty - 1] as number));
      },
    );
  },
  'the one that looks another way': (task) => {
    const [body = 1, to = 2] = colours(task, 2);
    return (draws, index) => {
      const object = shape(draws, 3, 4, body);
      const [way, odd] = shuffled(draws, motions) as [(typeof motions)[number], (typeof motions)[number]];
      const [common, other] = [turnedBy(object, way), turnedBy(object, odd)];
      if (common.cells.join('') === other.cells.join('')) return null;
      return treated(
        [15, 18],
        () => [other, common, common, common, common],
        (each, _all, i) => painted(each, i === 0 ? to : body),
      )(draws, index);
    };
  },
  'as often as its shape occurs': (task) => {
    const [body = 1, ...by] = colours(task, 4);
    return (draws, index) => {
      const [a, b, c] = shapes(draws, 3, 3, 2, body) as [Sheet, Sheet, Sheet];
      return treated(
        [15, 18],
        () => [a, a, a, b, b, c],
        (_object, all, i) => painted(all[i] as Sheet, by[i < 3 ? 2 : i < 5 ? 1 : 0] as number),
      )(draws, index);
    };
  },
  'touching pairs take the colour of the larger': () => (draws) => {
    const all = colours(draws, 7);
    const pairs = [0, 1, 2].map((i) => {
      const small = between(draws, 1, 2);
      return new Sheet(3 + small, 3)
        .rect({ x: 0, y: 0, width: 3, height: 3 }, all[2 * i] as number)
        .rect({ x: 3, y: draws.below(2), width: small, height: 2 }, all[2 * i + 1] as number);
    });
    const alone = new Sheet(2, 2, all[6]);
    return treated(
      [14, 18],
      () => [...pairs.map((pair) => turnedBy(pair, one(draws, motions))), alone],
      (object, _all, i) => painted(object, i === 3 ? (all[6] as number) : (all[2 * i] as number)),
    )(draws, 0);
  },
  'dots in a box take its colour, others go': (task) => {
    const [dot = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = blank(draws, 14, 18);
      const boxes = places(draws, input, [
        [between(draws, 5, 7), 5],
        [5, between(draws, 5, 6)],
      ]);
      if (boxes.length < 2) return null;
      const own = shuffled(draws, palette);
      for (const [i, box] of boxes.entries()) input.frame(box, own[i] as number);
      const output = input.copy();
      strew(draws, input, dot, 9);
      let inside = 0;
      for (const [i, box] of boxes.entries()) {
        const inner = wider(box, -1);
        for (let cell = 0; cell < inner.width * inner.height; cell++) {
          const [x, y] = [inner.x + (cell % inner.width), inner.y + Math.floor(cell / inner.width)];
          if (draws.below(4) === 0) input.set(x, y, dot);
          if (input.get(x, y) !== dot) continue;
          inside++;
          output.set(x, y, own[i] as number);
        }
      }
      return inside < 2 ? null : { input, output };
    };
  },
};
