import { motions } from '../../src/arc/grid/grid.ts';
import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import {
  between,
  blank,
  cellsOf,
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
  sides,
  strew,
  treated,
  turnedBy,
  type Box,
  type Cell,
  type Concept,
} from './sheet.ts';

/** Rules of one thing and another: partners, models and copies, keys, counts that command, boxes and what they hold. */

/** The border of a box, clockwise from its corner. */
function border({ x, y, width, height }: Box): Cell[] {
  const [right, bottom] = [x + width - 1, y + height - 1];
  return [
    ...Array.from({ length: width - 1 }, (_, i): Cell => [x + i, y]),
    ...Array.from({ length: height - 1 }, (_, i): Cell => [right, y + i]),
    ...Array.from({ length: width - 1 }, (_, i): Cell => [right - i, bottom]),
    ...Array.from({ length: height - 1 }, (_, i): Cell => [x, bottom - i]),
  ];
}

function isSame(a: Sheet, b: Sheet): boolean {
  return a.width === b.width && a.cells.join('') === b.cells.join('');
}

function fillsBox(sheet: Sheet): boolean {
  const filled = cellsOf(sheet).filter((cell) => sheet.get(...cell) > 0);
  const spans = [0, 1].map((axis) => new Set(filled.map((cell) => cell[axis])).size);
  return spans[0] === sheet.width && spans[1] === sheet.height;
}

/** A shape that no turn and no mirror leaves as it is. */
function lopsided(draws: Draws, width: number, height: number, colour: number): Sheet {
  for (;;) {
    const next = shape(draws, width, height, colour);
    if (motions.slice(1).every((motion) => !isSame(turnedBy(next, motion), next))) return next;
  }
}

/** A balance on its post with weights on both sides. */
function beam(draws: Draws, wood: number, post: number, weight: number): Sheet {
  const half = between(draws, 2, 3);
  const object = new Sheet(2 * half + 1, 5)
    .rect({ x: 0, y: 3, width: 2 * half + 1, height: 1 }, wood)
    .set(half, 4, post);
  for (let x = 0; x < object.width; x++) {
    const height = x === half ? 0 : draws.below(4);
    object.rect({ x, y: 3 - height, width: 1, height }, weight);
  }
  return object;
}

/** The difference in number of weights between the left and the right side. */
function leaning(object: Sheet): number {
  const width = (object.width - 1) / 2;
  const [left = 0, right = 0] = [0, width + 1].map((x) =>
    countOf(object.crop({ x, y: 0, width, height: 3 })),
  );
  return left - right;
}

/** A block with this many holes, horizontal or vertical. */
function holed(draws: Draws, holes: number, colour: number): Sheet {
  const block = new Sheet(between(draws, 2 * holes + 1, 7), between(draws, 3, 4), colour);
  for (let i = 0; i < holes; i++) block.set(2 * i + 1, 1, 0);
  return draws.below(2) === 0 ? block : turnedBy(block, 'transpose');
}

/** Boxes in boxes, and the same with the innermost filled in the colour of the outermost. */
function nest(draws: Draws, tones: readonly number[]): { readonly whole: Sheet; readonly filled: Sheet } {
  const size = 2 * tones.length + between(draws, 1, 3);
  const whole = new Sheet(size + (tones.length > 1 ? draws.below(3) : 0), size);
  let box: Box = { x: 0, y: 0, width: whole.width, height: whole.height };
  for (const [i, tone] of tones.entries()) {
    whole.frame(box, tone);
    const slack = i === 0 ? whole.width - size : 0;
    const { x, y, width, height } = box;
    box = { x: x + 1 + draws.below(slack + 1), y: y + 1, width: width - 2 - slack, height: height - 2 };
  }
  return { whole, filled: whole.copy().rect(box, tones[0] as number) };
}

