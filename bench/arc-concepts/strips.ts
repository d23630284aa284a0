import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import { between, colours, one, places, shape, Sheet, type Box, type Concept } from './sheet.ts';

/**
 * Two styles that no fit has seen: strips, one row of cells with bars on it, and plates, solid boxes on an empty sheet. One idea per
 * task. They serve to measure confidence, and nothing is tuned on them.
 */

interface Bar {
  readonly from: number;
  readonly length: number;
  readonly colour: number;
}

interface BarsDrawn {
  readonly count: readonly [number, number];
  readonly length: readonly [number, number];
  readonly isOneColour?: boolean;
  readonly gap?: number;
}

/** Bars from left to right, with at least `gap` empty cells before, between and after them. */
function barsOn(
  draws: Draws,
  width: number,
  palette: readonly number[],
  { count, length, gap = 1, isOneColour = true }: BarsDrawn,
): Bar[] {
  const drawn: Bar[] = [];
  let at = gap + draws.below(3);
  for (let left = between(draws, ...count); left > 0; left--) {
    const own = between(draws, ...length);
    if (at + own + gap > width) break;
    drawn.push({ from: at, length: own, colour: isOneColour ? (palette[0] ?? 1) : one(draws, palette) });
    at += own + gap + draws.below(3);
  }
  return drawn;
}

function strip(width: number, all: readonly Bar[]): Sheet {
  const sheet = new Sheet(width, 1);
  for (const { from, length, colour } of all) sheet.rect({ x: from, y: 0, width: length, height: 1 }, colour);
  return sheet;
}

/** A strip with bars, and the strip with the bars that the rule makes of them; null where the pair would show nothing. */
function bars(
  how: BarsDrawn,
  rule: (all: readonly Bar[], palette: readonly number[], width: number) => readonly Bar[] | null,
): Concept {
  return (task) => {
    const palette = colours(task, 9);
    return (draws) => {
      const width = between(draws, 14, 22);
      const before = barsOn(draws, width, palette, how);
      const after = before.length === 0 ? null : rule(before, palette, width);
      if (after === null) return null;
      return shown(strip(width, before), strip(width, after));
    };
  };
}

function shown(input: Sheet, output: Sheet): ReturnType<ReturnType<Concept>> {
  const isSame =
    input.cells.length === output.cells.length && input.cells.every((c, i) => c === output.cells[i]);
  return isSame ? null : { input, output };
}

function only(all: readonly Bar[], isChosen: (bar: Bar, i: number) => boolean): Bar[] {
  return all.filter(isChosen);
}

function longest({ length }: Bar, _: number, all: readonly Bar[]): boolean {
  return length === Math.max(...all.map((bar) => bar.length));
}

const several = { count: [2, 4], length: [2, 5] } as const;
const single = { count: [1, 1], length: [2, 5], gap: 4 } as const;
const many = { count: [3, 5], length: [1, 4], isOneColour: false } as const;

