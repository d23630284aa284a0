import { motions, sameGrid, type Motion } from '../../src/arc/grid/grid.ts';
import {
  between,
  blank,
  colours,
  countOf,
  one,
  places,
  scene,
  shape,
  Sheet,
  shuffled,
  sides,
  snake,
  strew,
  turnedBy,
  type Concept,
} from './sheet.ts';

/** Rules that run step by step: pouring, shooting, growing, climbing, rolling, turning, stacking. */

type Way = readonly [dx: number, dy: number];

/** Water from a position: down while cells are free, then both ways along the ledge and over its ends. */
function pour(on: Sheet, x: number, from: number, water: number, ledge: number): void {
  let y = from;
  for (; on.get(x, y) === 0; y++) on.set(x, y, water);
  if (on.get(x, y) !== ledge) return;
  for (const dx of [-1, 1]) {
    let column = x + dx;
    for (; on.get(column, y) === ledge && on.get(column, y - 1) === 0; column += dx)
      on.set(column, y - 1, water);
    if (on.get(column, y - 1) === 0) pour(on, column, y - 1, water, ledge);
  }
}

/** Every colour but the wall's grows by one cell per step; a cell that two colours reach stays empty. */
function grown(from: Sheet, wall: number): Sheet {
  for (let sheet = from; ;) {
    const now = sheet;
    const next = now.map((x, y, cell) => {
      const around = new Set(sides.map(([dx, dy]) => now.get(x + dx, y + dy)));
      const reaching = [...around].filter((colour) => colour > 0 && colour !== wall);
      return cell === 0 && reaching.length === 1 ? (reaching[0] as number) : cell;
    });
    if (sameGrid(next, now)) return next;
    sheet = next;
  }
}

/** The distance to the first filled cell in a direction, and its colour; negative at the edge. */
function sight(on: Sheet, x: number, y: number, way: Way): { way: Way; far: number; colour: number } {
  for (let far = 1; ; far++) {
    const colour = on.get(x + far * way[0], y + far * way[1]);
    if (colour !== 0) return { way, far, colour };
  }
}

