import { bareGoal, type GoalsRead, type LeanGoal } from './goal.ts';

interface Queue {
  add(goal: LeanGoal): boolean;
  withdraw(id: string, reason: string): void;
}

/** Queues goals. Unreadable ones also count as goals and are closed at once, so that totals are correct. */
export function queueGoals(queue: Queue, { goals, unreadable }: GoalsRead): void {
  for (const goal of goals) queue.add(goal);
  for (const { id, source, message } of unreadable) {
    queue.add({ ...bareGoal, id, preamble: '', statement: '', source });
    queue.withdraw(id, message);
  }
}
