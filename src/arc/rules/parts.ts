import { boundingBoxes, boxOf, objectsIn, type Box } from '../objects.ts';
import { findPanels } from '../facts/panels.ts';
import { otherwise, relabel } from './cells.ts';
import { sourceNames, wideFeatureNames } from './features/features.ts';
import { cropTo, withCells, type Image } from './image.ts';
import { imageToImage, type Operation } from './operation.ts';
import { Scan } from './scan.ts';
import { markedBoxes } from './split.ts';
import { readingAnswers, tablePrice } from './tables.ts';

/**
 * Cell rules in parts: every part of the image is a picture of its own, and one table holds for all of them. What a cell asks
 * (its place, its mirror place, what it sees, how many colours there are) is asked within its part.
 */
export const partKinds = ['object', 'object-wider', 'blob', 'panel', 'marked'] as const;
export type PartKind = (typeof partKinds)[number];

/** With more parts the image is a texture. */
const mostParts = 40;

export const partOperations: readonly Operation[] = [
  imageToImage({
    name: 'cells_in_parts',
    summary: 'gives every cell of each part the colour that a table names for its features within the part',
    parameters: {
      parts: { kind: 'choice', of: partKinds },
      features: { kind: 'names', of: wideFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: readingAnswers(sourceNames) },
      else: { kind: 'choice', of: otherwise },
    },
    search: [],
    price: (args) => 6 + tablePrice(args),
    make: (args) => (source, scene) => {
      const boxes = partsIn(source, args.parts);
      if (boxes === null) return null;
      const cells = source.cells.slice();
      for (const box of boxes) {
        const part = relabel(new Scan(partAt(source, box), scene.input), args);
        if (part === null) return null;
        for (let y = 0; y < box.height; y++)
          cells.set(
            part.cells.subarray(y * box.width, (y + 1) * box.width),
            (box.top + y) * source.width + box.left,
          );
      }
      return withCells(source, cells);
    },
  }),
];

export function partAt(source: Image, { left, top, width, height }: Box): Image {
  return cropTo(source, left, top, width, height);
}

/** The parts of an image; null where there are none, too many, or some that share a cell. */
export function partsIn(source: Image, kind: PartKind): readonly Box[] | null {
  const boxes =
    kind === 'panel'
      ? findPanels(source)?.panels
      : kind === 'marked'
        ? markedBoxes(source)
        : objectBoxes(source, kind);
  if (boxes === undefined || boxes.length === 0 || boxes.length > mostParts) return null;
  const taken = new Uint8Array(source.cells.length);
  for (const { left, top, width, height } of boxes)
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) {
        if (taken[y * source.width + x] === 1) return null;
        taken[y * source.width + x] = 1;
      }
  return boxes;
}

/** The boxes around the objects of a kind, perhaps one cell wider to each side. */
function objectBoxes(source: Image, kind: Exclude<PartKind, 'panel' | 'marked'>): Box[] {
  const found = objectsIn(source, kind === 'blob' ? 'blob' : 'object');
  const boxes = boundingBoxes(found, source.width);
  return Array.from({ length: found.count }, (_, label) => {
    const box = boxOf(boxes, label);
    return kind === 'object-wider' ? wider(box, source) : box;
  });
}

function wider({ left, top, width, height }: Box, within: Image): Box {
  const [fromX, fromY] = [Math.max(0, left - 1), Math.max(0, top - 1)];
  const [toX, toY] = [Math.min(within.width, left + width + 1), Math.min(within.height, top + height + 1)];
  return { left: fromX, top: fromY, width: toX - fromX, height: toY - fromY };
}
