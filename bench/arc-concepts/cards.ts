import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import {
  between,
  colours,
  covers,
  enlarged,
  one,
  places,
  Sheet,
  shuffled,
  wider,
  type Box,
  type Concept,
} from './sheet.ts';

/**
 * Cards: a few standard signs (dots, bars, posts, squares, rings, crosses) on a board, sometimes with a line or a frame, and one
 * idea about them per task. They were written before anything was measured on them, no fit uses them, and nothing is tuned on them.
 */
const forms = {
  dot: ['#'],
  bar: ['###'],
  post: ['#', '#', '#'],
  square: ['##', '##'],
  ring: ['###', '#.#', '###'],
  cross: ['.#.', '###', '.#.'],
  block: ['###', '###', '###'],
} as const;
type Form = keyof typeof forms;

interface Sign extends Box {
  readonly form: Form;
  readonly colour: number;
}

interface Deal {
  /** The possible forms of each sign. */
  readonly signs: readonly (readonly Form[])[];
  /** All signs in one colour, each in one of the first few, or all different. */
  readonly palette?: 'one' | 'few' | 'all';
  readonly gap?: number;
}

type Play = (board: Board) => Sheet | null;

/** What is on a card. */
interface Board {
  readonly sheet: Sheet;
  readonly signs: readonly Sign[];
  /** Colours that no sign has. */
  readonly spare: readonly number[];
}

function drawn(on: Sheet, { form, x, y }: Sign, colour: number): Sheet {
  for (const [dy, row] of forms[form].entries())
    for (const [dx, mark] of row.split('').entries()) if (mark === '#') on.set(x + dx, y + dy, colour);
  return on;
}

function show({ sheet }: Board, signs: readonly (Sign | null)[]): Sheet {
  const next = new Sheet(sheet.width, sheet.height);
  for (const sign of signs) if (sign !== null) drawn(next, sign, sign.colour);
  return next;
}

function card({ signs: wanted, palette = 'few', gap = 1 }: Deal, play: Play): Concept {
  return (task) => {
    const hues = colours(task, 9);
    return (draws) => {
      const sheet = new Sheet(between(draws, 9, 13), between(draws, 9, 13));
      const chosen = shuffled(draws, wanted).map((some) => one(draws, some));
      const sizes = chosen.map((form) => [forms[form][0].length, forms[form].length] as const);
      const boxes = places(draws, sheet, sizes, { gap });
      if (boxes.length < chosen.length) return null;
      const inks = { one: hues.slice(0, 1), few: hues.slice(0, 3), all: hues.slice(0, 5) }[palette];
      const own = palette === 'all' ? shuffled(draws, inks) : [];
      const signs = boxes.map((box, i): Sign => ({
        ...box,
        form: chosen[i] as Form,
        colour: own[i] ?? one(draws, inks),
      }));
      for (const sign of signs) drawn(sheet, sign, sign.colour);
      const output = play({ sheet, signs, spare: hues.slice(5) });
      return output === null || same(sheet, output) ? null : { input: sheet, output };
    };
  };
}

function same(a: Sheet, b: Sheet): boolean {
  return a.width === b.width && a.height === b.height && a.cells.every((cell, i) => cell === b.cells[i]);
}

/** The only sign with the least value; null if two share it. */
function least(signs: readonly Sign[], of: (sign: Sign) => number): Sign | null {
  const [first, second] = signs.toSorted((a, b) => of(a) - of(b));
  return first === undefined || (second !== undefined && of(first) === of(second)) ? null : first;
}

const areaOf = ({ form }: Sign): number => forms[form].join('').replaceAll('.', '').length;
const any: readonly Form[] = ['dot', 'bar', 'post', 'square', 'ring', 'cross'];
const three = { signs: [any, any, any] } as const;
const four = { signs: [any, any, any, any] } as const;

/** Recolours the signs that are meant. */
function marking(isMeant: (sign: Sign, board: Board) => boolean): Play {
  return (board) =>
    show(
      board,
      board.signs.map((sign) =>
        isMeant(sign, board) ? { ...sign, colour: board.spare[0] as number } : sign,
      ),
    );
}

/** Keeps the signs that are meant. */
function keeping(isMeant: (sign: Sign, board: Board) => boolean): Play {
  return (board) =>
    board.signs.some((sign) => isMeant(sign, board))
      ? show(
          board,
          board.signs.map((sign) => (isMeant(sign, board) ? sign : null)),
        )
      : null;
}

function isLeast(of: (sign: Sign) => number): (sign: Sign, board: Board) => boolean {
  return (sign, { signs }) => least(signs, of) === sign;
}

/** Every sign drawn again, moved. */
function moving(by: (sign: Sign, board: Board) => readonly [dx: number, dy: number]): Play {
  return (board) =>
    show(
      board,
      board.signs.map((sign) => {
        const [dx, dy] = by(sign, board);
        return { ...sign, x: sign.x + dx, y: sign.y + dy };
      }),
    );
}

