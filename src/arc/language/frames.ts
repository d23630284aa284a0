import { definite } from '../../core/errors.ts';
import { blank, image, fits, paintOver, rectangle, type Image } from './image.ts';
import { imageToImage, listToImage, type RuleOperation, type Parameter } from './operation.ts';

/** Frames are empty images that only provide a size; `stack` paints pieces on one. */
const side: Parameter = { kind: 'integer', from: 1, to: 30 };
const times: Parameter = { kind: 'integer', from: 1, to: 10 };
const plus: Parameter = { kind: 'integer', from: -29, to: 29 };

/** The price of each further piece. */
export const layerPrice = 8;

export const frameOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'size',
    summary: 'take an empty image of {width} by {height} cells',
    parameters: { width: side, height: side },
    search: [],
    price: () => 4,
    make:
      ({ width, height }) =>
      () =>
        rectangle(0, 0, width, height, 0),
  }),
  imageToImage({
    name: 'size_of',
    summary:
      'take an empty image of {times_width} times the width plus {plus_width} and {times_height} times the height plus {plus_height}',
    parameters: { times_width: times, times_height: times, plus_width: plus, plus_height: plus },
    search: [],
    // Plain multiples are more likely than sums.
    price: ({ plus_width, plus_height }) => (plus_width !== 0 || plus_height !== 0 ? 11 : 5),
    make: (args) => (source) =>
      rectangle(
        0,
        0,
        source.width * args.times_width + args.plus_width,
        source.height * args.times_height + args.plus_height,
        0,
      ),
  }),
  listToImage({
    name: 'sides',
    summary: 'take an empty image as wide as the first image and as high as the last',
    parameters: {},
    search: [],
    price: () => 4,
    make: () => (sources) => rectangle(0, 0, definite(sources[0]).width, definite(sources.at(-1)).height, 0),
  }),
  listToImage({
    name: 'stack',
    summary: 'paint the images on an empty frame at their places, the first one on top',
    parameters: {},
    framed: true,
    search: [],
    price: (_, layers) => layerPrice * layers,
    make: () => (sources, scene) => {
      if (scene.frame === null) return null;
      const canvas = blank({ ...scene.frame, x: 0, y: 0 });
      for (const source of [...sources].reverse())
        paintOver(canvas, canvas.cells, atPlace(source, scene.frame));
      return fits(canvas.width, canvas.height) ? canvas : null;
    },
  }),
];

/** An image of the frame's own size covers it; other images keep their position. */
function atPlace(source: Image, frame: Image): Image {
  return source.width === frame.width && source.height === frame.height
    ? image(0, 0, source.width, source.height, source.cells)
    : source;
}
