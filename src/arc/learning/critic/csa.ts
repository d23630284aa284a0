import { definite } from '../../../core/errors.ts';
import { verifierScoreOf } from '../../verify/comparator.ts';
import { paletteOf, swapsOf, type Aspect, type Swap } from '../../language/alternatives.ts';
import { candidateId } from '../../language/normal.ts';
import { checkProgram, type Program, type ProgramStep } from '../../language/program.ts';
import { sourcesOf, withoutStep } from '../../language/surgery.ts';
import type { Task } from '../../grid/task.ts';
import { verify, type RuleVerdict } from '../../verify/verify.ts';

/**
 * The value of a step: the score without it, and with its best alternative argument. Deltas are relative to the program's
 * score.
 */
export interface StepAttribution {
  readonly step: number;
  /** Null if the program without the step is invalid. */
  readonly delta_drop: number | null;
  readonly best_swap: {
    readonly path: string;
    readonly aspect: Aspect;
    readonly candidate_id: string;
  } | null;
  readonly best_swap_delta: number;
  /** The first training pair whose output changes without the step. */
  readonly first_diverging_pair: number | null;
}

export interface Attribution {
  readonly steps: readonly StepAttribution[];
  readonly reruns: number;
  readonly nodes: number;
}

/** Maximum number of programs run per attribution. */
const mostReruns = 64;

/**
 * Counterfactual step attribution: every step dropped, then every argument swapped, one swap of each step in turn, until
 * 64 programs have been run. The program is in normal form.
 */
export function attribute(
  program: Program,
  task: Pick<Task, 'train' | 'test'>,
  verdict: RuleVerdict,
): Attribution {
  const runs = new Reruns(program, task, verdict);
  const steps = program.map((step, index) => runs.drop(step, index));
  const palette = paletteOf(task);
  let open = program.map((_, index) => ({ index, swaps: swapsOf(program, index, palette) }));
  while (open.length > 0 && runs.count < mostReruns)
    open = open.filter(({ index, swaps }) => runs.count >= mostReruns || trySwap(runs, steps, index, swaps));
  return { steps, reruns: runs.count, nodes: runs.nodes };
}

/** Runs the next swap of a step that is a new program; false when there is none left. */
function trySwap(runs: Reruns, steps: StepAttribution[], index: number, swaps: Generator<Swap>): boolean {
  // `next` instead of a for loop, which would close the generator and lose the later swaps of the step
  for (let next = swaps.next(); next.done !== true; next = swaps.next()) {
    const { program, path, aspect } = next.value;
    const delta = runs.deltaOf(program);
    if (delta === null) continue;
    const known = definite(steps[index]);
    if (known.best_swap === null || delta > known.best_swap_delta)
      steps[index] = {
        ...known,
        best_swap: { path, aspect, candidate_id: candidateId(program) },
        best_swap_delta: delta,
      };
    return true;
  }
  return false;
}

class Reruns {
  readonly #program: Program;
  readonly #task: Pick<Task, 'train' | 'test'>;
  readonly #verdict: RuleVerdict;
  readonly #score: number;
  readonly #seen: Set<string>;
  count = 0;
  nodes = 0;

  constructor(program: Program, task: Pick<Task, 'train' | 'test'>, verdict: RuleVerdict) {
    this.#program = program;
    this.#task = { train: task.train, test: [] };
    this.#verdict = verdict;
    this.#score = verifierScoreOf(task.train, verdict);
    this.#seen = new Set([candidateId(program)]);
  }

  drop(step: ProgramStep, index: number): StepAttribution {
    const nothing = { step: index, best_swap: null, best_swap_delta: 0 };
    const source = definite(sourcesOf(step)[0]);
    const without: Program =
      this.#program.length === 1
        ? [{ op: 'origin', args: { of: 'input' } }]
        : withoutStep(this.#program, index, source);
    const verdict = this.#run(without);
    if (verdict === null) return { ...nothing, delta_drop: null, first_diverging_pair: null };
    const diverging = verdict.exact.findIndex((exact, i) => exact !== this.#verdict.exact[i]);
    return {
      ...nothing,
      delta_drop: this.#delta(verdict),
      first_diverging_pair: diverging < 0 ? null : diverging,
    };
  }

  /** Null for an invalid program or one that was already run. */
  deltaOf(program: Program): number | null {
    const verdict = this.#run(program);
    return verdict === null ? null : this.#delta(verdict);
  }

  #run(program: Program): RuleVerdict | null {
    if (this.count >= mostReruns) return null;
    const checked = checkProgram(program);
    if (!checked.ok) return null;
    const id = candidateId(checked.value);
    if (this.#seen.has(id)) return null;
    this.#seen.add(id);
    this.count++;
    this.nodes += program.length * this.#task.train.length;
    return verify(checked.value, this.#task);
  }

  #delta(verdict: RuleVerdict): number {
    return Math.round((verifierScoreOf(this.#task.train, verdict) - this.#score) * 1e6) / 1e6;
  }
}
