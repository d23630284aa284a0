import { blank, image, fits, paintOver, rectangle, type Image } from './image.ts';
import type { Operation, Parameter } from './operation.ts';

/** Frames are empty images that only lend their size; `stack` paints pieces on one. */
const side: Parameter = { kind: 'integer', from: 1, to: 30 };
const times: Parameter = { kind: 'integer', from: 1, to: 10 };
const plus: Parameter = { kind: 'integer', from: -29, to: 29 };

export const frameOperations: readonly Operation[] = [
  {
    name: 'size',
    summary: 'an empty image of a fixed size',
    parameters: { width: side, height: side },
    search: [],
    takes: 'image',
    gives: 'image',
    make:
      ({ width, height }) =>
      () =>
        rectangle(0, 0, width as number, height as number, 0),
  },
  {
    name: 'size_of',
    summary: 'an empty image, so many times the size of the image, and so many cells more',
    parameters: { times_width: times, times_height: times, plus_width: plus, plus_height: plus },
    search: [],
    takes: 'image',
    gives: 'image',
    make: (args) => (source) =>
      rectangle(
        0,
        0,
        source.width * (args['times_width'] as number) + (args['plus_width'] as number),
        source.height * (args['times_height'] as number) + (args['plus_height'] as number),
        0,
      ),
  },
  {
    name: 'stack',
    summary: 'paints images on an empty frame at their places, the first one on top',
    parameters: {},
    framed: true,
    search: [],
    takes: 'list',
    gives: 'image',
    make: () => (sources, scene) => {
      if (scene.frame === null) return null;
      const canvas = blank({ ...scene.frame, x: 0, y: 0 });
      for (const source of [...sources].reverse())
        paintOver(canvas, canvas.cells, atPlace(source, scene.frame));
      return fits(canvas.width, canvas.height) ? canvas : null;
    },
  },
];

/** An image of the frame's own size covers it; only other images keep their place. */
function atPlace(source: Image, frame: Image): Image {
  return source.width === frame.width && source.height === frame.height
    ? image(0, 0, source.width, source.height, source.cells)
    : source;
}
