import { definite } from '../../core/errors.ts';
import { sides as steps, slides, sceneOf, type Offset, type BodyScene } from './actions.ts';
import { withCells, type Image } from './image.ts';
import { drawMoved } from './moves.ts';
import { imageToImage, overChoices, overColours, type RuleOperation } from './operation.ts';
import { Scan } from './scan.ts';

/** Falling cells, and objects that slide until something stops them. */
const sides = ['down', 'up', 'left', 'right'] as const;
export const gravityOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'fall',
    summary: 'let every filled cell fall {to}',
    ...overChoices('to', sides, 12),
    make:
      ({ to }) =>
      (source) =>
        fallCells(source, definite(steps[to])),
  }),
  imageToImage({
    name: 'attract',
    summary: 'slide the objects towards the cells of colour {colour} until they touch',
    ...overColours('input', 14),
    rootOnly: true,
    make:
      ({ colour }) =>
      (source) =>
        attract(source, colour),
  }),
];

function fallCells(source: Image, [dx, dy]: readonly [number, number]): Image {
  const { width, height, cells } = source;
  const out = new Uint8Array(cells.length);
  const lines = dx === 0 ? width : height;
  const length = dx === 0 ? height : width;
  for (let line = 0; line < lines; line++) {
    let to = 0;
    for (let i = 0; i < length; i++) {
      const along = dx + dy > 0 ? length - 1 - i : i;
      const colour = definite(dx === 0 ? cells[along * width + line] : cells[line * width + along]);
      if (colour === 0) continue;
      const place = dx + dy > 0 ? length - 1 - to : to;
      out[dx === 0 ? place * width + line : line * width + place] = colour;
      to++;
    }
  }
  return withCells(source, out);
}

/** Objects of one colour slide, each in its own direction; those without a direction stay. */
function slide(source: Image, ways: (scene: BodyScene) => (Offset | null)[]): Image {
  const scene = sceneOf(source, new Scan(source).objects('blob'));
  return drawMoved(source, scene, slides(scene, ways(scene)), 'nothing');
}

function attract(source: Image, colour: number): Image | null {
  if (!source.cells.includes(colour)) return null;
  return slide(source, (scene) =>
    scene.bodies.map((body, label) =>
      body.colour === colour ? null : wayTo(source, scene.labels, label, colour),
    ),
  );
}

/** The direction in which an object first meets the colour; null when it meets none. */
function wayTo({ width, height, cells }: Image, labels: Int16Array, label: number, colour: number) {
  let best: readonly [number, number] | null = null;
  let nearest = Infinity;
  for (const side of sides) {
    const step = definite(steps[side]);
    for (let i = 0; i < cells.length; i++) {
      if (labels[i] !== label) continue;
      let x = (i % width) + step[0];
      let y = Math.floor(i / width) + step[1];
      for (let distance = 1; x >= 0 && y >= 0 && x < width && y < height && distance < nearest; distance++) {
        if (cells[y * width + x] === colour) {
          nearest = distance;
          best = step;
        }
        x += step[0];
        y += step[1];
      }
    }
  }
  return best;
}