export const processConcepts: Readonly<Record<string, Concept>> = {
  'water runs along the ledges and over their ends': (task) => {
    const [ledge = 1, water = 2] = colours(task, 2);
    return (draws) => {
      const input = blank(draws, 13, 19);
      const bars = Array.from({ length: between(draws, 4, 6) }, () => [between(draws, 3, 7), 1] as const);
      const boxes = places(draws, input, bars, { gap: 2, margin: 2 });
      for (const box of boxes) input.rect(box, ledge);
      const x = between(draws, 2, input.width - 3);
      const output = input.set(x, 0, water).copy();
      pour(output, x, 1, water, ledge);
      const wet = boxes.filter((box) => output.get(box.x, box.y - 1) === water);
      return wet.length < 2 ? null : { input, output };
    };
  },
  'the beam takes the colour of every pane it passes': (task) => {
    const [source = 1, wall = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 15, 20), between(draws, 10, 14));
      for (let [x, i] = [between(draws, 2, 4), 0]; x < input.width - 1; x += between(draws, 3, 5), i++) {
        const height = between(draws, 3, 7);
        const box = { x, y: draws.below(input.height - height + 1), width: 1, height };
        input.rect(box, i > 0 && draws.below(4) === 0 ? wall : one(draws, palette));
      }
      const rows = [2, 5, 8].map((y) => y + draws.below(2));
      const output = input.copy();
      const passed: number[] = [];
      for (const y of rows) {
        let beam = source;
        input.set(0, y, source);
        for (let x = 0; x < input.width && output.get(x, y) !== wall; x++)
          if (output.get(x, y) === 0) output.set(x, y, beam);
          else passed.push((beam = output.get(x, y)));
      }
      const stopped = rows.some((y) => output.get(input.width - 1, y) === 0);
      return passed.length < 4 || !stopped ? null : { input, output };
    };
  },
  'vessels filled as high as there are drops above them': (task) => {
    const [glass = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const inner = Array.from({ length: between(draws, 2, 3) }, () => between(draws, 2, 4));
      const width = inner.reduce((sum, each) => sum + each + 3, 0);
      const input = new Sheet(width, between(draws, 12, 15));
      const output = input.copy();
      let x = draws.below(2);
      for (const wide of inner) {
        const [drops, tone] = [between(draws, 1, 4), one(draws, palette)];
        const top = between(draws, 5, input.height - 6);
        const glassBox = { x, y: top, width: wide + 2, height: 6 };
        const water = { x: x + 1, y: top + 5 - drops, width: wide, height: drops };
        const hollow = { x: x + 1, y: top, width: wide, height: 5 };
        const cells = Array.from({ length: wide * 4 }, (_, i) => i);
        for (const i of shuffled(draws, cells).slice(0, drops))
          input.set(x + 1 + (i % wide), Math.floor(i / wide), tone);
        input.rect(glassBox, glass).rect(hollow, 0);
        output.rect(glassBox, glass).rect(hollow, 0).rect(water, tone);
        x += wide + 3;
      }
      return { input, output };
    };
  },
  'the ball rolls down the steps until a wall stops it': (task) => {
    const [ground = 1, ball = 2, cloud = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 14, 19);
      const start = between(draws, 4, 6);
      const end = between(draws, input.width - 5, input.width - 1);
      for (let [x, top] = [0, start]; x < input.width; x++) {
        if (x === end) top -= between(draws, 2, 3);
        else if (x > 1 && x < end - 1 && draws.below(3) === 0)
          top = Math.min(input.height - 2, top + between(draws, 1, 3));
        input.rect({ x, y: top, width: 1, height: input.height }, ground);
      }
      for (let i = 0; i < 3; i++)
        input.rect({ x: draws.below(input.width), y: draws.below(2), width: 3, height: 1 }, cloud);
      const output = input.set(0, start - 1, ball).copy();
      for (let [x, y] = [0, start - 1]; output.get(x, y) === 0 || x === 0; x++)
        for (output.set(x, y, ball); output.get(x, y + 1) === 0; y++) output.set(x, y + 1, ball);
      return input.get(end - 1, start + 3) !== 0 ? null : { input, output };
    };
  },
  'colours grow round the walls until they meet': (task) => {
    const [wall = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = blank(draws, 11, 16);
      const walls = Array.from({ length: 4 }, (_, i) => {
        const long = between(draws, 4, 8);
        return i % 2 === 0 ? ([long, 1] as const) : ([1, long] as const);
      });
      for (const box of places(draws, input, walls, { gap: 1 })) input.rect(box, wall);
      const tones = shuffled(draws, palette).slice(0, between(draws, 2, 3));
      for (const tone of tones) strew(draws, input, tone, 1);
      const output = grown(input, wall);
      const shares = tones.map((tone) => output.cells.filter((cell) => cell === tone).length);
      const empty = output.cells.filter((cell) => cell === 0).length;
      return Math.min(...shares) < 12 || empty < 2 || empty > 16 ? null : { input, output };
    };
  },
  'the ant climbs over all that stands on the ground': (task) => {
    const [ground = 1, ant = 2, ...palette] = colours(task, 6);
    return (draws) => {
      const input = new Sheet(between(draws, 16, 23), between(draws, 12, 15));
      const floor = input.height - between(draws, 1, 2);
      const tops = Array.from({ length: input.width }, () => 0);
      for (let x = between(draws, 2, 4); x < input.width - 3; x += between(draws, 4, 6)) {
        const box = { x, width: between(draws, 1, 2), height: between(draws, 1, 4) };
        for (let i = 0; i < box.width; i++) tops[x + i] = box.height;
        input.rect({ ...box, y: floor - box.height }, one(draws, palette));
        if (draws.below(2) === 0)
          input.rect({ x: x + 1, y: draws.below(4), width: 3, height: 2 }, one(draws, palette));
      }
      const output = input.rect({ x: 0, y: floor, width: input.width, height: 2 }, ground).copy();
      for (const [x, top] of tops.entries()) {
        const high = Math.max(tops[x - 1] ?? 0, top, tops[x + 1] ?? 0);
        output.rect({ x, y: floor - high - 1, width: 1, height: high - top + 1 }, ant);
      }
      return { input: input.set(0, floor - 1, ant), output };
    };
  },
  'arms turn about their hubs, a quarter for each dot': (task) => {
    const [hub = 1, dot = 2, ...palette] = colours(task, 5);
    const quarters = shuffled(task, [1, 2, 3]);
    return (draws, index) => {
      const turns = quarters[index] ?? between(draws, 1, 3);
      const wheels = Array.from({ length: between(draws, 2, 3) }, () => {
        const arm = one(draws, palette);
        const wheel = new Sheet(7, 7)
          .set(3, 3, hub)
          .rect({ x: 3, y: draws.below(2), width: 1, height: 3 }, arm);
        wheel
          .set(3, 2, arm)
          .set(3, 3, hub)
          .set(one(draws, [2, 4]), between(draws, 0, 2), one(draws, palette));
        return turnedBy(wheel, motions[draws.below(4)] as Motion);
      });
      const field = scene(draws, [15, 19], wheels, { gap: 0 });
      if (field === null) return null;
      const { width, height } = field.sheet;
      const input = new Sheet(width, height + 2).paste(field.sheet, 0, 2);
      const output = new Sheet(width, height + 2);
      for (const [i, { x, y }] of field.boxes.entries())
        output.paste(turnedBy(wheels[i] as Sheet, motions[turns] as Motion), x, y + 2);
      for (let i = 0; i < turns; i++) for (const sheet of [input, output]) sheet.set(2 * i, 0, dot);
      return { input, output };
    };
  },
  'the snake laid out straight from its head': (task) => {
    const [head = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const input = blank(draws, 8, 13);
      const path = snake(draws, input, between(draws, 8, 15));
      if (path === null) return null;
      const output = new Sheet(path.length, 1).map((x) => (x === 0 ? head : one(draws, palette)));
      for (const [i, [x, y]] of path.entries()) input.set(x, y, output.get(i, 0));
      return { input, output };
    };
  },
  'the first two copies say how the steps go on': () => (draws, index) => {
    const tones = colours(draws, 2);
    const input = blank(draws, 14, 20);
    const size = between(draws, 1, 3);
    const form = shape(draws, size, size, 1);
    const far = between(draws, size + 1, size + 2);
    const [dx = 0, dy = 0] = shuffled(draws, [far, between(draws, -1, 2)]);
    const [x, y] = [between(draws, 2, input.width - 6), between(draws, 2, input.height - 6)];
    const output = input.copy();
    for (let i = -20; i < 20; i++)
      for (const sheet of i === 0 || i === 1 ? [input, output] : [output])
        sheet.paste(form, x + i * dx, y + i * dy, tones[Math.abs(i % 2)]);
    const [before, after] = [-1, 2].map((i) => output.get(x + i * dx, y + i * dy) >= 0);
    const isWhole = countOf(input) === 2 * countOf(form) && countOf(output) >= 4 * countOf(form);
    return !isWhole || (index < 2 && !(before && after)) ? null : { input, output };
  },
  'the ray takes the colour of the wall it bounces off': (task) => {
    const [ball = 1, ...palette] = colours(task, 6);
    return (draws) => {
      const [a = 1, b = 2, other = 3] = shuffled(draws, palette);
      const input = new Sheet(between(draws, 12, 16), between(draws, 14, 20));
      const left = between(draws, 1, 4);
      const right = left + between(draws, 5, 7);
      const height = input.height;
      strew(draws, input, other, 9);
      input.rect({ x: left, y: 0, width: right - left, height }, 0);
      input.rect({ x: left, y: 0, width: 1, height }, a).rect({ x: right, y: 0, width: 1, height }, b);
      let [x, dx, tone] = [between(draws, left + 2, right - 2), one(draws, [-1, 1]), ball];
      const output = input
        .set(x, 0, ball)
        .set(x + dx, 1, ball)
        .copy();
      for (let y = 0; y < height; y++, x += dx) {
        output.set(x, y, tone);
        if (x + dx > left && x + dx < right) continue;
        tone = dx < 0 ? a : b;
        dx = -dx;
      }
      return { input, output };
    };
  },
  'lamps that are switched on shine eight ways up to the blocks': (task) => {
    const [lamp = 1, button = 2, block = 3, light = 4] = colours(task, 4);
    return (draws) => {
      const input = blank(draws, 14, 19);
      const boxes = places(draws, input, '3x3 3x3 3x3 2x3 3x2 2x2 1x4 4x1 1x1 1x1');
      if (boxes.length < 9) return null;
      for (const box of boxes.slice(3)) input.rect(box, block);
      for (const { x, y } of boxes.slice(0, 3)) input.set(x + 1, y + 1, lamp);
      const lit = boxes.slice(0, between(draws, 1, 2));
      for (const { x, y } of lit) {
        const [dx, dy] = one(draws, sides);
        input.set(x + 1 + dx, y + 1 + dy, button);
      }
      const output = input.copy();
      for (const { x, y } of lit)
        for (let way = 0; way < 9; way++) {
          const [dx, dy] = [(way % 3) - 1, Math.floor(way / 3) - 1];
          for (let i = 1; [0, light].includes(output.get(x + 1 + i * dx, y + 1 + i * dy)); i++)
            output.set(x + 1 + i * dx, y + 1 + i * dy, light);
        }
      return { input, output };
    };
  },
  'shots go through the soft blocks and stop at the hard ones': (task) => {
    const [gun = 1, soft = 2, hard = 3] = colours(task, 3);
    return (draws) => {
      const input = blank(draws, 14, 19);
      const sizes = Array.from({ length: 7 }, () => [between(draws, 2, 4), between(draws, 3, 5)] as const);
      for (const box of places(draws, input, sizes, { margin: 1 }))
        input.rect(box, draws.below(3) === 0 ? hard : soft);
      input.rect({ x: 1, y: 0, width: 1, height: input.height }, 0);
      const rows = [1, 5, 9].map((y) => y + draws.below(3));
      for (const y of rows) input.set(0, y, gun);
      let [cut, spared] = [0, 0];
      const output = input.map((x, y, cell) => {
        if (cell !== soft || !rows.includes(y)) return cell;
        const isBehind = Array.from({ length: x }, (_, i) => input.get(i, y)).includes(hard);
        if (isBehind) spared++;
        else cut++;
        return isBehind ? cell : 0;
      });
      return cut < 4 || spared === 0 ? null : { input, output };
    };
  },
  'each dot is tied to the nearest block in sight': (task) => {
    const [dot = 1] = colours(task, 1);
    return (draws) => {
      const input = blank(draws, 14, 19);
      const tones = colours(draws, 9).filter((colour) => colour !== dot);
      const blocks = places(draws, input, '3x3 4x3 3x4 3x3 2x4', { gap: 3 });
      for (const [i, box] of blocks.entries()) input.rect(box, tones[i] as number);
      const output = input.copy();
      for (let [tries, dots] = [0, 0]; tries < 200 && dots < 4; tries++) {
        const [x, y] = [draws.below(input.width), draws.below(input.height)];
        const seen = sides.map((way) => sight(output, x, y, way)).filter(({ colour }) => colour > 0);
        const [nearest, next] = seen.sort((a, b) => a.far - b.far);
        if (output.get(x, y) !== 0 || nearest === undefined || next === undefined) continue;
        const isBlocked = seen.some(
          ({ way, far, colour }) => colour === dot || input.get(x + far * way[0], y + far * way[1]) === 0,
        );
        if (nearest.far < 3 || nearest.far === next.far || isBlocked) continue;
        for (let i = 1; i < nearest.far; i++)
          output.set(x + i * nearest.way[0], y + i * nearest.way[1], nearest.colour);
        for (const sheet of [input, output]) sheet.set(x, y, dot);
        dots++;
      }
      return countOf(output) - countOf(input) < 5 ? null : { input, output };
    };
  },
  'the river goes round each block on the shorter side': (task) => {
    const [water = 1, ...palette] = colours(task, 5);
    return (draws) => {
      const input = new Sheet(between(draws, 13, 17), between(draws, 15, 20));
      const bed = between(draws, 6, input.width - 7);
      const output = input.copy().rect({ x: bed, y: 0, width: 1, height: input.height }, water);
      const taken = new Set<boolean>();
      for (let y = between(draws, 2, 3); y < input.height - 4; y += between(draws, 5, 6)) {
        const [left = 1, right = 2] = shuffled(draws, [1, 2, 3, 4]);
        const [height, tone] = [between(draws, 1, 3), one(draws, palette)];
        const block = { x: bed - left, y, width: left + right + 1, height };
        const [x, width] = left < right ? [bed - left - 1, left + 2] : [bed, right + 2];
        output.frame({ x, y: y - 1, width, height: height + 2 }, water).rect(block, tone);
        input.rect(block, tone);
        taken.add(left < right);
      }
      return taken.size < 2 ? null : { input: input.set(bed, 0, water), output };
    };
  },
  'cells stack up on the base of their colour, others go': () => (draws) => {
    const [stray = 1, ...tones] = colours(draws, between(draws, 4, 5));
    const input = blank(draws, 12, 16);
    const { width, height } = input;
    const loose = new Sheet(width, height - 2);
    const counts = tones.map((tone) => strew(draws, loose, tone, between(draws, 1, 5)).length);
    strew(draws, loose, stray, between(draws, 2, 4));
    input.paste(loose, 0, 0);
    const output = new Sheet(width, height);
    const gap = Math.floor(width / tones.length);
    for (const [i, tone] of tones.entries()) {
      const x = i * gap + draws.below(gap - 1);
      input.set(x, height - 1, tone);
      output.rect({ x, y: height - 1 - (counts[i] as number), width: 1, height }, tone);
    }
    return { input, output };
  },
  'full rows vanish and what lies above them sinks': (task) => {
    const palette = colours(task, 4);
    return (draws) => {
      const [width, height, heap] = [between(draws, 8, 12), between(draws, 12, 16), between(draws, 7, 9)];
      const rows = Array.from({ length: heap }, (_, i) => {
        const isFull = draws.below(3) === 0;
        return Array.from({ length: width }, () =>
          isFull || draws.below(heap) > i * 0.6 ? one(draws, palette) : 0,
        );
      });
      const left = rows.filter((row) => row.includes(0));
      const drawn = (of: number[][]): Sheet =>
        new Sheet(width, height).map((x, y) => of[height - 1 - y]?.[x] ?? 0);
      return left.length < 3 || left.length > heap - 2 ? null : { input: drawn(rows), output: drawn(left) };
    };
  },
};
