import { definite } from '../../../core/errors.ts';
import { objectsIn } from '../../grid/objects.ts';
import type { Grid } from '../../grid/grid.ts';
import { familyOfOperation, type Aspect } from '../../language/alternatives.ts';
import type { Program } from '../../language/program.ts';
import type { Pair } from '../../grid/task.ts';
import type { RuleVerdict } from '../../verify/verify.ts';
import type { Attribution, StepAttribution } from './csa.ts';

export const blameLevels = [
  'describer',
  'size',
  'selector',
  'op',
  'arg',
  'colour',
  'order',
  'missing_step',
] as const;
export type BlameLevel = (typeof blameLevels)[number];

/** The faulty part of a program, according to counterfactuals. */
export interface BlameLocus {
  readonly level: BlameLevel;
  readonly step_idx: number;
  /** The path of the blamed argument, if any. */
  readonly arg: string | null;
  /** The first training pair that is wrong, and the box around its wrong cells. */
  readonly pair_idx: number | null;
  readonly bbox: readonly [x: number, y: number, width: number, height: number] | null;
  /** The gain of the best counterfactual. */
  readonly gain: number;
}

/**
 * The counterfactual with the largest gain, the earliest on a tie. Without any gain: a step that failed; the last step as
 * `missing_step` if the wrong cells form one region; otherwise the step whose removal costs least.
 */
export function blame(
  program: Program,
  train: readonly Pair[],
  verdict: RuleVerdict,
  { steps }: Attribution,
): BlameLocus {
  const place = wrongPlace(train, verdict);
  const where = { pair_idx: place?.pair ?? null, bbox: place?.box ?? null };
  let best: { entry: StepAttribution; gain: number; isSwap: boolean } | null = null;
  for (const entry of steps) {
    for (const [gain, isSwap] of [
      [entry.best_swap_delta, true],
      [entry.delta_drop ?? 0, false],
    ] as const)
      if (gain > 0 && (best === null || gain > best.gain)) best = { entry, gain, isSwap };
  }
  if (best !== null) {
    const { entry, gain, isSwap } = best;
    const swap = isSwap ? entry.best_swap : null;
    const level = swap === null ? 'op' : levelOf(swap.aspect, swap.path);
    return { level, step_idx: entry.step, arg: swap?.path ?? null, ...where, gain };
  }
  const failed = verdict.outcomes.find((outcome) => outcome.kind !== 'grid');
  if (failed !== undefined)
    return {
      level: failed.kind === 'EXEC' ? 'op' : 'size',
      step_idx: failed.step,
      arg: null,
      ...where,
      gain: 0,
    };
  const last = program.length - 1;
  if (place?.isOneRegion === true)
    return { level: 'missing_step', step_idx: last, arg: null, ...where, gain: 0 };
  const least = leastWorth(program, steps);
  return { level: 'op', step_idx: least, arg: null, ...where, gain: 0 };
}

function levelOf(aspect: Aspect, path: string): BlameLevel {
  if (path.startsWith('of')) return 'order';
  return aspect === 'connectivity' ? 'selector' : aspect;
}

/** The step whose removal costs least; steps of views come last. */
function leastWorth(program: Program, steps: readonly StepAttribution[]): number {
  const rank = ({ step, delta_drop }: StepAttribution): number =>
    (familyOfOperation(definite(program[step]).op) === 'views' ? -2 : 0) + (delta_drop ?? -1);
  return [...steps].sort((a, b) => rank(b) - rank(a) || b.step - a.step)[0]?.step ?? 0;
}

interface WrongPlace {
  readonly pair: number;
  readonly box: readonly [number, number, number, number] | null;
  readonly isOneRegion: boolean;
}

function wrongPlace(train: readonly Pair[], { outcomes, exact }: RuleVerdict): WrongPlace | null {
  const pair = exact.indexOf(false);
  if (pair < 0) return null;
  const outcome = outcomes[pair];
  const { output } = definite(train[pair]);
  if (
    outcome?.kind !== 'grid' ||
    outcome.grid.width !== output.width ||
    outcome.grid.height !== output.height
  )
    return { pair, box: null, isOneRegion: false };
  const wrong = wrongCells(outcome.grid, output);
  const found = objectsIn({ ...output, cells: wrong }, 'object');
  return { pair, box: boxAround(wrong, output.width), isOneRegion: found.count === 1 };
}

function wrongCells(grid: Grid, output: Grid): Uint8Array {
  return output.cells.map((cell, i) => (cell === grid.cells[i] ? 0 : 1));
}

function boxAround(cells: Uint8Array, width: number): readonly [number, number, number, number] {
  const at = [...cells.keys()].filter((i) => cells[i] === 1);
  const xs = at.map((i) => i % width);
  const ys = at.map((i) => Math.floor(i / width));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1];
}