export const strips: Readonly<Record<string, Concept>> = {
  'bars go one step right': bars(several, (all) => all.map((bar) => ({ ...bar, from: bar.from + 1 }))),
  'bars go three steps right': bars(single, (all) => all.map((bar) => ({ ...bar, from: bar.from + 3 }))),
  'the bar goes to the end': bars(single, (all, _, width) =>
    all.map((bar) => ({ ...bar, from: width - bar.length })),
  ),
  'bars are hollow': bars({ ...several, length: [3, 6] }, (all) =>
    all.flatMap((bar) => [
      { ...bar, length: 1 },
      { ...bar, from: bar.from + bar.length - 1, length: 1 },
    ]),
  ),
  'ends in another colour': bars({ ...several, length: [3, 6] }, (all, [, b = 2]) =>
    all.flatMap((bar) => [
      bar,
      { from: bar.from, length: 1, colour: b },
      { from: bar.from + bar.length - 1, length: 1, colour: b },
    ]),
  ),
  'only the longest bar': bars(several, (all) => only(all, (bar, i) => longest(bar, i, all))),
  'the longest bar in another colour': bars(several, (all, [, b = 2]) =>
    all.map((bar, i) => (longest(bar, i, all) ? { ...bar, colour: b } : bar)),
  ),
  'even lengths in another colour': bars(several, (all, [, b = 2]) =>
    all.map((bar) => (bar.length % 2 === 0 ? { ...bar, colour: b } : bar)),
  ),
  'odd lengths vanish': bars(several, (all) => only(all, ({ length }) => length % 2 === 0)),
  'lone cells vanish': bars({ ...several, length: [1, 4] }, (all) => only(all, ({ length }) => length > 1)),
  'gaps between bars are filled': bars(several, (all, [, b = 2]) =>
    all.flatMap((bar, i) => {
      const next = all[i + 1];
      const from = bar.from + bar.length;
      return next === undefined ? [bar] : [bar, { from, length: next.from - from, colour: b }];
    }),
  ),
  'bars grow by one on each side': bars({ ...several, gap: 3 }, (all) =>
    all.map((bar) => ({ ...bar, from: bar.from - 1, length: bar.length + 2 })),
  ),
  'bars twice as long': bars({ ...single, gap: 6 }, (all) =>
    all.map((bar) => ({ ...bar, length: 2 * bar.length })),
  ),
  'the strip turned round': bars(many, (all, _, width) =>
    all.map((bar) => ({ ...bar, from: width - bar.from - bar.length })),
  ),
  'two colours exchanged': bars({ ...many, length: [1, 3] }, (all, [a = 1, b = 2]) =>
    all.some(({ colour }) => colour === a || colour === b)
      ? all.map((bar) => ({ ...bar, colour: bar.colour === a ? b : bar.colour === b ? a : bar.colour }))
      : null,
  ),
  'all to the left': bars(many, (all) => {
    let from = 0;
    return all.map((bar) => ({ ...bar, from: (from += bar.length) - bar.length }));
  }),
  'only the first and the last': bars({ ...many, isOneColour: true, count: [3, 5] }, (all) =>
    all.length < 3 ? null : only(all, (_, i) => i === 0 || i === all.length - 1),
  ),
  'every second in another colour': bars({ ...several, count: [3, 5] }, (all, [, b = 2]) =>
    all.map((bar, i) => (i % 2 === 1 ? { ...bar, colour: b } : bar)),
  ),
  'length says the colour': bars({ ...several, length: [1, 3] }, (all, palette) =>
    all.map((bar) => ({ ...bar, colour: palette[bar.length] ?? 1 })),
  ),
  'all take the colour of the first': bars(many, (all) =>
    all.map((bar) => ({ ...bar, colour: all[0]?.colour ?? 1 })),
  ),
};

/** Plates of the task's colours, apart from each other, and what a rule makes of them. */
function plates(
  sizes: string,
  rule: (plate: Box, colour: number, out: Sheet, palette: readonly number[], all: readonly Box[]) => void,
  isOneColour = true,
): Concept {
  return (task) => {
    const palette = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 9, 13), between(draws, 9, 13));
      const all = places(draws, input, sizes, { gap: 2, margin: 2 });
      if (all.length < 2) return null;
      const output = new Sheet(input.width, input.height);
      for (const [i, plate] of all.entries()) {
        const colour = palette[isOneColour ? 0 : i % 3] ?? 1;
        input.rect(plate, colour);
        rule(plate, colour, output, palette, all);
      }
      return shown(input, output);
    };
  };
}

const around = ({ x, y, width, height }: Box): Box => ({
  x: x - 1,
  y: y - 1,
  width: width + 2,
  height: height + 2,
});
const area = ({ width, height }: Box): number => width * height;
const isLargest = (plate: Box, all: readonly Box[]): boolean => area(plate) === Math.max(...all.map(area));

