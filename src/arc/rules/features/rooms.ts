import { objectsIn, type Components } from '../../objects.ts';
import { remembered } from '../remember.ts';
import type { Scan } from '../scan.ts';
import type { Column } from './column.ts';

/**
 * Rooms are what the main colour walls off, with all that stands in them: unlike empty regions, dots do not cut them up.
 */
interface Rooms {
  readonly found: Components;
  /** The filled cells in each room, by colour. */
  readonly tallies: readonly Uint16Array[];
  /** The rooms across a wall that is one cell thick. */
  readonly beside: readonly ReadonlySet<number>[];
}

const mostRooms = 100;

/** Null where nothing is walled off, or too much for it to be a plan of rooms. */
function roomsOf(scan: Scan): Rooms | null {
  return remembered(scan, 'rooms', () => {
    const { width, height, cells, main } = scan;
    const open = cells.map((cell) => Number(cell !== main));
    const found = objectsIn({ width, height, cells: open }, 'piece');
    if (main === 0 || found.count < 2 || found.count > mostRooms) return null;
    const tallies = Array.from({ length: found.count }, () => new Uint16Array(10));
    const beside = tallies.map(() => new Set<number>());
    for (let i = 0; i < cells.length; i++) {
      const room = found.labels[i] as number;
      if (room >= 0) {
        const tally = tallies[room] as Uint16Array;
        tally[cells[i] as number] = (tally[cells[i] as number] as number) + 1;
        continue;
      }
      const x = i % width;
      if (x > 0 && x < width - 1) join(beside, found.labels[i - 1], found.labels[i + 1]);
      if (i >= width && i < cells.length - width)
        join(beside, found.labels[i - width], found.labels[i + width]);
    }
    for (const tally of tallies) tally[0] = 0;
    return { found, tallies, beside };
  });
}

export function hasRooms(scan: Scan): boolean {
  return roomsOf(scan) !== null;
}

function join(beside: readonly Set<number>[], one = -1, two = -1): void {
  if (one < 0 || two < 0 || one === two) return;
  beside[one]?.add(two);
  beside[two]?.add(one);
}

function perRoom(scan: Scan, valueOf: (rooms: Rooms, room: number) => number): Uint8Array {
  const rooms = roomsOf(scan);
  const column = new Uint8Array(scan.cells.length);
  if (rooms === null) return column;
  const values = rooms.tallies.map((_, room) => valueOf(rooms, room));
  return column.map((_, i) => values[rooms.found.labels[i] as number] ?? 0);
}

/** How many filled cells stand in the room of a cell. */
export function roomCounts(scan: Scan): Uint8Array {
  return perRoom(scan, ({ tallies }, room) =>
    Math.min(
      99,
      (tallies[room] as Uint16Array).reduce((sum, count) => sum + count, 0),
    ),
  );
}

/** The colour that a room holds most of, or none. */
function held({ tallies }: Rooms, room: number): number {
  const tally = tallies[room] as Uint16Array;
  const most = Math.max(...tally);
  return most === 0 ? 0 : tally.indexOf(most);
}

export const roomColours: Readonly<Record<string, Column>> = {
  'room-main': (scan) => perRoom(scan, held),
  /** The one colour that rooms beside a cell's room hold. */
  'room-beside': (scan) =>
    perRoom(scan, (rooms, room) => {
      const colours = new Set([...(rooms.beside[room] ?? [])].map((other) => held(rooms, other)));
      colours.delete(0);
      return colours.size === 1 ? ([...colours][0] as number) : 0;
    }),
};
export const roomFeatures: Readonly<Record<string, Column>> = { 'room-count': roomCounts };
