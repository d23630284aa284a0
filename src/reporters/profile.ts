import { costOf, workIn } from '../shared/cost.ts';
import type { RunEvent, RunFinished } from '../shared/events.ts';

/** CPU of a part of a run and of its sub-parts. */
export interface Part {
  readonly name: string;
  /** Counts: goals opened, attempts, candidates judged. */
  count: number;
  cpuSeconds: number;
  /** In seconds of the reference machine, which limits count. */
  workSeconds: number;
  readonly parts: Map<string, Part>;
}

/**
 * The CPU of a run by purpose, then by arm, then by goal. The goals' part is the sum of their own figures; the rest is orch itself and starting Lean.
 */
export function profileOf(run: string, events: readonly RunEvent[]): Part {
  const root = newPart(run);
  const goals = newPart('goals');
  let finished: RunFinished | undefined;
  for (const event of events) {
    if (event.type === 'run-finished') finished = event;
    const cost = costOf(event);
    if (!cost) continue;
    for (const part of [goals, ...pathTo(goals, [...placeOf(event), cost.goal])]) {
      part.count++;
      part.cpuSeconds += cost.cpu_seconds;
      part.workSeconds += workIn(cost);
    }
  }
  root.parts.set(goals.name, goals);
  root.count = goals.count;
  root.workSeconds = goals.workSeconds;
  root.cpuSeconds = Math.max(finished?.cpu_seconds ?? 0, goals.cpuSeconds);
  if (finished) {
    const host = Math.min(finished.host_cpu_seconds, root.cpuSeconds - goals.cpuSeconds);
    addRest(root, 'orch itself', host);
    addRest(root, 'starting Lean, and requests outside of goals', root.cpuSeconds - goals.cpuSeconds - host);
  }
  return root;
}

/** The most expensive first. */
export function mostExpensiveFirst({ parts }: Part): Part[] {
  return [...parts.values()].toSorted((one, two) => two.cpuSeconds - one.cpuSeconds);
}

function placeOf(event: RunEvent): string[] {
  if (event.type === 'goal-examined') return ['opening'];
  if (event.type === 'goal-charged') return [event.reason];
  return event.type === 'attempt-finished' ? ['attempts', event.arm] : ['judging'];
}

function pathTo(from: Part, names: readonly string[]): Part[] {
  const path: Part[] = [];
  let at = from;
  for (const name of names) {
    const next = at.parts.get(name) ?? newPart(name);
    at.parts.set(name, next);
    path.push(next);
    at = next;
  }
  return path;
}

function addRest(root: Part, name: string, cpuSeconds: number): void {
  if (cpuSeconds > 0) root.parts.set(name, { ...newPart(name), cpuSeconds });
}

function newPart(name: string): Part {
  return { name, count: 0, cpuSeconds: 0, workSeconds: 0, parts: new Map() };
}
