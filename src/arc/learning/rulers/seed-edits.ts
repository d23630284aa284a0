import { definite } from '../../../core/errors.ts';
import { verifierScoreOf } from '../../verify/comparator.ts';
import { errorType } from '../../verify/error-type.ts';
import { contentHash } from '../../grid/grid.ts';
import { judgeProposal } from '../../search/teacher.ts';
import { edit, type Directive, type DirectiveKind, type Workshop } from '../../search/edit.ts';
import { candidateId, normalForm } from '../../language/normal.ts';
import type { Program } from '../../language/program.ts';
import type { RunOutcome } from '../../language/run.ts';
import type { Task } from '../../grid/task.ts';
import { verify, type RuleVerdict } from '../../verify/verify.ts';
import type { Draft, DirectiveTally, Seed } from './ruler.ts';
import type { RulerArm } from './steer.ts';

/** An arm with its untried edits. */
interface OpenArm {
  readonly arm: RulerArm;
  readonly programs: Generator<Program>;
}

/** An edit that was tried. */
interface Tried {
  readonly program: Program;
  readonly directive: Directive;
  readonly score: number;
  readonly solved: boolean;
}

/** Number of best edits per directive that are kept. */
const remembered = 6;

/**
 * The edits of one seed. Arms take turns in proportion to their weights. It continues where it stopped, so a seed that is kept
 * never repeats an edit.
 */
export class SeedEdits {
  readonly #seed: Seed;
  readonly #task: Task;
  readonly #open: OpenArm[];
  readonly #best = new Map<DirectiveKind, Tried[]>();
  readonly #count = new Map<DirectiveKind, number>();
  readonly #given = new Set<string>();
  readonly #behaviours: Set<string>;
  nodes = 0;
  isSolved = false;

  constructor(seed: Seed, task: Task, arms: readonly RulerArm[], workshop: Omit<Workshop, 'spend'>) {
    this.#seed = seed;
    this.#task = task;
    const program = normalForm(seed.judged.program);
    const spend = (nodes: number): void => {
      this.nodes += nodes;
    };
    this.#open = arms.map((arm) => ({ arm, programs: edit(program, arm.directive, { ...workshop, spend }) }));
    this.#behaviours = new Set([behaviour(verify(program, task))]);
  }

  /** Tries edits until the nodes are used up, or one is right on every pair, also by leave-one-out. */
  run(nodes: number): void {
    const end = this.nodes + nodes;
    while (this.#open.length > 0 && this.nodes < end && !this.isSolved)
      for (let i = 0; i < this.#open.length && this.nodes < end && !this.isSolved; i++) {
        const { arm, programs } = definite(this.#open[i]);
        for (let turn = 0; turn < arm.weight && this.nodes < end; turn++) {
          const next = programs.next();
          if (next.done === true) {
            this.#open.splice(i--, 1);
            break;
          }
          this.#try(next.value, arm.directive);
        }
      }
  }

  #try(program: Program, directive: Directive): void {
    const { train, test } = this.#task;
    this.nodes += program.length * (train.length + test.length);
    const { kind } = directive;
    this.#count.set(kind, (this.#count.get(kind) ?? 0) + 1);
    const verdict = verify(program, this.#task);
    const key = behaviour(verdict);
    if (!verdict.solved && this.#behaviours.has(key)) return;
    this.#behaviours.add(key);
    const score = verifierScoreOf(train, verdict);
    const solved = verdict.solved && this.#holds(program, verdict);
    if (solved) this.isSolved = true;
    const best = this.#best.get(kind) ?? [];
    best.push({ program, directive, score, solved });
    best.sort((a, b) => Number(b.solved) - Number(a.solved) || b.score - a.score);
    this.#best.set(kind, best.slice(0, remembered));
  }

  #holds(program: Program, verdict: RuleVerdict): boolean {
    const id = candidateId(program);
    const { feature_vec } = judgeProposal(this.#task, { program, by: 'edit', held: 0 }, id);
    return errorType(this.#task.train, verdict, feature_vec) === 'NONE';
  }

  /** The best edits not yet returned: the best of each directive first, then the second best. */
  *give(): Generator<Draft> {
    for (let rank = 0; rank < remembered; rank++) {
      const row = [...this.#best.values()].flatMap((best) => best.slice(rank, rank + 1));
      row.sort((a, b) => Number(b.solved) - Number(a.solved) || b.score - a.score);
      for (const { program, directive } of row) {
        const id = candidateId(program);
        if (this.#given.has(id)) continue;
        this.#given.add(id);
        yield { value: program, by: 'edit', held: 0, parent_id: this.#seed.judged.id, directive };
      }
    }
  }

  tallies(): DirectiveTally[] {
    const { id, verifier_score } = this.#seed.judged;
    return [...this.#count].map(([directive, tried]) => ({
      seed_id: id,
      directive,
      tried,
      best_delta: Math.round(((this.#best.get(directive)?.[0]?.score ?? 0) - verifier_score) * 1e6) / 1e6,
    }));
  }
}

function behaviour({ outcomes, answers }: RuleVerdict): string {
  return contentHash([...outcomes, ...answers].map(outcomeText).join('|'));
}

function outcomeText(outcome: RunOutcome): string {
  return outcome.kind === 'grid' ? `${outcome.grid.width} ${outcome.grid.cells.join('')}` : outcome.kind;
}
