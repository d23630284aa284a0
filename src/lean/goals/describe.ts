import type { GoalAdded } from '../../shared/events.ts';
import type { LeanGoal } from './goal.ts';

/** What the ledger and people know a goal by. */
export function describeGoal(goal: LeanGoal): Omit<GoalAdded, 'difficulty' | 'priority' | 'requester'> {
  const { id, statement, preamble, topic, label, source, allowAxioms, node } = goal;
  return {
    goal: id,
    statement,
    preamble,
    topic,
    label,
    source,
    allow_axioms: allowAxioms,
    task: goal,
    ...(node && { node }),
  };
}
