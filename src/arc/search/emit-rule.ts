import type { Arguments, StepReference } from '../language/operation.ts';
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

/** The arguments of a cell rule. */
export function cellArguments({ columns, table }: Pick<Decision, 'columns' | 'table'>): Arguments {
  return { features: columns.map(({ name }) => name), table, else: 'keep', rounds: 1 };
}

/** The last step of a program is its answer, so an earlier value is repeated as a last step. */
function endingAt(emitter: Emitter, reference: StepReference): Program {
  if (reference !== emitter.steps.length - 1) emitter.add('origin', {}, reference);
  return emitter.steps;
}
