import {
  boundingBoxes,
  boxOf,
  isScattered,
  objectKinds,
  objectsIn,
  type Box,
  type ObjectKind,
} from '../grid/objects.ts';
import { findPanels } from '../grid/facts/panels.ts';
import { cropTo, mainColour, mapped, type Image } from './image.ts';
import {
  imageToList,
  alone,
  nonZeroColours,
  overChoices,
  variantsOver,
  type RuleOperation,
  type Variant,
} from './operation.ts';

/** Image → list: objects, colours, lines, panels, parts inside corner marks. */
/**
 * Lists cost less than a plain step, so that they are expanded first: few operations follow, and a pick turns them
 * into images.
 */
const listing: readonly Variant[] = [{ args: {}, cost: 8 }];
/**
 * Objects whose cells do not touch rarely form the list that a rule needs; nor do those that touch at sides with
 * mixed colours.
 */
function cutCost(kind: ObjectKind): number {
  return kind === 'block' || isScattered(kind) ? 9 : 7;
}

export const splitOperations: readonly RuleOperation[] = [
  imageToList({
    name: 'cut',
    summary: 'take the objects ({by}), each with nothing else in its box',
    parameters: { by: { kind: 'choice', of: objectKinds } },
    search: objectKinds
      .filter((by) => by !== 'group')
      .map((by): Variant => ({ args: { by }, cost: cutCost(by) })),
    make:
      ({ by }) =>
      (source) =>
        cut(source, by),
  }),
  imageToList({
    name: 'cut_on_main',
    summary: 'take the objects on a ground of the main colour, with that ground as empty',
    ...alone(9),
    make: () => (source) => {
      const main = mainColour(source.cells);
      return cut(
        mapped(source, (cell) => (cell === main ? 0 : cell)),
        'object',
      );
    },
  }),
  imageToList({
    name: 'by_colour',
    summary: 'make one image for each colour',
    parameters: {},
    search: listing,
    make: () => (source) =>
      nonZeroColours
        .filter((colour) => source.cells.includes(colour))
        .map((colour) => mapped(source, (cell) => (cell === colour ? colour : 0))),
  }),
  imageToList({
    name: 'panels',
    summary: 'take the parts between separator lines',
    parameters: {},
    search: listing,
    make: () => (source) =>
      findPanels(source)?.panels.map((panel) =>
        cropTo(source, panel.left, panel.top, panel.width, panel.height),
      ) ?? null,
  }),
  imageToList({
    name: 'parts',
    summary: 'cut into equal parts ({way})',
    parameters: {
      way: { kind: 'choice', of: ['squares', 'halves-across', 'halves-down', 'quarters', 'thirds'] },
    },
    search: variantsOver('way', ['squares', 'halves-across', 'halves-down', 'quarters', 'thirds'], 9),
    make:
      ({ way }) =>
      (source) =>
        equalParts(source, way),
  }),
  imageToList({
    name: 'marked',
    summary: 'take the rectangles whose corners are marked in one colour, {marks} the marks',
    ...overChoices('marks', ['without', 'with'], 9),
    make:
      ({ marks }) =>
      (source) =>
        markedParts(source, marks === 'with' ? 0 : 1),
  }),
  imageToList({
    name: 'framed_parts',
    summary: 'take the contents of rectangular frames of one colour',
    ...alone(9),
    make: () => insideFrames,
  }),
];

/** Crops each object to its box, without parts of other objects inside the box. */
function cut(source: Image, kind: ObjectKind): Image[] | null {
  const found = objectsIn(source, kind);
  if (found.count === 0 || found.count > 100) return null;
  const boxes = boundingBoxes(found, source.width);
  return Array.from({ length: found.count }, (_, label) => {
    const { left, top, width, height } = boxOf(boxes, label);
    const part = cropTo(source, left, top, width, height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (found.labels[(top + y) * source.width + left + x] !== label) part.cells[y * width + x] = 0;
    return part;
  });
}

function equalParts(source: Image, way: string): Image[] | null {
  const { width, height } = source;
  const [across, down] = partCounts(way, width, height);
  if (across * down < 2 || ![across, down, width / across, height / down].every(Number.isInteger))
    return null;
  const list: Image[] = [];
  const partWidth = width / across;
  const partHeight = height / down;
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++)
      list.push(cropTo(source, x * partWidth, y * partHeight, partWidth, partHeight));
  return list;
}

function partCounts(way: string, width: number, height: number): [across: number, down: number] {
  switch (way) {
    case 'halves-across':
      return [2, 1];
    case 'halves-down':
      return [1, 2];
    case 'quarters':
      return [2, 2];
    case 'thirds':
      return [3, 3];
    default:
      return width > height ? [width / height, 1] : [1, height / width];
  }
}

/** `inset` 1 excludes the marks, 0 includes them. */
function markedParts(source: Image, inset: 0 | 1): Image[] | null {
  const list = markedBoxes(source).map(({ left, top, width, height }) =>
    cropTo(source, left + inset, top + inset, width - 2 * inset, height - 2 * inset),
  );
  return list.length === 0 ? null : list;
}

/** The rectangles whose four corners are marked in one colour. */
function markedBoxes(source: Image): { left: number; top: number; width: number; height: number }[] {
  const { width, height, cells } = source;
  const found: Box[] = [];
  const at = (x: number, y: number): number => cells[y * width + x] ?? 0;
  for (let top = 0; top < height - 2; top++) {
    for (let left = 0; left < width - 2; left++) {
      const colour = at(left, top);
      if (colour === 0) continue;
      for (let bottom = top + 2; bottom < height; bottom++) {
        if (at(left, bottom) !== colour) continue;
        for (let right = left + 2; right < width; right++) {
          if (at(right, top) !== colour || at(right, bottom) !== colour) continue;
          if (plainEdges(source, { left, top, right, bottom }, colour))
            found.push({ left, top, width: right - left + 1, height: bottom - top + 1 });
          break;
        }
        break;
      }
    }
  }
  return found;
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Corner marks are separate: the edges between them do not have the mark's colour. */
function plainEdges({ width, cells }: Image, { left, top, right, bottom }: Edges, colour: number): boolean {
  for (let x = left + 1; x < right; x++)
    if (cells[top * width + x] === colour || cells[bottom * width + x] === colour) return false;
  for (let y = top + 1; y < bottom; y++)
    if (cells[y * width + left] === colour || cells[y * width + right] === colour) return false;
  return true;
}

function insideFrames(source: Image): Image[] | null {
  const found = objectsIn(source, 'piece', -1);
  const boxes = boundingBoxes(found, source.width);
  const list: Image[] = [];
  for (let label = 0; label < found.count; label++) {
    const { left, top, width, height } = boxOf(boxes, label);
    if (width < 3 || height < 3 || (width === source.width && height === source.height)) continue;
    if (
      frameCloses(
        found.labels,
        source.width,
        { left, top, right: left + width - 1, bottom: top + height - 1 },
        label,
      )
    )
      list.push(cropTo(source, left + 1, top + 1, width - 2, height - 2));
  }
  return list.length === 0 || list.length > 100 ? null : list;
}

function frameCloses(
  labels: Int16Array,
  width: number,
  { left, top, right, bottom }: Edges,
  label: number,
): boolean {
  for (let x = left; x <= right; x++)
    if (labels[top * width + x] !== label || labels[bottom * width + x] !== label) return false;
  for (let y = top; y <= bottom; y++)
    if (labels[y * width + left] !== label || labels[y * width + right] !== label) return false;
  return true;
}
