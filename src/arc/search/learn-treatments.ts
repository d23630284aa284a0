import { definite } from '../../core/errors.ts';
import type { BodyScene } from '../language/actions.ts';
import { haveSizesOf, type Image } from '../language/image.ts';
import { offered } from '../language/vocabulary.ts';
import { mostTreated, treatmentsPrice, writings } from '../language/treat.ts';
import type { WrittenTreatment } from '../language/treatment-subject.ts';
import { colourSourceNames, inColour, readColour } from '../language/treatment-colours.ts';
import { treatmentNames, writtenByOne } from '../language/treatments.ts';
import type { LearnLimits } from './decide.ts';
import { decideObjects, fitsOutputs, objectLessons, objectRuleCost } from './object-lessons.ts';
import { rightTreatments, type Drawn, type Trial, type TriedTreatment } from './right-treatments.ts';
import { rivalsOf, type LearnedRule } from './rivals.ts';
import { cellsPerEvaluation, type Work } from './work.ts';

/** With more training objects than this the grids are textures, and trying every treatment on every object takes a second. */
const mostRows = 120;

/**
 * Learns a treatment for each object. Objects are the rows and their features the columns of the table learner for cells; the
 * answers are the treatments that write only correct cells and, of these, the most changed ones.
 */
export function learnTreatments(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): LearnedRule[] {
  if (!haveSizesOf(bases, targets)) return [];
  const made = changedColours(bases, targets);
  const names = offered('treatment', treatmentNames);
  const rules: LearnedRule[] = [];
  const limitsOfObjects = { inImage: mostTreated, inAll: mostRows };
  const holds = (): boolean => rules.some(({ held }) => held === 1);
  for (const lesson of objectLessons(bases, targets.length, limits, limitsOfObjects, holds)) {
    const { objects, scenes } = lesson;
    const drawn = drawnTreatments(bases, scenes.slice(0, targets.length), names, limits.work);
    for (const on of writings) {
      const trial = { bases, targets, scenes, drawn, on, work: limits.work };
      for (const rights of rightTreatments(trial, triedTreatments(trial, made))) {
        const before = rules.length;
        // some of the rules fail when all objects are treated at once
        for (const decision of decideObjects(lesson, targets.length, rights, limits, 2 * most)) {
          const { features, table, held } = decision;
          const args = { objects, features, table, on };
          const cost = objectRuleCost(decision, treatmentsPrice(Object.values(table)));
          if (fitsOutputs('treat_objects', args, bases, targets)) rules.push({ args, held, cost });
        }
        // a rule with few treatments holds, so more treatments are not needed
        if (rules.slice(before).some(({ held }) => held === 1)) break;
      }
    }
  }
  return rivalsOf('treat_objects', rules, bases.slice(targets.length), most);
}

function drawnTreatments(
  bases: readonly Image[],
  scenes: readonly BodyScene[],
  names: readonly string[],
  work: Work,
): Drawn[] {
  return names.map((name) => {
    const ones = scenes.map((scene, i) =>
      scene.bodies.map((_, self) => writtenByOne(definite(bases[i]), scene, self, name)),
    );
    work.spend(placesIn(ones) / cellsPerEvaluation.tabled);
    return { name, ones };
  });
}

function placesIn(ones: Drawn['ones']): number {
  return ones.flat().reduce((sum, { places }) => sum + places.length, 0);
}

/** The treatments to try. The first keeps every object; of those that explain the same cells of every object, only the plainest. */
function triedTreatments(trial: Trial, made: readonly string[]): TriedTreatment[] {
  const tried: TriedTreatment[] = [];
  const seen = new Set<string>();
  // if all changed cells have one colour, a colour that is read cannot explain more
  const sources = made.length === 1 ? [] : unlikeSources(trial);
  for (const { name, ones } of trial.drawn) {
    const wanted = wantedColours(trial, ones);
    if (name !== 'keep' && wanted.size === 0) continue;
    const colours =
      name === 'keep' || name === 'drop'
        ? [null]
        : [null, ...made.filter((colour) => wanted.has(Number(colour))), ...sources];
    trial.work.spend((placesIn(ones) * colours.length) / cellsPerEvaluation.tabled);
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

/** The places to read a colour from, without those that never have one, or always the colour of an earlier place. */
function unlikeSources({ targets, scenes }: Trial): string[] {
  const seen = new Set<string>();
  return offered('treatment colour', colourSourceNames).filter((name) => {
    const colours = targets.flatMap((_, pair) => {
      const scene = definite(scenes[pair]);
      return scene.bodies.map((_body, self) => readColour({ scene, self }, name));
    });
    const key = colours.join();
    return colours.some((colour) => colour !== null) && !seen.has(key) && seen.add(key);
  });
}

/** The output's colours in the changed cells that a treatment writes. */
function wantedColours({ bases, targets, on }: Trial, ones: Drawn['ones']): Set<number> {
  const wanted = new Set<number>();
  for (const [pair, target] of targets.entries()) {
    const { cells } = definite(bases[pair]);
    for (const { places } of definite(ones[pair]))
      for (const place of places)
        if (target.cells[place] !== cells[place] && (on === 'all' || cells[place] === 0))
          wanted.add(target.cells[place] ?? 0);
  }
  return wanted;
}

/** The cells that treatments write, in another colour. */
function painted(
  { bases, scenes }: Trial,
  drawn: readonly (readonly WrittenTreatment[])[],
  colour: string,
): WrittenTreatment[][] {
  return drawn.map((ones, pair) =>
    ones.map((one, self) =>
      inColour({ source: definite(bases[pair]), scene: definite(scenes[pair]), self }, one, colour),
    ),
  );
}

function tryTreatment(
  { bases, targets, on }: Trial,
  drawn: readonly (readonly WrittenTreatment[])[],
  treatment: string,
): TriedTreatment {
  const explained: number[] = [];
  const cellsBy: number[][] = [];
  const all = new Set<number>();
  let before = 0;
  for (const [pair, target] of targets.entries()) {
    const { cells } = definite(bases[pair]);
    for (const { places, colours } of definite(drawn[pair])) {
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

/** The colours that changed cells have in the outputs. */
function changedColours(bases: readonly Image[], targets: readonly Image[]): string[] {
  const colours = new Set<number>();
  for (const [i, { cells }] of targets.entries())
    for (const [at, cell] of cells.entries()) if (cell !== bases[i]?.cells[at]) colours.add(cell);
  return [...colours].sort((a, b) => a - b).map(String);
}
