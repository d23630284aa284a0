import { objectsIn } from '../grid/objects.ts';
import { countColours, type Grid } from '../grid/grid.ts';
import type { Program } from '../language/program.ts';
import type { Pair, Task } from '../grid/task.ts';
import { leaveOneOut, type RuleVerdict } from './verify.ts';

/** Comparator `cmp-2`: 16 numbers in [0, 1] about a program, from training pairs only. The order is part of the version. */
export const comparatorVersion = 'cmp-2';
export const featureOrder = [
  'solved_all',
  'exact_frac',
  'exec_ok_frac',
  'worst_pair_cell_acc',
  'loo_consistency',
  'shape_frac',
  'dim_similarity',
  'cell_acc',
  'changed_recall',
  'preserved_frac',
  'palette_jaccard',
  'hist_intersection',
  'object_count_ratio',
  'object_iou',
  'simplicity',
  'test_output_valid',
] as const;
export type FeatureVector = Readonly<Record<(typeof featureOrder)[number], number>>;

export interface GridComparison {
  readonly feature_vec: FeatureVector;
  readonly verifier_score: number;
}

export function compare(
  program: Program,
  task: Pick<Task, 'train' | 'test'>,
  verdict: RuleVerdict,
): GridComparison {
  const pairs = comparePairs(task.train, verdict);
  const mean = (name: keyof PairFeatures): number =>
    pairs.reduce((sum, pair) => sum + pair[name], 0) / pairs.length;
  const exactFraction = verdict.exact.filter(Boolean).length / pairs.length;
  const features: FeatureVector = {
    solved_all: verdict.solved ? 1 : 0,
    exact_frac: exactFraction,
    exec_ok_frac: mean('ran'),
    worst_pair_cell_acc: Math.min(...pairs.map(({ cells }) => cells)),
    loo_consistency: leaveOneOut(program, task.train),
    shape_frac: mean('shape'),
    dim_similarity: mean('dimensions'),
    cell_acc: mean('cells'),
    changed_recall: mean('changed'),
    preserved_frac: mean('preserved'),
    palette_jaccard: mean('palette'),
    hist_intersection: mean('histogram'),
    object_count_ratio: mean('objectCount'),
    object_iou: mean('objects'),
    simplicity: simplicity(program),
    test_output_valid:
      verdict.answers.filter(({ kind }) => kind === 'grid').length / Math.max(1, verdict.answers.length),
  };
  return { feature_vec: features, verifier_score: verifierScore(features) };
}

/** The verifier's score alone, for large numbers of programs: it needs no leave-one-out. */
export function verifierScoreOf(train: readonly Pair[], verdict: RuleVerdict): number {
  const pairs = comparePairs(train, verdict);
  const mean = (name: keyof PairFeatures): number =>
    pairs.reduce((sum, pair) => sum + pair[name], 0) / pairs.length;
  return verifierScore({
    solved_all: verdict.solved ? 1 : 0,
    exact_frac: verdict.exact.filter(Boolean).length / pairs.length,
    cell_acc: mean('cells'),
    changed_recall: mean('changed'),
    shape_frac: mean('shape'),
    palette_jaccard: mean('palette'),
    object_iou: mean('objects'),
  });
}

function comparePairs(train: readonly Pair[], { outcomes }: RuleVerdict): PairFeatures[] {
  return train.map((pair, i) => {
    const outcome = outcomes[i];
    return comparePair(pair, outcome?.kind === 'grid' ? outcome.grid : null);
  });
}

/** The numbers of a vector that determine the verifier's score. */
type Scored = Pick<
  FeatureVector,
  | 'solved_all'
  | 'exact_frac'
  | 'cell_acc'
  | 'changed_recall'
  | 'shape_frac'
  | 'palette_jaccard'
  | 'object_iou'
>;

/** A program with the comparator's result. */
export interface Compared extends GridComparison {
  readonly id: string;
  readonly price: number;
}

