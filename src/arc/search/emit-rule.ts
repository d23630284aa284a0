import type { Arguments, StepReference } from '../language/operation.ts';
import { partNames } from '../language/features/features.ts';
import type { Program } from '../language/program.ts';
import type { Proposal } from './candidate.ts';
import type { Decision } from './decide.ts';
import { Emitter } from './emit.ts';
import type { ViewedTask } from './views.ts';

/** The steps into the view, those of the rule, and the steps back. */
export function proposalIn(
  view: ViewedTask,
  by: string,
  held: number,
  emit: (emitter: Emitter) => StepReference,
): Proposal {
  const emitter = new Emitter(view.prefix);
  let reference = emit(emitter);
  for (const { op, args } of view.suffix) reference = emitter.add(op, args, reference);
  return { program: endingAt(emitter, reference), by: `${by} ${view.name}`, held };
}

/** A rule as a step: the pieces that it asks or reads, "#12", become parts of a list, "part-1". */
export function ruleParts({ columns, table }: Pick<Decision, 'columns' | 'table'>): {
  parts: readonly number[];
  op: 'cells' | 'cells_beside';
  args: Arguments;
} {
  const names = columns.map(({ name }) => name);
  const asked = [...names, ...Object.values(table).map((answer) => answer.replace(/^@/, ''))];
  const parts = [...new Set(asked.filter((name) => name.startsWith('#')))];
  const named = (name: string): string => (name.startsWith('#') ? `part-${parts.indexOf(name) + 1}` : name);
  const features = names.map(named);
  const said = Object.fromEntries(
    Object.entries(table).map(([key, answer]) => [
      key,
      answer.startsWith('@') ? `@${named(answer.slice(1))}` : answer,
    ]),
  );
  return parts.length === 0
    ? { parts: [], op: 'cells', args: { features, table: said, else: 'keep', rounds: 1 } }
    : {
        parts: parts.map((name) => Number(name.slice(1))),
        op: 'cells_beside',
        args: { features, table: said, else: 'keep' },
      };
}

/** Number of other pieces that the rule language has names for; a rule that needs more of them is none. */
export function canBeSaid(rule: Pick<Decision, 'columns' | 'table'>): boolean {
  return ruleParts(rule).parts.length <= partNames.length;
}

/** A program answers with its last step; a value that stands earlier is said once more. */
function endingAt(emitter: Emitter, reference: StepReference): Program {
  if (reference !== emitter.steps.length - 1) emitter.add('origin', {}, reference);
  return emitter.steps;
}
