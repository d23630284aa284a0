import { boundingBoxes, components, componentSizes, type Connectivity } from '../components.ts';
import type { Grid } from '../grid.ts';

export interface ObjectFact {
  readonly colour: number;
  readonly size: number;
  /** Left, top, width and height. */
  readonly box: readonly [number, number, number, number];
}

/** The objects of one colour on the background, by place: top to bottom, left to right. */
export function objectsOf(grid: Grid, connectivity: Connectivity, background: number): ObjectFact[] {
  const found = components(grid.cells, grid.width, grid.height, connectivity, true, background);
  const boxes = boundingBoxes(found, grid.width);
  const sizes = componentSizes(found);
  const objects = Array.from({ length: found.count }, (_, label): ObjectFact => {
    const [left, top, right, bottom] = boxes.subarray(label * 4, label * 4 + 4) as unknown as number[] as [
      number,
      number,
      number,
      number,
    ];
    return {
      colour: grid.cells[found.labels.indexOf(label)] as number,
      size: sizes[label] as number,
      box: [left, top, right - left + 1, bottom - top + 1],
    };
  });
  return objects.sort(
    (a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0] || a.colour - b.colour || a.size - b.size,
  );
}
