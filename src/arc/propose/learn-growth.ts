import { sameCells } from '../grid.ts';
import { featureColumn, featurePrice } from '../rules/features/features.ts';
import type { Image } from '../rules/image.ts';
import { bind, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';
import { Scan } from '../rules/scan.ts';
import {
  decide,
  fixedColours,
  rightAnswers,
  type Column,
  type Decision,
  type LearnLimits,
} from './decide.ts';
import { imageEnds } from './learn.ts';
import { cellsAnEvaluation } from './work.ts';

/** A cell rule that is repeated until nothing changes, and then gives every training output. */
export interface GrowthRule {
  readonly args: Arguments;
  readonly held: number;
}

const sides = [
  'north',
  'south',
  'west',
  'east',
  'north-west',
  'north-east',
  'south-west',
  'south-east',
] as const;
/** What a growing cell may look at: its neighbours, what it sees, and the little that does not change as things grow. */
const asked = [
  ...sides,
  ...sides.map((side) => `filled-${side}`),
  ...sides.map((side) => `see-${side}`),
  'border',
  'row-odd',
  'column-odd',
  'checker',
];
const mostRounds = 30;
const fewRounds = 4;
/** Of the tables that agree with the outputs, so many are tried: many of them grow too far on the way. */
const mostTried = 60;

/**
 * Learns growth: lines that go on, turn or stop, regions that fill, patterns that spread cell by cell. What has grown agrees
 * with itself, so the rule is learned from the outputs alone, as what each cell that was empty shows beside its neighbours;
 * whether it also gets there is tried.
 */
export function learnGrowth(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): GrowthRule[] {
  if (!targets.every((target, i) => grows(bases[i] as Image, target))) return [];
  const scans = targets.map((target) => new Scan(target));
  const places = targets.map((_, pair) => emptyPlaces(bases[pair] as Image));
  const joined = (name: string): Uint8Array =>
    Uint8Array.from(
      scans.flatMap((scan, pair) => {
        const column = featureColumn(scan, name);
        return (places[pair] as readonly number[]).map((place) => column[place] as number);
      }),
    );
  const columns = asked.map((name): Column => {
    const values = joined(name);
    return { name, values, kinds: 1 + values.reduce((a, b) => Math.max(a, b), 0), price: featurePrice(name) };
  });
  const answers = ['0', ...fixedColours.slice(1), ...sides.map((side) => `@${side}`)];
  const byName = new Map(columns.map(({ name, values }) => [`@${name}`, values]));
  const right = rightAnswers(joined('self'), answers, (answer) => byName.get(answer) as Uint8Array);
  const pairEnd = imageEnds(places.map((cells) => ({ cells: new Uint8Array(cells.length) })));
  const { decided } = decide(
    { columns, pairEnd, trainPairs: targets.length, right, answers },
    limits,
    mostTried,
  );
  // growing asks for the features once more in every round; most rules go wrong after a few
  const cells = targets.reduce((sum, target) => sum + target.cells.length, 0);
  limits.work.spend((decided.length * fewRounds * cells) / cellsAnEvaluation.made);
  return decided
    .map((decision) => ({ args: argumentsOf(decision), held: decision.held }))
    .filter(({ args }) => reaches(args, bases, targets))
    .slice(0, most);
}

/** Whether an output keeps what its input shows, and shows more. */
function grows(base: Image, target: Image): boolean {
  if (base.width !== target.width || base.height !== target.height) return false;
  return (
    base.cells.every((cell, i) => cell === 0 || cell === target.cells[i]) &&
    !sameCells(base.cells, target.cells)
  );
}

function emptyPlaces({ cells }: Image): number[] {
  return [...cells.keys()].filter((i) => cells[i] === 0);
}

/** Only empty cells change, and a cell that stays empty needs no entry. */
function argumentsOf({ columns, table }: Decision): Arguments {
  const entries = Object.entries(table).filter(([, answer]) => answer !== '0');
  return {
    features: ['self', ...columns.map(({ name }) => name)],
    table: Object.fromEntries(entries.map(([key, answer]) => [`0,${key}`, answer])),
    else: 'keep',
    rounds: mostRounds,
  };
}

function reaches(args: Arguments, bases: readonly Image[], targets: readonly Image[]): boolean {
  const apply = bind(operations.get('cells') as Operation, args);
  return targets.every((target, i) => {
    const base = bases[i] as Image;
    const grown = apply(base, { input: base, frame: null }) as Image | null;
    return grown !== null && sameCells(grown.cells, target.cells);
  });
}
