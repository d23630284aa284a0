import type { Scan } from '../scan.ts';

/** Features of the panel that a cell belongs to. */

const edge = 10;

type PanelBox = { left: number; top: number; width: number; height: number };

export function perPanel(
  scan: Scan,
  valueOf: (panel: PanelBox, panels: readonly PanelBox[]) => number,
): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  for (const panel of panels) {
    const value = valueOf(panel, panels);
    for (let y = panel.top; y < panel.top + panel.height; y++)
      column.fill(value, y * scan.width + panel.left, y * scan.width + panel.left + panel.width);
  }
  return column;
}

/** Rank from 1: the number of rows or columns of panels up to this one. */
export function ranked(
  panels: readonly PanelBox[],
  side: 'left' | 'top',
  isBefore: (at: number) => boolean,
): number {
  return 1 + new Set(panels.map((panel) => panel[side]).filter(isBefore)).size;
}

/** The first filled cell at the same place in any panel. */
export function panelUnion(scan: Scan): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  for (const panel of panels) {
    for (let y = 0; y < panel.height; y++) {
      for (let x = 0; x < panel.width; x++) {
        for (const other of panels) {
          if (x >= other.width || y >= other.height) continue;
          const colour = scan.at(other.left + x, other.top + y);
          if (colour === 0) continue;
          column[(panel.top + y) * scan.width + panel.left + x] = colour;
          break;
        }
      }
    }
  }
  return column;
}

/**
 * Compares a panel's cell with the cells at its position in the other panels, ignoring colours: 0 all are empty, 1 it
 * is empty but not all others are, 2 only it is filled, 3 some others are filled too, 4 all are filled.
 */
export function panelShare(scan: Scan): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  for (const { left, top, width, height } of panels)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const shown = panels.map((other) => scan.at(other.left + x, other.top + y));
        const filled = shown.filter((cell) => cell !== 0 && cell !== edge).length;
        const isFilled = scan.at(left + x, top + y) !== 0;
        column[(top + y) * scan.width + left + x] = isFilled
          ? filled === 1
            ? 2
            : filled === panels.length
              ? 4
              : 3
          : Math.min(1, filled);
      }
  return column;
}
