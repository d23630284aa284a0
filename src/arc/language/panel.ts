import { findPanels } from '../grid/facts/panels.ts';
import { cropTo, image, mainColour, type Image } from './image.ts';
import { imageToImage, alone, type RuleOperation } from './operation.ts';

/** Panels as cells of a small image: one cell for each panel. */

export const panelOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'summary',
    summary: 'make one cell for each panel, in its main colour',
    ...alone(12),
    make: () => summarise,
  }),
];

function summarise(source: Image): Image | null {
  const found = findPanels(source);
  if (found === null) return null;
  const columns = new Set(found.panels.map(({ left }) => left)).size;
  const cells = found.panels.map(({ left, top, width, height }) =>
    mainColour(cropTo(source, left, top, width, height).cells),
  );
  return image(0, 0, columns, found.panels.length / columns, Uint8Array.from(cells));
}