/** The order of candidates from all sources: score, then leave-one-out, then the price of the program, then its id. */
export function betterOf(a: Compared, b: Compared): number {
  return (
    b.verifier_score - a.verifier_score ||
    b.feature_vec.loo_consistency - a.feature_vec.loo_consistency ||
    a.price - b.price ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** 1.0 exactly when every training pair is exact; otherwise at most one millionth less. */
function verifierScore(features: Scored): number {
  if (features.solved_all === 1) return 1;
  const sum =
    0.6 * features.exact_frac +
    0.2 * features.cell_acc +
    0.1 * features.changed_recall +
    0.05 * features.shape_frac +
    0.03 * features.palette_jaccard +
    0.02 * features.object_iou;
  return Math.min(1_000_000 - 1, Math.round(sum * 1_000_000)) / 1_000_000;
}

/** Simplicity of a program by its steps and table entries: 1 for an empty one, one half for ten plain steps. */
function simplicity(program: Program): number {
  let weight = program.length;
  for (const { args } of program) weight += Object.keys(args.table ?? {}).length / 4;
  return 1 / (1 + weight / 10);
}

interface PairFeatures {
  readonly ran: number;
  readonly shape: number;
  readonly dimensions: number;
  readonly cells: number;
  readonly changed: number;
  readonly preserved: number;
  readonly palette: number;
  readonly histogram: number;
  readonly objectCount: number;
  readonly objects: number;
}

const nothing: PairFeatures = {
  ran: 0,
  shape: 0,
  dimensions: 0,
  cells: 0,
  changed: 0,
  preserved: 0,
  palette: 0,
  histogram: 0,
  objectCount: 0,
  objects: 0,
};

function comparePair({ input, output }: Pair, grid: Grid | null): PairFeatures {
  if (grid === null) return nothing;
  const sameShape = grid.width === output.width && grid.height === output.height;
  const { cells, changed, preserved } = sameShape
    ? compareCells(input, output, grid)
    : { cells: 0, changed: 0, preserved: 0 };
  return {
    ran: 1,
    shape: sameShape ? 1 : 0,
    dimensions: ratio(grid.width, output.width) * ratio(grid.height, output.height),
    cells,
    changed,
    preserved,
    ...compareColours(output, grid),
    ...compareObjects(output, grid),
  };
}

/** A cell counts as changed if the output differs from the input there; with another size, every cell does. */
function compareCells(
  input: Grid,
  output: Grid,
  grid: Grid,
): Pick<PairFeatures, 'cells' | 'changed' | 'preserved'> {
  const sameSize = input.width === output.width && input.height === output.height;
  const right = { changed: 0, kept: 0 };
  const all = { changed: 0, kept: 0 };
  for (let i = 0; i < output.cells.length; i++) {
    const part = sameSize && input.cells[i] === output.cells[i] ? 'kept' : 'changed';
    all[part]++;
    if (grid.cells[i] === output.cells[i]) right[part]++;
  }
  const preserved = all.kept === 0 ? 1 : right.kept / all.kept;
  return {
    cells: (right.changed + right.kept) / output.cells.length,
    changed: all.changed === 0 ? preserved : right.changed / all.changed,
    preserved,
  };
}

function compareColours(output: Grid, grid: Grid): Pick<PairFeatures, 'palette' | 'histogram'> {
  const wanted = countColours(output.cells);
  const given = countColours(grid.cells);
  let both = 0;
  let either = 0;
  let common = 0;
  for (let colour = 0; colour < 10; colour++) {
    const w = wanted[colour] ?? 0;
    const g = given[colour] ?? 0;
    if (w > 0 && g > 0) both++;
    if (w > 0 || g > 0) either++;
    common += Math.min(w / output.cells.length, g / grid.cells.length);
  }
  return { palette: both / either, histogram: Math.min(1, common) };
}

/** Objects are 8-connected cells of one colour; two are the same when colour and cells agree. */
function compareObjects(output: Grid, grid: Grid): Pick<PairFeatures, 'objectCount' | 'objects'> {
  const wanted = objectKeys(output);
  const given = objectKeys(grid);
  const both = given.filter((key) => wanted.includes(key)).length;
  const either = wanted.length + given.length - both;
  return { objectCount: ratio(wanted.length, given.length), objects: either === 0 ? 1 : both / either };
}

function objectKeys({ cells, width, height }: Grid): string[] {
  const found = objectsIn({ width, height, cells }, 'blob');
  const keys = Array.from({ length: found.count }, () => '');
  for (const [i, label] of found.labels.entries()) {
    if (label < 0) continue;
    keys[label] = `${keys[label] === '' ? `${cells[i]}` : keys[label]} ${i % width},${Math.floor(i / width)}`;
  }
  return keys;
}

function ratio(a: number, b: number): number {
  return a === b ? 1 : Math.min(a, b) / Math.max(a, b);
}
