import { compareGoals } from '../reporters/compare.ts';
import {
  seriesLength,
  type Cell,
  type ComparedGoal,
  type RunComparison,
  type RunSummary,
} from '../shared/api.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { isAskedFor } from '../shared/goal-query.ts';
import { knownRun, summaryOfRun } from './views.ts';

/** Compares two runs of one ledger by the rules of `orch compare`. */
export async function comparisonOf(
  ledger: Ledger,
  a: string,
  b: string,
  now: number,
): Promise<RunComparison> {
  const sides = { a: await knownRun(ledger, a), b: await knownRun(ledger, b) };
  const goals = { a: await goalsOf(ledger, sides.a.run), b: await goalsOf(ledger, sides.b.run) };
  const costs = { a: costsOf(goals.a), b: costsOf(goals.b) };
  const compared = ({ id }: { readonly id: string }): ComparedGoal => ({
    goal: id,
    cpu_seconds_a: costs.a.get(id) ?? 0,
    cpu_seconds_b: costs.b.get(id) ?? 0,
  });
  const { gained, lost, slower, faster, onlyInA, onlyInB } = compareGoals(goals.a, goals.b);
  const summaries = {
    a: await summaryOfRun(ledger, sides.a, now),
    b: await summaryOfRun(ledger, sides.b, now),
  };
  return {
    ...summaries,
    gained: gained.map(compared),
    lost: lost.map(compared),
    slower: slower.map(compared),
    faster: faster.map(compared),
    only_in_a: onlyInA,
    only_in_b: onlyInB,
    both: goals.a.length - onlyInA.length,
    totals: compareTotals(summaries.a, summaries.b),
    progress: {
      a: await courseOf(ledger, summaries.a),
      b: await courseOf(ledger, summaries.b),
    },
  };
}

/** Relative to each run's start, so that runs of different days overlap. */
async function courseOf(
  { views }: Ledger,
  { run, started, so_far }: RunSummary,
): Promise<RunComparison['progress']['a']> {
  const points = (await views.progressOf(run, seriesLength)).map((point) => ({
    ...point,
    at: Math.max(0, point.at - started),
  }));
  const { closed, solved } = points.at(-1) ?? { closed: 0, solved: 0 };
  const end = Math.max(points.at(-1)?.at ?? 0, Math.round(so_far.wall_seconds * 1000));
  return [{ at: 0, closed: 0, solved: 0 }, ...points, { at: end, closed, solved }];
}

interface ComparableGoal {
  readonly id: string;
  readonly solved: boolean;
  readonly cpu_seconds: number;
}

async function goalsOf({ views }: Ledger, run: string): Promise<ComparableGoal[]> {
  const states = await views.goalStates(run);
  return states.filter(isAskedFor).map(({ goal, status, cpu_seconds }) => ({
    id: goal,
    solved: status === 'solved',
    cpu_seconds,
  }));
}

function costsOf(goals: readonly ComparableGoal[]): Map<string, number> {
  return new Map(goals.map(({ id, cpu_seconds }) => [id, cpu_seconds]));
}

function compareTotals(a: RunSummary, b: RunSummary): RunComparison['totals'] {
  const of = (name: string, value: (run: RunSummary) => Cell): RunComparison['totals'][number] => ({
    name,
    a: value(a),
    b: value(b),
  });
  return [
    of('goals_total', ({ goals_total }) => goals_total),
    of('goals_solved', ({ goals_solved }) => goals_solved),
    of('cpu_seconds', ({ cpu_seconds }) => cpu_seconds),
    of('wall_seconds', ({ wall_seconds }) => wall_seconds),
    of('utilisation', ({ utilisation }) => utilisation),
    of('profile', ({ config }) => config.profile),
    of('cpu_target', ({ config }) => config.cpu_target),
    of('workers', ({ config }) => config.workers),
    of('seed', ({ seed }) => seed),
    of('toolchain', ({ toolchain }) => toolchain),
    of('version', ({ version }) => version),
  ];
}
