import type { Scan } from '../scan.ts';

/** Features of the panel that a cell belongs to. */

type PanelBox = { left: number; top: number; width: number; height: number };

export function perPanel(
  scan: Scan,
  valueOf: (panel: PanelBox, rank: (value: number, side: 'left' | 'top') => number) => number,
): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  const rank = (value: number, side: 'left' | 'top'): number =>
    1 + new Set(panels.filter((panel) => panel[side] < value).map((panel) => panel[side])).size;
  for (const panel of panels) {
    const value = valueOf(panel, rank);
    for (let y = panel.top; y < panel.top + panel.height; y++)
      column.fill(value, y * scan.width + panel.left, y * scan.width + panel.left + panel.width);
  }
  return column;
}

export function panelCount(scan: Scan, panel: PanelBox): number {
  let count = 0;
  for (let y = panel.top; y < panel.top + panel.height; y++)
    for (let x = panel.left; x < panel.left + panel.width; x++)
      if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

export function panelExtreme(scan: Scan, sign: number): Uint8Array {
  const counts = (scan.panels?.panels ?? []).map((panel) => sign * panelCount(scan, panel));
  const most = Math.max(...counts);
  return perPanel(scan, (panel) => (sign * panelCount(scan, panel) === most ? 2 : 1));
}

export function panelMain(scan: Scan, panel: PanelBox): number {
  const tally = new Uint32Array(10);
  for (let y = panel.top; y < panel.top + panel.height; y++)
    for (let x = panel.left; x < panel.left + panel.width; x++)
      (tally[scan.cells[y * scan.width + x] as number] as number)++;
  tally[0] = 0;
  const most = Math.max(...tally);
  return most === 0 ? 0 : tally.indexOf(most);
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

/** The panel with the most filled cells, where it is the only one: what the others may be like. */
function modelPanel(scan: Scan): PanelBox | null {
  const panels = scan.panels?.panels ?? [];
  const counts = panels.map((panel) => panelCount(scan, panel));
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  return first < 0 || counts.lastIndexOf(most) !== first ? null : (panels[first] as PanelBox);
}

/** The cell at the same place in the model panel. */
export function panelModel(scan: Scan): Uint8Array {
  return fromModel(scan, (_panel, x, y) => [x, y]);
}

/** The cell of the model panel that stands for a cell's whole panel: panels lie in the grid as cells lie in a panel. */
export function panelKey(scan: Scan): Uint8Array {
  const panels = scan.panels?.panels ?? [];
  const placeOf = (side: 'left' | 'top'): ReadonlyMap<number, number> =>
    new Map([...new Set(panels.map((panel) => panel[side]))].map((at, place) => [at, place]));
  const [columns, rows] = [placeOf('left'), placeOf('top')];
  return fromModel(scan, ({ left, top }) => [columns.get(left) as number, rows.get(top) as number]);
}

function fromModel(
  scan: Scan,
  placeOf: (panel: PanelBox, x: number, y: number) => readonly [x: number, y: number],
): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const model = modelPanel(scan);
  if (model === null) return column;
  for (const panel of scan.panels?.panels ?? [])
    for (let y = 0; y < panel.height; y++)
      for (let x = 0; x < panel.width; x++) {
        const [fromX, fromY] = placeOf(panel, x, y);
        if (fromX >= model.width || fromY >= model.height) continue;
        column[(panel.top + y) * scan.width + panel.left + x] = scan.at(
          model.left + fromX,
          model.top + fromY,
        );
      }
  return column;
}
