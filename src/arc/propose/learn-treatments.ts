import { sameCells } from '../grid.ts';
import { isScattered, objectKinds } from '../objects.ts';
import { sceneOf, type Scene } from '../rules/actions.ts';
import { haveSizesOf, type Image } from '../rules/image.ts';
import { bind, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';
import { Scan } from '../rules/scan.ts';
import { mostTreated, treatmentsPrice, writings, type Writing } from '../rules/treat.ts';
import type { Written } from '../rules/treatment-subject.ts';
import { colourSourceNames, inColour, treatmentNames, written } from '../rules/treatments.ts';
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
    for (const on of writings) {
      const lesson = rightTreatments({ bases, targets, scenes, on, work: limits.work }, made);
      if (lesson === null) continue;
      const columns = objectColumns(scans, scenes);
      const { decided } = decide(
        { columns, pairEnd: bodyEnds(scenes), trainPairs: targets.length, ...lesson },
        limits,
        // some of them fail when all objects are treated at once
        2 * most,
      );
      for (const decision of decided) {
        const features = decision.columns.map(({ name }) => name);
        if (features.length > 1 && features.includes('any')) continue;
        const args = { objects, features, table: decision.table, on };
        if (fitsAll(args, bases, targets)) rules.push({ args, held: decision.held, cost: costOf(decision) });
      }
    }
  }
  return rivalsOf('treat_objects', rules, bases.slice(targets.length), most);
}

interface Trial {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly scenes: readonly Scene[];
  readonly on: Writing;
  readonly work: Work;
}

/** What a treatment does to the training objects. */
interface Tried {
  readonly treatment: string;
  /** For each object the changed cells that it explains, or −1 where it writes a wrong cell. */
  readonly explained: Int32Array;
  /** The changed cells that it explains, all pairs in one row. */
  readonly cells: ReadonlySet<number>;
}

/**
 * Bit n of an object: treatment n is right and, where some treatment is, explains a changed cell. Null where some changed cell
 * is explained by none, so that no table can be right.
 */
function rightTreatments(
  trial: Trial,
  made: readonly string[],
): { answers: string[]; right: Uint32Array } | null {
  const [keep, ...others] = triedTreatments(trial, made) as [Tried, ...Tried[]];
  const useful = covering(others, changedCells(trial));
  if (useful === null) return null;
  const answers = [keep, ...useful.slice(0, mostAnswers - 1)];
  const right = new Uint32Array(keep.explained.length);
  for (let row = 0; row < right.length; row++) {
    const least = Math.min(1, Math.max(...answers.map(({ explained }) => explained[row] as number)));
    for (const [bit, { explained }] of answers.entries())
      if ((explained[row] as number) >= least) right[row] = (right[row] as number) | (1 << bit);
  }
  return { answers: answers.map(({ treatment }) => treatment), right };
}

/** The first is to keep every object; of treatments that explain the same of every object the plainest. */
function triedTreatments(trial: Trial, made: readonly string[]): Tried[] {
  const tried: Tried[] = [];
  const seen = new Set<string>();
  for (const name of treatmentNames) {
    const drawn = trial.targets.map((_, i) => {
      const scene = trial.scenes[i] as Scene;
      return scene.bodies.map((_body, self) => written(trial.bases[i] as Image, scene, self, name));
    });
    const colours = name === 'keep' || name === 'drop' ? [null] : [null, ...made, ...colourSourceNames];
    const places = drawn.flat().reduce((sum, one) => sum + one.places.length, 0);
    trial.work.spend((places * colours.length) / cellsAnEvaluation.tabled);
    for (const colour of colours) {
      const one =
        colour === null
          ? tryTreatment(trial, drawn, name)
          : tryTreatment(trial, painted(trial, drawn, colour), `${name} ${colour}`);
      const key = one.explained.join();
      if (seen.has(key) || (name !== 'keep' && one.cells.size === 0)) continue;
      seen.add(key);
      tried.push(one);
    }
  }
  return tried;
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
      if (isRight) for (const place of changed) all.add(place);
    }
    before += cells.length;
  }
  return { treatment, explained: Int32Array.from(explained), cells: all };
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
  const rest = tried.filter((one) => !order.includes(one)).sort((a, b) => b.cells.size - a.cells.size);
  return [...order, ...rest];
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
