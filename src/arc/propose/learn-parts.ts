import { featureNames } from '../rules/features/features.ts';
import { haveSizesOf, type Image } from '../rules/image.ts';
import type { Arguments } from '../rules/operation.ts';
import { partAt, partKinds, partsIn, type PartKind } from '../rules/parts.ts';
import { Scan } from '../rules/scan.ts';
import { offered } from '../rules/vocabulary.ts';
import type { LearnLimits } from './decide.ts';
import { featureColumns, imageEnds, joinCells, learnTables } from './learn.ts';
import { rivalsOf, type LearnedRule } from './rivals.ts';
import { cellsAnEvaluation } from './work.ts';

/**
 * Learns cell rules in parts: the cells of all parts are rows, what each is within its part the columns. Outside the parts
 * nothing may change.
 */
export function learnParts(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): LearnedRule[] {
  if (!haveSizesOf(bases, targets)) return [];
  const rules: LearnedRule[] = [];
  for (const parts of partKinds) {
    if (limits.work.isOver) break;
    const cut = bases.map((base) => cutInto(base, parts));
    if (!cut.every((one) => one !== null) || cut.every(isWhole(bases))) continue;
    const wanted = targets.map((target, i) => wantedIn(bases[i] as Image, target, parts));
    if (!wanted.every((one) => one !== null)) continue;
    const scans = cut.flatMap((images, i) => images.map((image) => new Scan(image, bases[i])));
    const pairEnd = imageEnds(cut.map((images) => ({ cells: joinCells(images) })));
    limits.work.spend((featureNames.length * (pairEnd.at(-1) as number)) / cellsAnEvaluation.made);
    const lesson = {
      raw: featureColumns(scans, offered('cell feature', featureNames)),
      beside: [],
      wanted: joinCells(wanted.flat()),
      pairEnd,
      trainPairs: targets.length,
    };
    for (const { columns, table, held, cost } of learnTables(lesson, limits, most).decided) {
      const features = columns.map(({ name }) => name);
      const args: Arguments = { parts, features, table, else: 'keep' };
      if (Object.values(table).some((answer) => answer !== '@self')) rules.push({ args, held, cost });
    }
  }
  return rivalsOf('cells_in_parts', rules, bases.slice(targets.length), most);
}

function cutInto(source: Image, kind: PartKind): readonly Image[] | null {
  return partsIn(source, kind)?.map((box) => partAt(source, box)) ?? null;
}

/** Whether the only part of an image is all of it. */
function isWhole(bases: readonly Image[]): (images: readonly Image[] | null, i: number) => boolean {
  return (images, i) => images?.length === 1 && images[0]?.cells.length === bases[i]?.cells.length;
}

/** What an output shows where the parts of its input are; null where it differs from the input elsewhere. */
function wantedIn(base: Image, target: Image, kind: PartKind): readonly Image[] | null {
  const boxes = partsIn(base, kind);
  if (boxes === null) return null;
  const inside = new Uint8Array(base.cells.length);
  for (const { left, top, width, height } of boxes)
    for (let y = top; y < top + height; y++)
      inside.fill(1, y * base.width + left, y * base.width + left + width);
  if (target.cells.some((cell, i) => inside[i] === 0 && cell !== base.cells[i])) return null;
  return boxes.map((box) => partAt(target, box));
}
