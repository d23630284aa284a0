import { sameCells } from '../grid.ts';
import { isScattered, objectKinds } from '../objects.ts';
import { sceneOf, type Scene } from '../rules/actions.ts';
import { haveSizesOf, type Image } from '../rules/image.ts';
import { bind, nonZeroColours, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';
import { Scan } from '../rules/scan.ts';
import { mostTreated, treatmentsPrice, writings, type Writing } from '../rules/treat.ts';
import type { Written } from '../rules/treatment-subject.ts';
import { colourSourceNames, inColour, isAlongLine, readColour } from '../rules/treatment-colours.ts';
import { treatmentNames, treatmentsNaming, written } from '../rules/treatments.ts';
import { decide, mostAnswers, type Decision, type LearnLimits } from './decide.ts';
import { bodyEnds, objectColumns } from './learn-moves.ts';
import { rivalsOf, type LearnedRule } from './rivals.ts';
import { cellsAnEvaluation, type Work } from './work.ts';

/** With more training objects the grids are textures, and every treatment of every object would take a second. */
const mostRows = 120;

/**
 * Learns what is done to each object. Every object is a row, its features are columns, and the answers are the treatments that
 * write only what the output shows and, of these, as many changed cells as any; the table learner of cells does the rest.
 */
export function learnTreatments(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): LearnedRule[] {
  if (!haveSizesOf(bases, targets)) return [];
  const scans = bases.map((base) => new Scan(base));
  const made = changedColours(bases, targets);
  const names = [...treatmentNames, ...treatmentsNaming(firmColours(bases, targets))];
  const rules: LearnedRule[] = [];
  const seen = new Set<string>();
  for (const objects of objectKinds) {
    // cells that do not hang together are objects only where no other rule holds without any one pair
    if (limits.work.isOver || (isScattered(objects) && rules.some(({ held }) => held === 1))) break;
    const sets = scans.map((scan) => scan.objects(objects));
    const key = sets.map(({ found }) => found.labels.join()).join('|');
    if (seen.has(key) || sets.some(({ images }) => images.length === 0 || images.length > mostTreated))
      continue;
    if (sets.slice(0, targets.length).reduce((sum, { images }) => sum + images.length, 0) > mostRows)
      continue;
    seen.add(key);
    const scenes = sets.map((set, i) => sceneOf(bases[i] as Image, set));
    const drawn = drawnTreatments(bases, scenes.slice(0, targets.length), names, limits.work);
    for (const on of writings) {
      const lessons = rightTreatments({ bases, targets, scenes, drawn, on, work: limits.work }, made);
      if (lessons.length === 0) continue;
      const columns = objectColumns(scans, scenes);
      for (const lesson of lessons) {
        const { decided } = decide(
          { columns, pairEnd: bodyEnds(scenes), trainPairs: targets.length, ...lesson },
          limits,
          // some of them fail when all objects are treated at once
          2 * most,
        );
        const before = rules.length;
        for (const decision of decided) {
          const features = decision.columns.map(({ name }) => name);
          if (features.length > 1 && features.includes('any')) continue;
          const args = { objects, features, table: decision.table, on };
          if (fitsAll(args, bases, targets))
            rules.push({ args, held: decision.held, cost: costOf(decision) });
        }
        // what few treatments explain, more need not explain again
        if (rules.slice(before).some(({ held }) => held === 1)) break;
      }
    }
  }
  return rivalsOf('treat_objects', rules, bases.slice(targets.length), most);
}

interface Trial {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly scenes: readonly Scene[];
  readonly drawn: readonly Drawn[];
  readonly on: Writing;
  readonly work: Work;
}

/** What a treatment writes for every object of every training pair, in the object's own colours. */
interface Drawn {
  readonly name: string;
  readonly ones: readonly (readonly Written[])[];
}

function drawnTreatments(
  bases: readonly Image[],
  scenes: readonly Scene[],
  names: readonly string[],
  work: Work,
): Drawn[] {
  return names.map((name) => {
    const ones = scenes.map((scene, i) =>
      scene.bodies.map((_, self) => written(bases[i] as Image, scene, self, name)),
    );
    work.spend(placesIn(ones) / cellsAnEvaluation.tabled);
    return { name, ones };
  });
}

function placesIn(ones: Drawn['ones']): number {
  return ones.flat().reduce((sum, { places }) => sum + places.length, 0);
}

/** What a treatment does to the training objects. */
interface Tried {
  readonly treatment: string;
  /** For each object the number of changed cells that it explains, or −1 where it writes a wrong cell. */
  readonly explained: Int32Array;
  /** For each object these cells. */
  readonly cellsBy: readonly (readonly number[])[];
  /** The changed cells that it explains, all pairs in one row. */
  readonly cells: ReadonlySet<number>;
}

interface Rights {
  readonly answers: readonly string[];
  /** Bit n of an object: treatment n is right. */
  readonly right: Uint32Array;
}

/**
 * What is right for every object, in two ways: with the fewest treatments that explain all changed cells, and with as many as a
 * table can name. None where some changed cell is explained by none, so that no table can be right.
 */
function rightTreatments(trial: Trial, made: readonly string[]): Rights[] {
  const [keep, ...others] = triedTreatments(trial, made) as [Tried, ...Tried[]];
  const cover = covering(others, changedCells(trial));
  if (cover === null || cover.length > mostAnswers - 1) return [];
  const rest = others.filter((one) => !cover.includes(one)).sort((a, b) => b.cells.size - a.cells.size);
  const all = [...cover, ...rest].slice(0, mostAnswers - 1);
  const few = rightsOf(keep, cover);
  // an object may be kept as well where others explain all that it could
  const shared = sharedCells(cover);
  for (let row = 0; row < few.right.length; row++)
    if (cover.every(({ cellsBy }) => cellsBy[row]?.every((cell) => shared.has(cell)) ?? true))
      few.right[row] = (few.right[row] as number) | 1;
  const drop = few.answers.indexOf('drop');
  if (drop > 0)
    for (const row of paintedOver(trial, cover)) few.right[row] = (few.right[row] as number) | (1 << drop);
  return [few, rightsOf(keep, all)];
}

/** A treatment is right where it writes nothing wrong and, where some treatment can, explains a changed cell. */
function rightsOf(keep: Tried, others: readonly Tried[]): Rights {
  const answers = [keep, ...others];
  const right = new Uint32Array(keep.explained.length);
  for (let row = 0; row < right.length; row++) {
    const least = Math.min(1, Math.max(...answers.map(({ explained }) => explained[row] as number)));
    for (const [bit, { explained }] of answers.entries())
      if ((explained[row] as number) >= least) right[row] = (right[row] as number) | (1 << bit);
  }
  return { answers: answers.map(({ treatment }) => treatment), right };
}

/** Objects that may be dropped although the output shows cells where they were: other objects paint these. */
function paintedOver({ bases, targets, scenes }: Trial, cover: readonly Tried[]): number[] {
  const rows: number[] = [];
  let first = 0;
  for (const [pair, target] of targets.entries()) {
    const { bodies } = scenes[pair] as Scene;
    const painters = new Map<number, Set<number>>();
    for (const { treatment, explained } of cover)
      for (const self of bodies.keys()) {
        if (treatment === 'drop' || (explained[first + self] as number) <= 0) continue;
        for (const place of written(bases[pair] as Image, scenes[pair] as Scene, self, treatment).places)
          painters.set(place, (painters.get(place) ?? new Set()).add(self));
      }
    for (const [self, { cells }] of bodies.entries())
      if (
        cells.every((cell) => {
          const others = [...(painters.get(cell) ?? [])].filter((label) => label !== self);
          return target.cells[cell] === 0 || others.length > 0;
        })
      )
        rows.push(first + self);
    first += bodies.length;
  }
  return rows;
}

/** The changed cells that some treatments explain by two objects or more. */
function sharedCells(tried: readonly Tried[]): Set<number> {
  const firstBy = new Map<number, number>();
  const shared = new Set<number>();
  for (const { cellsBy } of tried)
    for (const [row, cells] of cellsBy.entries())
      for (const cell of cells) {
        if (firstBy.has(cell) && firstBy.get(cell) !== row) shared.add(cell);
        else firstBy.set(cell, row);
      }
  return shared;
}

/** The first is to keep every object; of treatments that explain the same of every object the plainest. */
function triedTreatments(trial: Trial, made: readonly string[]): Tried[] {
  const tried: Tried[] = [];
  const seen = new Set<string>();
  // where all changed cells have one colour, none that is read explains more than that
  const sources = made.length === 1 ? [] : unlikeSources(trial);
  for (const { name, ones } of trial.drawn) {
    const wanted = wantedColours(trial, ones);
    if (name !== 'keep' && wanted.size === 0) continue;
    const colours =
      name === 'keep' || name === 'drop'
        ? [null]
        : [null, ...made.filter((colour) => wanted.has(Number(colour))), ...sources];
    trial.work.spend((placesIn(ones) * colours.length) / cellsAnEvaluation.tabled);
    for (const colour of colours) {
      const one =
        colour === null
          ? tryTreatment(trial, ones, name)
          : tryTreatment(trial, painted(trial, ones, colour), `${name} ${colour}`);
      const key = one.explained.join();
      if (seen.has(key) || (name !== 'keep' && one.cells.size === 0)) continue;
      seen.add(key);
      tried.push(one);
    }
  }
  return tried;
}

/** Where colours may be read, without sources that have none, or the same as an earlier one, for every training object. */
function unlikeSources({ bases, targets, scenes }: Trial): string[] {
  const seen = new Set<string>();
  return colourSourceNames.filter((name) => {
    if (isAlongLine(name)) return true;
    const colours = targets.flatMap((_, pair) => {
      const scene = scenes[pair] as Scene;
      return scene.bodies.map((_body, self) =>
        readColour({ source: bases[pair] as Image, scene, self }, name),
      );
    });
    const key = colours.join();
    return colours.some((colour) => colour !== null) && !seen.has(key) && seen.add(key);
  });
}

/** The colours that changed cells want where a treatment writes. */
function wantedColours({ bases, targets, on }: Trial, ones: Drawn['ones']): Set<number> {
  const wanted = new Set<number>();
  for (const [pair, target] of targets.entries()) {
    const { cells } = bases[pair] as Image;
    for (const { places } of ones[pair] as readonly Written[])
      for (const place of places)
        if (target.cells[place] !== cells[place] && (on === 'all' || cells[place] === 0))
          wanted.add(target.cells[place] as number);
  }
  return wanted;
}

/** What treatments write, in another colour. */
function painted(
  { bases, scenes }: Trial,
  drawn: readonly (readonly Written[])[],
  colour: string,
): Written[][] {
  return drawn.map((ones, pair) =>
    ones.map((one, self) =>
      inColour({ source: bases[pair] as Image, scene: scenes[pair] as Scene, self }, one, colour),
    ),
  );
}

function tryTreatment(
  { bases, targets, on }: Trial,
  drawn: readonly (readonly Written[])[],
  treatment: string,
): Tried {
  const explained: number[] = [];
  const cellsBy: number[][] = [];
  const all = new Set<number>();
  let before = 0;
  for (const [pair, target] of targets.entries()) {
    const { cells } = bases[pair] as Image;
    for (const { places, colours } of drawn[pair] as readonly Written[]) {
      const changed: number[] = [];
      const isRight = places.every((place, i) => {
        if (on === 'empty' && cells[place] !== 0) return true;
        if (target.cells[place] !== cells[place]) changed.push(before + place);
        return target.cells[place] === colours[i];
      });
      explained.push(isRight ? changed.length : -1);
      cellsBy.push(isRight ? changed : []);
      if (isRight) for (const place of changed) all.add(place);
    }
    before += cells.length;
  }
  return { treatment, explained: Int32Array.from(explained), cellsBy, cells: all };
}

/** The changed cells, all pairs in one row. */
function changedCells({ bases, targets }: Trial): Set<number> {
  const changed = new Set<number>();
  let before = 0;
  for (const [pair, { cells }] of targets.entries()) {
    for (const [place, cell] of cells.entries())
      if (cell !== bases[pair]?.cells[place]) changed.add(before + place);
    before += cells.length;
  }
  return changed;
}

/**
 * In order of use: next is always what explains the most cells that are still open, so that a cell between two objects is not
 * counted for both. Null where cells are left over.
 */
function covering(tried: readonly Tried[], changed: ReadonlySet<number>): Tried[] | null {
  const order: Tried[] = [];
  const open = new Set(changed);
  while (open.size > 0) {
    let best: Tried | undefined;
    let most = 0;
    for (const one of tried) {
      const gain = one.cells.intersection(open).size;
      if (gain <= most) continue;
      most = gain;
      best = one;
    }
    if (best === undefined) return null;
    for (const cell of best.cells) open.delete(cell);
    order.push(best);
  }
  return order;
}

/** So many colours at most can each be what lines end at. */
const mostFirm = 3;

/** Colours that every input shows and no output changes: what may stop a line; none where there are many. */
function firmColours(bases: readonly Image[], targets: readonly Image[]): number[] {
  const firm = nonZeroColours.filter(
    (colour) =>
      bases.every(({ cells }) => cells.includes(colour)) &&
      targets.every(({ cells }, i) =>
        cells.every((cell, at) => bases[i]?.cells[at] !== colour || cell === colour),
      ),
  );
  return firm.length > mostFirm ? [] : firm;
}

/** The colours that changed cells have in the outputs. */
function changedColours(bases: readonly Image[], targets: readonly Image[]): string[] {
  const colours = new Set<number>();
  for (const [i, { cells }] of targets.entries())
    for (const [at, cell] of cells.entries()) if (cell !== bases[i]?.cells[at]) colours.add(cell);
  return [...colours].sort((a, b) => a - b).map(String);
}

function costOf({ columns, table, unknownCells }: Decision): number {
  return 10 + 5 * columns.length + (unknownCells > 0 ? 15 : 0) + treatmentsPrice(Object.values(table));
}

function fitsAll(args: Arguments, bases: readonly Image[], targets: readonly Image[]): boolean {
  const apply = bind(operations.get('treat_objects') as Operation, args);
  return targets.every((target, i) => {
    const base = bases[i] as Image;
    const result = apply(base, { input: base, frame: null }) as Image | null;
    return result !== null && sameCells(result.cells, target.cells);
  });
}
