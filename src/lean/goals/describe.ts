import type { GoalAdded } from '../../shared/events.ts';
import type { LeanGoal } from './goal.ts';

/** The goal's columns in events and the ledger. */
export function describeGoal(goal: LeanGoal): Omit<GoalAdded, 'difficulty' | 'priority' | 'requester'> {
  const { id, statement, preamble, topic, label, estimate, relax, source, allowAxioms, node } = goal;
  return {
    goal: id,
    statement,
    preamble,
    topic,
    label,
    ...(estimate !== undefined && { estimate }),
    ...(relax !== undefined && { relax }),
    source,
    allow_axioms: allowAxioms,
    task: goal,
    ...(node && { node }),
  };
}