export const platesOnSheets: Readonly<Record<string, Concept>> = {
  'a frame around each': plates('2x2 3x2 1x2', (plate, colour, out, [, b = 2]) =>
    out.frame(around(plate), b).rect(plate, colour),
  ),
  'only the outline': plates('4x3 3x4 3x3', (plate, colour, out) => out.frame(plate, colour)),
  'inside in another colour': plates('4x3 3x4 3x3', (plate, colour, out, [, b = 2]) =>
    out.rect(plate, b).frame(plate, colour),
  ),
  'the largest in another colour': plates('4x4 2x2 2x1', (plate, colour, out, [, b = 2], all) =>
    out.rect(plate, isLargest(plate, all) ? b : colour),
  ),
  'only the largest': plates('4x4 2x2 2x1', (plate, colour, out, _, all) => {
    if (isLargest(plate, all)) out.rect(plate, colour);
  }),
  'squares in another colour': plates('2x2 3x2 3x3', ({ ...plate }, colour, out, [, b = 2]) =>
    out.rect(plate, plate.width === plate.height ? b : colour),
  ),
  'wide ones vanish': plates('3x2 2x3 3x1 1x2', (plate, colour, out) => {
    if (plate.width < plate.height) out.rect(plate, colour);
  }),
  'one step down': plates('2x2 3x2 1x2', (plate, colour, out) =>
    out.rect({ ...plate, y: plate.y + 1 }, colour),
  ),
  'a shadow to the lower right': plates('2x2 3x2 2x3', (plate, colour, out, [, b = 2]) =>
    out.rect({ ...plate, x: plate.x + 1, y: plate.y + 1 }, b).rect(plate, colour),
  ),
  'corners marked': plates('3x3 4x3 3x4', ({ x, y, width, height }, colour, out, [, b = 2]) => {
    out.rect({ x, y, width, height }, colour);
    for (const cx of [x, x + width - 1]) for (const cy of [y, y + height - 1]) out.set(cx, cy, b);
  }),
  'rays to the left': plates('2x2 3x2 1x1', (plate, colour, out) =>
    out.rect({ ...plate, x: 0, width: plate.x + plate.width }, colour),
  ),
  'top row in another colour': plates('3x3 2x4 4x2', (plate, colour, out, [, b = 2]) =>
    out.rect(plate, colour).rect({ ...plate, height: 1 }, b),
  ),
  'each loses its outermost column': plates('3x2 4x2 2x3', (plate, colour, out) =>
    out.rect({ ...plate, width: plate.width - 1 }, colour),
  ),
  'area says the colour': plates('2x2 3x2 1x2', (plate, _, out, palette) =>
    out.rect(plate, palette[1 + (area(plate) % 3)] ?? 1),
  ),
  'a middle cell in each': plates('3x3 5x3 3x3', ({ ...plate }, colour, out, [, b = 2]) =>
    out.rect(plate, colour).set(plate.x + (plate.width >> 1), plate.y + (plate.height >> 1), b),
  ),
  'what touches the middle line turns': plates('2x3 3x2 2x2', (plate, colour, out, [, b = 2]) => {
    const middle = out.width >> 1;
    out.rect(plate, plate.x <= middle && middle < plate.x + plate.width ? b : colour);
  }),
  'the leftmost is kept': plates(
    '2x3 3x2 2x2',
    (plate, colour, out, _, all) => {
      if (all.every(({ x }) => x >= plate.x)) out.rect(plate, colour);
    },
    false,
  ),
  'all take the colour of the topmost': plates(
    '2x2 3x2 2x1',
    (plate, _, out, palette, all) => {
      const top = all.indexOf([...all].sort((a, b) => a.y - b.y)[0] ?? plate);
      out.rect(plate, palette[top % 3] ?? 1);
    },
    false,
  ),
  'how many there are': (task) => {
    const [colour = 1] = colours(task, 1);
    return (draws) => {
      const input = new Sheet(11, 11);
      const all = places(
        draws,
        input,
        Array.from({ length: between(draws, 1, 5) }, () => [2, 2] as const),
      );
      for (const plate of all) input.rect(plate, colour);
      return { input, output: new Sheet(all.length, 1, colour) };
    };
  },
  'cut out the odd shape': (task) => {
    const [a = 1, b = 2] = colours(task, 2);
    return (draws) => {
      const input = new Sheet(12, 12);
      const [place, ...others] = places(draws, input, '3x3 2x2 2x2 3x2');
      if (place === undefined || others.length < 2) return null;
      const odd = shape(draws, 3, 3, b);

      input.paste(odd, place.x, place.y);
      for (const other of others) input.rect(other, a);
      return { input, output: odd };
    };
  },
};
