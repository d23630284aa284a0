import { increase } from '../grid/grid.ts';
import { findPanels } from '../grid/facts/panels.ts';
import { image, type Image } from './image.ts';
import { imageToImage, overChoices, type RuleOperation } from './operation.ts';

/** Panels as cells of a small image: one cell for each panel, or one panel taken for all. */
const summaries = ['main', 'solid', 'common', 'fullest'] as const;

export const panelOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'summary',
    summary:
      'one cell for each panel: its main colour, its colour when filled, the ground, or only the fullest panel',
    ...overChoices('by', summaries, 12),
    make:
      ({ by }) =>
      (source) =>
        summarise(source, by),
  }),
];

function summarise(source: Image, by: string): Image | null {
  const found = findPanels(source);
  if (found === null) return null;
  const columns = new Set(found.panels.map(({ left }) => left)).size;
  const tallies = found.panels.map(({ left, top, width, height }) => {
    const tally = new Uint32Array(10);
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) increase(tally, source.cells[y * source.width + x] ?? 0);
    return tally;
  });
  const filled = tallies.map((tally) =>
    tally.reduce((sum, count, colour) => sum + (colour === 0 ? 0 : count), 0),
  );
  const most = Math.max(...filled);
  const cells = tallies.map((tally, i) => {
    const main = mainOf(tally);
    switch (by) {
      case 'main':
        return main;
      case 'solid':
        return tally[0] === 0 ? main : 0;
      case 'common':
        return tally.indexOf(Math.max(...tally));
      default:
        return filled[i] === most ? main : 0;
    }
  });
  return image(0, 0, columns, found.panels.length / columns, Uint8Array.from(cells));
}

function mainOf(tally: Uint32Array): number {
  const colours = tally.slice(1);
  const most = Math.max(...colours);
  return most === 0 ? 0 : 1 + colours.indexOf(most);
}