/** A line across the board, which no sign touches. */
function lined(rule: (board: Board, line: number, ink: number) => Sheet | null): Concept {
  return card(four, ({ sheet, signs, spare }) => {
    const ink = spare[1] as number;
    for (let y = 2; y < sheet.height - 2; y++)
      if (signs.every((sign) => !covers(sign, sign.x, y))) {
        withLine(sheet, y, ink);
        return rule({ sheet, signs, spare }, y, ink);
      }
    return null;
  });
}

/** A sheet with its line again. */
function withLine(sheet: Sheet, line: number, ink: number): Sheet {
  return sheet.rect({ x: 0, y: line, width: sheet.width, height: 1 }, ink);
}

function crop({ sheet }: Board, box: Box | null): Sheet | null {
  return box === null ? null : sheet.crop(box);
}

export const cards: Readonly<Record<string, Concept>> = {
  'only rings': card(
    four,
    keeping(({ form }) => form === 'ring'),
  ),
  'crosses go': card(
    four,
    keeping(({ form }) => form !== 'cross'),
  ),
  'dots turn': card(
    { signs: [['dot'], any, any, any] },
    marking(({ form }) => form === 'dot'),
  ),
  'the topmost turns': card(three, marking(isLeast(({ y }) => y))),
  'the rightmost turns': card(three, marking(isLeast(({ x, width }) => -x - width))),
  'the largest turns': card(four, marking(isLeast((sign) => -areaOf(sign)))),
  'the smallest goes': card(
    four,
    keeping((sign, { signs }) => least(signs, areaOf) !== sign),
  ),
  'the topmost cut out': card(three, (board) =>
    crop(
      board,
      least(board.signs, ({ y }) => y),
    ),
  ),
  'the largest cut out': card(three, (board) =>
    crop(
      board,
      least(board.signs, (sign) => -areaOf(sign)),
    ),
  ),
  'the only cross cut out': card(
    { signs: [['cross'], ['bar', 'post', 'ring'], ['dot', 'square']] },
    (board) => crop(board, board.signs.find(({ form }) => form === 'cross') ?? null),
  ),
  'the odd colour cut out': card({ ...four, palette: 'few' }, (board) => {
    const odd = board.signs.filter(
      ({ colour }) => board.signs.filter((o) => o.colour === colour).length === 1,
    );
    return odd.length === 1 && new Set(board.signs.map(({ colour }) => colour)).size === 2
      ? crop(board, odd[0] as Sign)
      : null;
  }),
  'lying ones turn': card(
    { signs: [['bar'], ['post'], ['bar', 'post'], ['bar', 'post']] },
    marking(({ form }) => form === 'bar'),
  ),
  'standing ones grow to the edges': card({ signs: [['post'], ['bar', 'dot']], palette: 'one' }, (board) =>
    board.sheet.map((x, _y, c) => {
      const post = board.signs.find((sign) => sign.form === 'post' && sign.x === x);
      return post === undefined ? c : post.colour;
    }),
  ),
  'holes are filled': card({ signs: [['ring'], any, any] }, (board) =>
    board.signs
      .filter(({ form }) => form === 'ring')
      .reduce((sheet, { x, y }) => sheet.set(x + 1, y + 1, board.spare[0] as number), board.sheet.copy()),
  ),
  'the middle of each block': card({ signs: [['block'], ['block'], ['square']] }, (board) =>
    board.signs
      .filter(({ form }) => form === 'block')
      .reduce((sheet, { x, y }) => sheet.set(x + 1, y + 1, board.spare[0] as number), board.sheet.copy()),
  ),
  'blocks become rings': card({ signs: [['block'], ['block', 'square'], ['cross', 'bar']] }, (board) =>
    show(
      board,
      board.signs.map((sign) => (sign.form === 'block' ? { ...sign, form: 'ring' } : sign)),
    ),
  ),
  'rings and crosses change places': card({ signs: [['ring'], ['cross'], ['ring', 'cross']] }, (board) =>
    show(
      board,
      board.signs.map((sign) => ({ ...sign, form: sign.form === 'ring' ? 'cross' : 'ring' })),
    ),
  ),
  'one step down': card({ ...three, gap: 2 }, (board) =>
    board.signs.some(({ y, height }) => y + height >= board.sheet.height)
      ? null
      : moving(() => [0, 1])(board),
  ),
  'down to the floor': card(
    {
      signs: [
        ['bar', 'square'],
        ['cross', 'dot'],
      ],
      gap: 3,
    },
    (board) => {
      const [a, b] = board.signs as [Sign, Sign];
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
      return apart ? moving(({ y, height }, { sheet }) => [0, sheet.height - y - height])(board) : null;
    },
  ),
  'a line up from each dot': card({ signs: [['dot'], ['dot'], ['dot']] }, (board) =>
    board.sheet.map((x, y, c) => board.signs.find((sign) => sign.x === x && sign.y > y)?.colour ?? c),
  ),
  'dots in one row are joined': (task) => {
    const [a = 1, b = 2] = colours(task, 2);
    return (draws) => {
      const sheet = new Sheet(between(draws, 8, 12), between(draws, 7, 10));
      const output = sheet.copy();
      for (let y = 1; y < sheet.height; y += 2 + draws.below(2)) {
        const [from, to] = [draws.below(4), between(draws, 5, sheet.width - 1)];
        const ends = draws.below(3) === 0 ? [from] : [from, to];
        if (ends.length === 2) output.rect({ x: from, y, width: to - from, height: 1 }, b);
        for (const x of ends) [sheet, output].map((on) => on.set(x, y, a));
      }
      return same(sheet, output) ? null : { input: sheet, output };
    };
  },
  'how many signs': counted,
  'alike or not': card(
    { signs: [any, any], palette: 'one' },
    ({ signs: [a, b], spare: [yes = 1, no = 2] }) => new Sheet(1, 1, a?.form === b?.form ? yes : no),
  ),
  'signs change colours': card(
    {
      signs: [
        ['ring', 'block'],
        ['bar', 'post', 'dot'],
      ],
      palette: 'all',
    },
    (board) => {
      const [a, b] = board.signs as [Sign, Sign];
      return show(board, [
        { ...a, colour: b.colour },
        { ...b, colour: a.colour },
      ]);
    },
  ),
  'all in the colour of the largest': card({ ...three, palette: 'all' }, (board) => {
    const largest = least(board.signs, (sign) => -areaOf(sign));
    return (
      largest &&
      show(
        board,
        board.signs.map((sign) => ({ ...sign, colour: largest.colour })),
      )
    );
  }),
  'a border around each square': card(
    { signs: [['square'], ['square', 'bar'], ['bar', 'dot']], gap: 3 },
    (board) =>
      board.signs
        .filter(({ form }) => form === 'square')
        .reduce((sheet, box) => sheet.frame(wider(box), board.spare[0] as number), board.sheet.copy()),
  ),
  'cut to the signs': card(three, (board) => {
    const at = (of: (sign: Sign) => number): number[] => board.signs.map(of);
    const [x, y] = [Math.min(...at((s) => s.x)), Math.min(...at((s) => s.y))];
    const right = Math.max(...at((s) => s.x + s.width));
    const bottom = Math.max(...at((s) => s.y + s.height));
    return board.sheet.crop({ x, y, width: right - x, height: bottom - y });
  }),
  'twice as large': card({ signs: [any, any] }, ({ sheet }) => enlarged(sheet, 2)),
  'seen in a mirror': card(three, ({ sheet }) => sheet.map((x, y) => sheet.get(sheet.width - 1 - x, y))),
  'above the line they go': lined((board, line, ink) =>
    withLine(
      show(
        board,
        board.signs.map((sign) => (sign.y < line ? null : sign)),
      ),
      line,
      ink,
    ),
  ),
  'below the line they turn': lined((board, line, ink) =>
    withLine(
      show(
        board,
        board.signs.map((sign) => (sign.y > line ? { ...sign, colour: board.spare[0] as number } : sign)),
      ),
      line,
      ink,
    ),
  ),
  'what is above the line': lined(({ sheet }, line) =>
    sheet.crop({ x: 0, y: 0, width: sheet.width, height: line }),
  ),
  'inside the frame': (task) =>
    framed(task, (sheet, box) => sheet.map((x, y, c) => (covers(wider(box), x, y) ? c : 0))),
  'outside the frame': (task) =>
    framed(task, (sheet, box) => sheet.map((x, y, c) => (covers(wider(box), x, y) ? 0 : c))),
  'what the frame holds': (task) => framed(task, (sheet, box) => sheet.crop(box)),
  'the frame is coloured in': (task) =>
    framed(task, (sheet, box, ink) => sheet.map((x, y, c) => (c === 0 && covers(box, x, y) ? ink : c))),
};

