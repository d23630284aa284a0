import { betterOf, compare, type Compared } from '../verify/comparator.ts';
import type { Grid } from '../grid/grid.ts';
import { price } from '../language/cost.ts';
import { candidateId } from '../language/normal.ts';
import { doWithout } from '../language/vocabulary.ts';
import type { Task } from '../grid/task.ts';
import { unknownEntries, verify } from '../verify/verify.ts';
import type { Proposal } from './candidate.ts';
import { chooseAttempts, type Attempt } from './choose.ts';
import { odds } from './odds.ts';
import { searchView, type SearchLimits } from './view-search.ts';
import { viewsOf, type ViewedTask } from './views.ts';
import { seedFrom } from '../../core/rng.ts';

/** A candidate with its verdict: the comparator's result, and the answers to the tests. */
export interface JudgedProposal extends Proposal, Compared {
  readonly answers: readonly (Grid | null)[];
  /** The number of keys of its tables that the test inputs need and no training pair shows. */
  readonly unknown: number;
}

export interface TeacherResult {
  /** The best candidates by the comparator, including near misses and overfit ones. */
  readonly candidates: readonly JudgedProposal[];
  readonly attempts: readonly Attempt[];
  /** Every judged candidate, for callers that rank them again. */
  readonly judged: readonly JudgedProposal[];
  readonly nodes: number;
}

export interface TeachLimits {
  /** The evaluations that a task may use: the search's own measure of work, the same on every machine. */
  readonly maxNodes: number;
  /** The seed changes the order of views of the same kind; 0, the default, keeps the usual order. */
  readonly seed?: number;
  /** Words that the search must not use, written `list:word`, for ablations. */
  readonly without?: readonly string[];
}

const limits: SearchLimits = {
  work: 330_000,
  cost: 34,
  tuples: 60_000,
  pieces: 30_000,
  frames: 2,
  openings: 12,
  bases: 3,
  shaped: 2,
  widen: 12,
  deepest: 3,
  columns: 150,
  learners: 'all',
};

/** Number of candidates returned, and of misses added if all of them fit, because a critic learns from both. */
const handedOut = 8;
const missesBeside = 2;

/** All views together may take this many times the work of enumerating, or learning, in the first. */
const allViews = 2.45;

/** A rule with these odds ends the search: further views rarely find a better one. */
const convincing = 9;

/**
 * The teacher ruler: searches through every view, verifies what it finds, lets the comparator rank it and chooses the
 * attempts.
 */
export function teach(task: Task, { maxNodes, seed = 0, without = [] }: TeachLimits): TeacherResult {
  doWithout(without);
  const found = new Map<string, JudgedProposal>();
  const nodes = searchViews(task, inOrderOf(viewsOf(task), seed), maxNodes, found);
  const judged = [...found.values()];
  return {
    candidates: best(judged),
    attempts: chooseAttempts(task, judged),
    judged,
    nodes: Math.round(nodes),
  };
}

/** Reorders views within their kind: the plain view stays first, and kinds keep their shares of the work. */
export function inOrderOf(views: readonly ViewedTask[], seed: number): readonly ViewedTask[] {
  if (seed === 0) return views;
  const drawn = new Map(
    [...Map.groupBy(views, ({ kind }) => kind)].map(([kind, all]) => [
      kind,
      all.toSorted((a, b) => seedFrom(seed, a.name) - seedFrom(seed, b.name)).values(),
    ]),
  );
  return views.map((view) => drawn.get(view.kind)?.next().value ?? view);
}

function best(found: readonly JudgedProposal[]): JudgedProposal[] {
  const ranked = found.toSorted(betterOf);
  const given = ranked.slice(0, handedOut);
  const misses = ranked.slice(handedOut).filter(({ verifier_score }) => verifier_score < 1);
  return given.every(({ verifier_score }) => verifier_score === 1)
    ? [...given, ...misses.slice(0, missesBeside)]
    : given;
}

/** Searches view after view, with most of the work on the plain one, until a rule is convincing or the nodes run out. */
function searchViews(
  task: Task,
  views: readonly ViewedTask[],
  maxNodes: number,
  found: Map<string, JudgedProposal>,
): number {
  const most = Math.min(maxNodes, limits.work * allViews);
  let nodes = 0;
  let votes = 0;
  for (const view of views) {
    const left = most - nodes;
    if (left <= 0) break;
    // a convincing rule ends the search; one copy still votes
    if ([...found.values()].some((one) => odds(one) >= convincing)) {
      if (view.kind !== 'copy' || votes > 0) continue;
    }
    if (view.kind === 'copy') votes++;
    const work = Math.min(limits.work * view.share, left);
    const narrowed: SearchLimits =
      view.kind === 'small' ? { ...limits, learners: 'few', bases: 1, shaped: 1 } : limits;
    const result = searchView(view, { ...narrowed, work });
    nodes += result.work;
    for (const proposal of result.proposals) {
      const id = candidateId(proposal.program);
      const known = found.get(id);
      if (known === undefined) found.set(id, judgeProposal(task, proposal, id));
      else if (known.held < proposal.held) found.set(id, { ...known, held: proposal.held });
    }
  }
  return nodes;
}

/** A proposal with its verdict. */
export function judgeProposal(task: Task, proposal: Proposal, id: string): JudgedProposal {
  const { program } = proposal;
  const verdict = verify(program, task);
  return {
    ...proposal,
    ...compare(program, task, verdict),
    id,
    price: price(program),
    unknown: verdict.solved ? unknownEntries(program, task) : 0,
    answers: verdict.answers.map((outcome) => (outcome.kind === 'grid' ? outcome.grid : null)),
  };
}
