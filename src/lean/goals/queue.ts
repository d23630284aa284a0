import { bareGoal, type GoalsRead, type LeanGoal } from './goal.ts';

interface Queue {
  add(goal: LeanGoal): boolean;
  withdraw(id: string, reason: string): void;
}

/** Goals for an engine. What cannot be worked on counts as a goal too, closed at once: nobody may take the others for all. */
export function queueGoals(queue: Queue, { goals, unreadable }: GoalsRead): void {
  for (const goal of goals) queue.add(goal);
  for (const { id, source, message } of unreadable) {
    queue.add({ ...bareGoal, id, preamble: '', statement: '', source });
    queue.withdraw(id, message);
  }
}
