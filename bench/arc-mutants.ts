import { seedFrom } from '../src/core/rng.ts';
import { edit, type DirectiveKind } from '../src/arc/search/edit.ts';
import { normalForm } from '../src/arc/language/normal.ts';
import type { Program } from '../src/arc/language/program.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { verify } from '../src/arc/verify/verify.ts';

/** A solved program with one fault, and the steps of the mutant that may correctly be blamed. */
export interface Mutant {
  readonly task: Task;
  readonly program: Program;
  readonly fault: DirectiveKind;
  readonly guilty: readonly number[];
}

/** Single faults: a changed argument, criterion, colour, connectivity or operation, a dropped step, two swapped steps. */
const faults: readonly DirectiveKind[] = [
  'CHANGE_ARG',
  'CHANGE_SELECTOR',
  'REMAP_COLOUR',
  'CHANGE_CONNECTIVITY',
  'REPLACE_OP',
  'DROP_STEP',
  'REORDER',
];

const mostEdits = 40;

/** Mutants in a fixed order; those that still fit every pair are skipped. */
export function* mutantsOf(
  solved: readonly { task: Task; program: Program }[],
  count: number,
  seed: number,
): Generator<Mutant> {
  for (let made = 0, draw = 0; made < count && draw < count * 50; draw++) {
    const one = solved[seedFrom(seed, draw, 'task') % solved.length];
    if (one === undefined) return;
    const mutant = mutate(one.task, normalForm(one.program), seedFrom(seed, draw, 'fault'));
    if (mutant === null) continue;
    made++;
    yield mutant;
  }
}

function mutate(task: Task, program: Program, seed: number): Mutant | null {
  const fault = faults[seed % faults.length] as DirectiveKind;
  const step = seedFrom(seed, 'step') % program.length;
  const workshop = { task, fragments: [], drafts: [], spend: () => undefined };
  const made = [...edit(program, { kind: fault, step }, workshop).take(mostEdits)]
    // one fault changes one step: added learners or steps would be more than a single fault
    .filter((one) => (fault === 'DROP_STEP' ? one.length < program.length : one.length === program.length))
    .filter((one) => !verify(one, task).solved);
  const mutated = made[seedFrom(seed, 'edit') % Math.max(1, made.length)];
  if (mutated === undefined) return null;
  const guilty =
    fault === 'DROP_STEP'
      ? [step - 1, step].filter((at) => at >= 0 && at < mutated.length)
      : differing(program, mutated);
  return { task, program: mutated, fault, guilty };
}

function differing(before: Program, after: Program): number[] {
  return [...after.keys()].filter((at) => JSON.stringify(before[at]) !== JSON.stringify(after[at]));
}
