import type { Grid } from '../grid.ts';
import { boundingBoxes, boxOf, componentSizes, objectsIn, type ObjectKind } from '../objects.ts';

export interface ObjectFact {
  readonly colour: number;
  readonly size: number;
  /** Left, top, width and height. */
  readonly box: readonly [number, number, number, number];
}

/** The objects of one colour on the background, by place: top to bottom, left to right. */
export function objectFacts(grid: Grid, kind: ObjectKind, background: number): ObjectFact[] {
  const found = objectsIn(grid, kind, background);
  const boxes = boundingBoxes(found, grid.width);
  const sizes = componentSizes(found);
  const objects = Array.from({ length: found.count }, (_, label): ObjectFact => {
    const { left, top, width, height } = boxOf(boxes, label);
    return {
      colour: grid.cells[found.labels.indexOf(label)] ?? 0,
      size: sizes[label] ?? 0,
      box: [left, top, width, height],
    };
  });
  return objects.sort(
    (a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0] || a.colour - b.colour || a.size - b.size,
  );
}