/** A frame with dots in and around it. */
function framed(task: Draws, rule: (sheet: Sheet, inside: Box, ink: number) => Sheet): ReturnType<Concept> {
  const [wall = 1, dot = 2, ink = 3] = colours(task, 3);
  return (draws) => {
    const sheet = new Sheet(between(draws, 9, 13), between(draws, 9, 13));
    const [inside] = places(draws, sheet, [[between(draws, 3, 5), between(draws, 3, 5)]], { margin: 2 });
    if (inside === undefined) return null;
    for (let i = 0; i < 12; i++) sheet.set(draws.below(sheet.width), draws.below(sheet.height), dot);
    sheet.frame(wider(inside), wall);
    const output = rule(sheet, inside, ink);
    return same(sheet, output) ? null : { input: sheet, output };
  };
}

function counted(task: Draws): ReturnType<Concept> {
  const counts = { signs: [any, any, any, any, any], palette: 'one' } as const;
  const [ink = 1] = colours(task, 1);
  return (draws) => {
    const number = 1 + draws.below(4);
    const made = card({ ...counts, signs: counts.signs.slice(0, number) }, ({ sheet }) => sheet.map(() => 0))(
      task,
    )(draws, 0);
    return made && { input: made.input, output: new Sheet(number, 1, ink) };
  };
}