export const agreementConcepts: Readonly<Record<string, Concept>> = {
  'the beads go round as many steps as there are dots inside': (task) => {
    const [ring = 1, dot = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const input = blank(draws, 14, 19);
      const sizes = [0, 1].map(() => [between(draws, 5, 8), between(draws, 5, 8)] as const);
      const boxes = places(draws, input, sizes);
      if (boxes.length < 2) return null;
      const output = input.copy();
      const counts = shuffled(draws, [1, 2, 3, 4]);
      for (const [i, { x, y, width, height }] of boxes.entries()) {
        const cells = border({ x, y, width, height });
        const beads = cells.map(() => (draws.below(4) === 0 ? one(draws, palette) : ring));
        const count = counts[i] as number;
        const inside = shuffled(draws, cellsOf(new Sheet(width - 2, height - 2))).slice(0, count);
        for (const [dx, dy] of inside)
          for (const sheet of [input, output]) sheet.set(x + 1 + dx, y + 1 + dy, dot);
        for (const [k, cell] of cells.entries()) {
          input.set(...cell, beads[k] as number);
          output.set(...cell, beads.at(k - count) as number);
        }
      }
      return { input, output };
    };
  },
  'every key goes up into its lock': (task) => {
    const [lock = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const [count, pitch] = [between(draws, 2, 3), between(draws, 6, 7)];
      const input = new Sheet(count * pitch, between(draws, 13, 17));
      const output = input.copy();
      const profiles = [0, 1, 2].slice(0, count).map(() => [0, 1, 2, 3, 4].map(() => between(draws, 1, 3)));
      if (new Set(profiles.map((profile) => profile.join(''))).size < count) return null;
      const order = shuffled(draws, [...profiles.keys()]);
      if (order.every((from, to) => from === to)) return null;
      const tones = shuffled(draws, palette);
      for (const [i, profile] of profiles.entries())
        for (const [k, depth] of profile.entries()) {
          const [x, y] = [i * pitch + k, input.height - 6 + depth];
          const key = { x: order.indexOf(i) * pitch + k, y, width: 1, height: 5 - depth };
          for (const sheet of [input, output]) sheet.rect({ x, y: 1, width: 1, height: depth }, lock);
          input.rect(key, tones[i] as number);
          output.rect({ ...key, x, y: 1 + depth }, tones[i] as number);
        }
      return { input, output };
    };
  },
  'dominoes in a chain, end to like end': (task) => {
    const [noise = 1, ...palette] = colours(task, 8);
    return (draws) => {
      const chain = shuffled(draws, palette).slice(0, between(draws, 4, 6));
      const output = new Sheet(2 * chain.length - 2, 1).map((x) => chain[Math.ceil(x / 2)] as number);
      const pieces = chain.slice(1).map((_, i) => output.crop({ x: 2 * i, y: 0, width: 2, height: 1 }));
      const drawn = scene(draws, [10, 14], shuffled(draws, pieces));
      if (drawn === null) return null;
      strew(draws, drawn.sheet, noise, between(draws, 2, 4));
      return { input: drawn.sheet, output };
    };
  },
  'the one of each row that is unlike the others': (task) => {
    const palette = colours(task, 5);
    return (draws) => {
      const [count, rows] = [between(draws, 3, 5), between(draws, 3, 4)];
      const input = new Sheet(4 * count + 1, 4 * rows + 1);
      const output = input.copy();
      const ways = shuffled(draws, ['colour', 'shape', 'turn', one(draws, ['colour', 'shape', 'turn'])]);
      for (let row = 0; row < rows; row++) {
        const [tone = 1, other = 2] = shuffled(draws, palette);
        const [form, second] = [lopsided(draws, 3, 3, tone), lopsided(draws, 3, 3, tone)];
        if (motions.some((motion) => isSame(turnedBy(form, motion), second))) return null;
        const odd = { colour: painted(form, other), shape: second, turn: turnedBy(form, 'rotate90') };
        const [at, unlike] = [draws.below(count), odd[ways[row] as keyof typeof odd]];
        for (let i = 0; i < count; i++) input.paste(i === at ? unlike : form, 4 * i + 1, 4 * row + 1);
        output.paste(unlike, 4 * at + 1, 4 * row + 1);
      }
      return { input, output };
    };
  },
  'what the large copy has too much and too little': (task) => {
    const [more = 1, less = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [a = 1, b = 2] = shuffled(draws, palette);
      const model = shape(draws, between(draws, 3, 4), between(draws, 3, 4), a);
      const all = shuffled(draws, cellsOf(model));
      const filled = all.filter((cell) => model.get(...cell) > 0).slice(0, between(draws, 1, 2));
      const free = all.filter((cell) => model.get(...cell) === 0).slice(0, between(draws, 1, 2));
      const judged = painted(model, b);
      for (const cell of filled) judged.set(...cell, less);
      for (const cell of free) judged.set(...cell, more);
      const copy = judged.map((_x, _y, cell) => (cell === less ? 0 : cell === more ? b : cell));
      if (free.length === 0 || !fillsBox(copy)) return null;
      const times = between(draws, 2, 3);
      const drawn = scene(draws, [15, 20], [enlarged(copy, times), model], { gap: 2 });
      if (drawn === null) return null;
      const [{ x, y }] = drawn.boxes as [Box];
      return { input: drawn.sheet, output: drawn.sheet.copy().paste(enlarged(judged, times), x, y) };
    };
  },
  'the half of the beam with more weight': (task) => {
    const [wood = 1, post = 2, ...palette] = colours(task, 5);
    return treated(
      [16, 20],
      (draws) => {
        const beams = [0, 1, 2].map(() => beam(draws, wood, post, one(draws, palette)));
        return beams.some((object) => leaning(object) !== 0) ? beams : null;
      },
      (object) => {
        const [lean, width] = [leaning(object), (object.width - 1) / 2];
        if (lean === 0) return object;
        const weight = Math.max(...object.crop({ x: 0, y: 0, width: object.width, height: 3 }).cells);
        return object.copy().rect({ x: lean > 0 ? 0 : width + 1, y: 3, width, height: 1 }, weight);
      },
    );
  },
  'the legend says which way each colour goes': (task) => {
    const [wall = 1, sign = 2, ...palette] = colours(task, 7);
    return (draws) => {
      const [columns, rows] = [between(draws, 4, 6), between(draws, 4, 5)];
      const [width, height] = [3 * columns + 3, 3 * rows + 6];
      const input = new Sheet(width, height).rect({ x: 0, y: 3, width, height: 1 }, wall);
      const tones = shuffled(draws, palette).slice(0, 4);
      const ways = shuffled(draws, sides).slice(0, 3);
      for (const [i, [dx, dy]] of ways.entries())
        input.set(4 * i + 1, 1, tones[i] as number).set(4 * i + 1 + dx, 1 + dy, sign);
      const output = input.copy();
      const slots = [columns, rows].map((count) => shuffled(draws, [0, 1, 2, 3, 4, 5].slice(0, count)));
      for (let i = 0; i < 4; i++) {
        const form = shape(draws, 2, 2, tones[i] as number);
        const [dx, dy] = ways[i] ?? [0, 0];
        const [x = 0, y = 0] = slots.map((free, k) => 3 * (free[i] as number) + 2 + 3 * k);
        const column = dx === 0 ? x : dx > 0 ? width - 2 : 0;
        const row = dy === 0 ? y : dy > 0 ? height - 2 : 4;
        if (countOf(output.crop({ x: column, y: row, width: 2, height: 2 })) > 0) return null;
        input.paste(form, x, y);
        output.paste(form, column, row);
      }
      return { input, output };
    };
  },
  'what is held between two of a colour turns to it': (task) => {
    const [grey = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const lines = between(draws, 4, 7);
      const input = new Sheet(between(draws, 11, 16), 2 * lines + 1);
      const output = input.copy();
      for (const [i, kind] of shuffled(draws, [0, 0, 1, 2, 0, 1, 0].slice(0, lines)).entries()) {
        const [a = 1, other = 2] = shuffled(draws, palette);
        const width = between(draws, 2, 7);
        const run = { x: between(draws, 1, input.width - width - 1), y: 2 * i + 1, width, height: 1 };
        for (const sheet of [input, output])
          sheet.set(run.x - 1, run.y, a).set(run.x + width, run.y, [a, other, 0][kind] as number);
        input.rect(run, grey);
        output.rect(run, kind === 0 ? a : grey);
      }
      return { input, output };
    };
  },
  'boxes of one colour exchange what they hold': (task) => {
    const palette = colours(task, 9);
    return (draws) => {
      const [a = 1, b = 2, c = 3, ...tones] = shuffled(draws, palette);
      const kinds = [a, a, b, b, c].slice(0, between(draws, 4, 5));
      const boxes = kinds.map((tone) => new Sheet(5, 5).frame({ x: 0, y: 0, width: 5, height: 5 }, tone));
      const things = kinds.map((_, i) => shape(draws, 3, 3, tones[i] as number));
      const holding = boxes.map((box, i) => box.copy().paste(things[i] as Sheet, 1, 1));
      const drawn = scene(draws, [17, 21], holding);
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const [i, { x, y }] of drawn.boxes.entries())
        output.paste(boxes[i] as Sheet, x, y).paste(things[i < 4 ? i ^ 1 : i] as Sheet, x + 1, y + 1);
      return { input: drawn.sheet, output };
    };
  },
  'three corners call the fourth, other dots go': (task) => {
    const palette = colours(task, 7);
    return (draws) => {
      const input = blank(draws, 12, 17);
      const output = input.copy();
      const [tones, groups] = [shuffled(draws, palette), between(draws, 2, 3)];
      for (const [i, tone] of tones.slice(0, groups + 2).entries()) {
        const size = [between(draws, 3, 8), between(draws, 3, 8)] as const;
        const [{ x, y, width, height }] = places(draws, input, [size]) as [Box];
        const ends = [x, x + width - 1].flatMap((column) =>
          [y, y + height - 1].map((row): Cell => [column, row]),
        );
        if (ends.some((cell) => input.get(...cell) > 0 || output.get(...cell) > 0)) return null;
        const shown = shuffled(draws, ends).slice(0, i < groups ? 3 : between(draws, 1, 2));
        for (const cell of shown) input.set(...cell, tone);
        if (i < groups) for (const cell of ends) output.set(...cell, tone);
      }
      return { input, output };
    };
  },
  'the colour of the one with as many holes': (task) => {
    const [grey = 1, ...palette] = colours(task, 6);
    return treated(
      [19, 23],
      (draws) => {
        const tones = shuffled(draws, palette);
        const kinds = shuffled(draws, [1, 2, 3]).slice(0, between(draws, 2, 3));
        const samples = kinds.map((holes, i) => holed(draws, holes, tones[i] as number));
        return [...samples, ...[0, 1, 2].map(() => holed(draws, one(draws, kinds), grey))];
      },
      (object, all) => {
        const holes = object.cells.length - countOf(object);
        const like = all.find(
          (other) => Math.max(...other.cells) !== grey && other.cells.length - countOf(other) === holes,
        );
        return painted(object, Math.max(...(like as Sheet).cells));
      },
    );
  },
  'the missing one of the growing row': (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const [first, step, count] = [between(draws, 1, 2), between(draws, 1, 2), 4];
      const [a = 1, b = 2] = shuffled(draws, palette);
      const sizes = Array.from({ length: count }, (_, i) => first + i * step);
      const width = sizes.reduce((sum, size) => sum + size + 1, 0) + between(draws, 1, 3);
      const input = new Sheet(width, (sizes.at(-1) as number) + between(draws, 2, 5));
      const [output, gap] = [input.copy(), between(draws, 1, count - 2)];
      let x = between(draws, 0, 1);
      for (const [i, size] of sizes.entries()) {
        const square = { x, y: input.height - 1 - size, width: size, height: size };
        for (const sheet of i === gap ? [output] : [input, output]) sheet.rect(square, i % 2 === 0 ? a : b);
        x += size + 1;
      }
      const motion = one(draws, ['identity', 'flip-left-right'] as const);
      return { input: turnedBy(input, motion), output: turnedBy(output, motion) };
    };
  },
  'only those with a mirror image': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const [a, b, c, d] = shapes(draws, 4, 3, 3, 1) as [Sheet, Sheet, Sheet, Sheet];
      const twins = [a, b].slice(draws.below(2)).flatMap((form) => [form, turnedBy(form, 'flip-left-right')]);
      if ([a, b, c, d].some((form) => isSame(form, turnedBy(form, 'flip-left-right')))) return null;
      const objects = [...twins, c, c, d].map((form) => painted(form, one(draws, palette)));
      const drawn = scene(draws, [14, 18], objects);
      if (drawn === null) return null;
      const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
      for (const [i, { x, y }] of drawn.boxes.slice(0, twins.length).entries())
        output.paste(objects[i] as Sheet, x, y);
      return { input: drawn.sheet, output };
    };
  },
  'so many steps across and so many down as there are dots': (task) => {
    const [across = 1, down = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const [dx, dy] = shuffled(draws, [1, 2, 3, 4, 5]) as [number, number];
      const block = new Sheet(between(draws, 2, 3), between(draws, 2, 3)).map(() => one(draws, palette));
      const empty = blank(draws, 13, 18);
      const [way] = places(draws, empty, [[block.width + dx, block.height + dy]]) as [Box];
      const ground = empty.copy().rect(way, 1);
      const [right, below] = [strew(draws, ground, across, dx), strew(draws, ground, down, dy)];
      if (right.length < dx || below.length < dy) return null;
      for (const cell of right) empty.set(...cell, across);
      for (const cell of below) empty.set(...cell, down);
      const output = empty.copy().paste(block, way.x + dx, way.y + dy);
      return { input: empty.paste(block, way.x, way.y), output };
    };
  },
  'the innermost box is filled in the colour of the outermost': (task) => {
    const palette = colours(task, 7);
    return (draws) => {
      const nests = [1, 2, 3].map((depth) => nest(draws, shuffled(draws, palette).slice(0, depth)));
      const wholes = nests.map(({ whole }) => whole);
      const drawn = scene(draws, [16, 20], wholes);
      if (drawn === null) return null;
      const output = drawn.sheet.copy();
      for (const [i, { x, y }] of drawn.boxes.entries())
        output.paste((nests[i] as { filled: Sheet }).filled, x, y);
      return { input: drawn.sheet, output };
    };
  },
  'the key is followed to its end': (task) => {
    const [wall = 1, ...palette] = colours(task, 9);
    return (draws) => {
      const [tones, long] = [shuffled(draws, palette), between(draws, 3, 4)];
      const [chain, short] = [tones.slice(0, long), tones.slice(long, long + 2)];
      const links = shuffled(draws, [...chain.slice(1).map((to, i) => [chain[i], to]), short]);
      const shown = [...chain, ...short, tones[long + 2] as number];
      const objects = shown.map((tone) => shape(draws, 2, between(draws, 2, 3), tone));
      const field = scene(draws, [12, 15], objects);
      if (field === null) return null;
      const { width, height } = field.sheet;
      const input = new Sheet(width + 4, height)
        .paste(field.sheet, 4, 0)
        .rect({ x: 3, y: 0, width: 1, height }, wall);
      const output = input.map((x, _y, cell) => {
        const end = [chain, short].find((all) => all.includes(cell))?.at(-1);
        return x > 3 && cell > 0 ? (end ?? cell) : cell;
      });
      for (const [i, [from, to]] of links.entries())
        for (const sheet of [input, output])
          sheet.set(0, 2 * i + 1, from as number).set(1, 2 * i + 1, to as number);
      return { input, output };
    };
  },
};
