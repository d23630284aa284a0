import { definite } from '../../core/errors.ts';
import {
  askable,
  featureColumn,
  featureNames,
  featurePrice,
  sourceNames,
  wideFeatureNames,
} from '../language/features/features.ts';
import { haveSizesOf, type Image } from '../language/image.ts';
import { Scan } from '../language/scan.ts';
import { offered } from '../language/vocabulary.ts';
import { cellsPerEvaluation } from './work.ts';
import {
  decide,
  fixedColours,
  mostAnswers,
  rightAnswers,
  type Column,
  type Decision,
  type LearnLimits,
} from './decide.ts';

/** The data that cell rules are learned from: bases for all inputs, outputs for the training inputs. */
export interface CellLesson {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  /** The task's inputs, for features of the input as a whole. */
  readonly inputs: readonly Image[];
  /** Whether to use the features of the larger search too. */
  readonly wide: boolean;
  /** The only features for keys and answers, including `self`, if it is known which ones a rule uses. */
  readonly only?: readonly string[];
}

/** Learns cell rules: features of a cell of the base image that determine its colour in the output. */
export function learnCells(
  { bases, targets, inputs, wide, only }: CellLesson,
  limits: LearnLimits,
  most: number,
): { readonly decided: Decision[]; readonly near: Decision | null } {
  if (!haveSizesOf(bases, targets)) return { decided: [], near: null };
  const scans = bases.map((base, i) => new Scan(base, inputs[i]));
  const names = only ?? offered('cell feature', askable(wide ? wideFeatureNames : featureNames, scans));
  const pairEnd = imageEnds(bases);
  limits.work.spend((names.length * definite(pairEnd.at(-1))) / cellsPerEvaluation.made);
  const raw = featureColumns(scans, names);
  const wanted = joinCells(targets);
  const lesson = { raw, wanted, pairEnd, trainPairs: targets.length };
  return learnTables(lesson, limits, most);
}

/** Features of cells, one row per cell, training pairs first, and the new colours of the training cells. */
interface TableLesson {
  readonly raw: ReadonlyMap<string, Uint8Array>;
  readonly wanted: Uint8Array;
  readonly pairEnd: readonly number[];
  readonly trainPairs: number;
}

/** Learns tables from features of a cell to its colour or to the place where the colour is read. */
function learnTables(
  { raw, wanted, pairEnd, trainPairs }: TableLesson,
  limits: LearnLimits,
  most: number,
): { readonly decided: Decision[]; readonly near: Decision | null } {
  const known = new Set(offered('cell colour', sourceNames));
  const sources = new Map([...raw].filter(([name]) => known.has(name)));
  const answers = ['@self', ...fixedColours, ...usefulSources(sources, wanted)].slice(0, mostAnswers);
  const right = rightAnswers(wanted, answers, (answer) => definite(sources.get(answer.slice(1))));
  const columns = distinctColumns(
    Array.from(raw, ([name, values]) => ({ name, values, price: featurePrice(name) })),
  );
  const resultOf = (answer: string, row: number): number =>
    answer.startsWith('@') ? (definite(sources.get(answer.slice(1)))[row] ?? 0) : Number(answer);
  const cells = { columns, pairEnd, trainPairs, right, answers, resultOf };
  return decide(cells, limits, most);
}

/** Every feature of all cells of all images, in one row. */
function featureColumns(scans: readonly Scan[], names: readonly string[]): Map<string, Uint8Array> {
  const ends = imageEnds(scans);
  const raw = new Map<string, Uint8Array>();
  for (const name of names) {
    const joined = new Uint8Array(definite(ends.at(-1)));
    for (const [i, scan] of scans.entries()) joined.set(featureColumn(scan, name), ends[i - 1] ?? 0);
    raw.set(name, joined);
  }
  return raw;
}

/** Columns to read a colour from; those that are right for the most changed cells come first. */
function usefulSources(sources: ReadonlyMap<string, Uint8Array>, wanted: Uint8Array): string[] {
  const self = definite(sources.get('self'));
  return [...sources]
    .filter(([name]) => name !== 'self')
    .map(([name, column]) => {
      let right = 0;
      for (let i = 0; i < wanted.length; i++) if (wanted[i] !== self[i] && wanted[i] === column[i]) right++;
      return { name, right };
    })
    .sort((a, b) => b.right - a.right)
    .map(({ name }) => `@${name}`);
}

/** Where each image ends when all cells are laid out in one row. */
export function imageEnds(images: readonly { readonly cells: Uint8Array }[]): number[] {
  const ends: number[] = [];
  for (const { cells } of images) ends.push((ends.at(-1) ?? 0) + cells.length);
  return ends;
}

export function joinCells(images: readonly Image[]): Uint8Array {
  const joined = new Uint8Array(imageEnds(images).at(-1) ?? 0);
  let at = 0;
  for (const { cells } of images) {
    joined.set(cells, at);
    at += cells.length;
  }
  return joined;
}

/** The columns that are not constant and do not split the cells in the same way as an earlier one. */
function distinctColumns(raw: readonly Omit<Column, 'kinds'>[]): Column[] {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const { name, values, price } of raw) {
    const first = new Int16Array(256).fill(-1);
    let classes = 0;
    let kinds = 0;
    let hash = 0x811c9dc5;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      if (value >= kinds) kinds = value + 1;
      if (first[value] === -1) first[value] = classes++;
      hash = Math.imul(hash ^ (first[value] ?? 0), 0x01000193) ^ (hash >>> 17);
    }
    const key = `${classes} ${hash}`;
    if (classes < 2 || seen.has(key)) continue;
    seen.add(key);
    columns.push({ name, values, kinds, price });
  }
  return columns;
}
