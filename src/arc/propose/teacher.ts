import { gridToRows, type Grid } from '../grid.ts';
import { programHash, type Program, type Step } from '../rules/program.ts';
import type { Task } from '../task.ts';
import { verify } from '../verify.ts';
import type { Proposal } from './candidate.ts';
import { searchView, type SearchLimits } from './view-search.ts';
import { viewsOf } from './views.ts';

/** A verified candidate: how many training pairs its program gets exactly right, and its answers to the tests. */
export interface Ranked extends Proposal {
  readonly exactPairs: number;
  readonly answers: readonly (Grid | null)[];
}

export interface TeacherResult {
  /** Best first; no two with the same answers. */
  readonly ranked: readonly Ranked[];
  readonly nodes: number;
}

export type Mode = 'fast' | 'full';

const limitsOf: Readonly<Record<Mode, SearchLimits>> = {
  fast: {
    work: 370_000,
    cost: 34,
    tuples: 60_000,
    pieces: 30_000,
    frames: 2,
    openings: 12,
    bases: 3,
    widen: 12,
    deepest: 3,
    columns: 150,
    moves: true,
    wide: false,
    beside: 0,
    again: 0,
  },
  full: {
    work: 600_000,
    cost: 44,
    tuples: 120_000,
    pieces: 50_000,
    frames: 3,
    openings: 40,
    bases: 5,
    widen: 30,
    deepest: 4,
    columns: 250,
    moves: true,
    wide: true,
    beside: 120,
    again: 2,
  },
};

/** A task has this many attempts. */
const attempts = 2;

/**
 * The teacher ruler: searches through every view, verifies what it finds and ranks it. Full mode goes further only where
 * fast mode finds nothing convincing and leaves an attempt free, and what fast mode finds keeps its place: full mode
 * never solves fewer tasks.
 */
export function teach(task: Task, mode: Mode, maxNodes: number): TeacherResult {
  const found: Ranked[] = [];
  let nodes = searchViews(task, limitsOf.fast, maxNodes, found);
  let ranked = distinctAnswers(found.sort(better));
  const fitting = ranked.filter((one) => fitsAll(task, one));
  if (mode === 'full' && fitting.length < attempts && !fitting.some((one) => convincing(task, one))) {
    const further: Ranked[] = [];
    nodes += searchViews(task, limitsOf.full, maxNodes - nodes, further);
    ranked = distinctAnswers([...fitting, ...[...ranked, ...further].sort(better)]);
  }
  return { ranked, nodes: Math.round(nodes) };
}

/** Searches view after view, the plain one with most of the work, until one convinces or the nodes run out. */
function searchViews(task: Task, limits: SearchLimits, maxNodes: number, ranked: Ranked[]): number {
  const most = Math.min(maxNodes, limits.work * 2);
  let nodes = 0;
  for (const view of viewsOf(task)) {
    const plain = view.prefix.length === 0;
    const left = most - nodes;
    if (left <= 0 || (!plain && ranked.some((one) => convincing(task, one)))) break;
    const work = Math.min(plain ? limits.work : limits.work / 6, left);
    const narrowed = plain ? limits : { ...limits, moves: limits.wide, bases: 1, beside: 0, again: 0 };
    const result = searchView(view, { ...narrowed, work });
    nodes += result.work;
    for (const proposal of result.proposals) if (believable(proposal)) ranked.push(judge(task, proposal));
  }
  return nodes;
}

/** Fits every pair, holds without each, and is short: further search would hardly find better. */
function convincing(task: Task, one: Ranked): boolean {
  return fitsAll(task, one) && one.held === 1 && one.cost <= 40;
}

function fitsAll(task: Task, { exactPairs }: Ranked): boolean {
  return exactPairs === task.train.length;
}

function judge(task: Task, proposal: Proposal): Ranked {
  const { exact, answers } = verify(proposal.program, task);
  return {
    ...proposal,
    exactPairs: exact.filter(Boolean).length,
    answers: answers.map((outcome) => (outcome.kind === 'grid' ? outcome.grid : null)),
  };
}

/**
 * A rule that fits all pairs and yet is not believed: long, or learned and failing when learned without a pair. Such rules
 * are mostly chance, and are dropped rather than answered.
 */
function believable({ cost, held }: Proposal): boolean {
  return cost - 40 * held <= 35;
}

/** Pairs exact first, then cost with a discount for rules that hold when learned without a pair. */
function better(a: Ranked, b: Ranked): number {
  return b.exactPairs - a.exactPairs || price(a) - price(b) || compareText(a.program, b.program);
}

function price({ cost, held }: Ranked): number {
  return cost - 25 * held;
}

function compareText(a: Program, b: Program): number {
  return programHash(a) < programHash(b) ? -1 : 1;
}

/** One rule an answer, the best; `ranked` is in order. */
function distinctAnswers(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  const distinct = ranked.filter(({ answers }) => {
    if (answers.includes(null)) return false;
    const key = JSON.stringify(answers.map((grid) => gridToRows(grid as Grid)));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return variationsLast(distinct);
}

/**
 * A rule that has all the steps of the best one, and more, differs from it by a step that no training pair asked for: it is
 * hardly another idea, and a second attempt should be one. Such rules go behind the others that fit as many pairs.
 */
function variationsLast(ranked: readonly Ranked[]): Ranked[] {
  const [best, ...rest] = ranked;
  if (best === undefined) return [];
  const core = best.program.map(stepText);
  const isVariation = ({ program }: Ranked): boolean => {
    const steps = new Set(program.map(stepText));
    return core.every((step) => steps.has(step));
  };
  const late = new Map(rest.map((one) => [one, isVariation(one) ? 1 : 0]));
  const order = (one: Ranked): number => late.get(one) ?? 0;
  return [best, ...rest.sort((a, b) => b.exactPairs - a.exactPairs || order(a) - order(b))];
}

/** What a step does, wherever it stands. */
function stepText({ op, args }: Step): string {
  return JSON.stringify([op, { ...args, of: undefined, frame: undefined }]);
}
