import { labelOf } from '../core/difficulty.ts';
import { costOf } from '../shared/cost.ts';
import {
  unsolved,
  type AttemptStarted,
  type DifficultyLabel,
  type EventOf,
  type GoalAdded,
  type GoalClosed,
  type RunEvent,
  type Sample,
} from '../shared/events.ts';

/**
 * A run's events, summed up for terminal, JSON, GitHub and results file.
 *
 * A goal is queued → racing (attempts run) → queued again, parked, or closed. A goal that is added again (its file changed)
 * starts over.
 */
export class RunSoFar {
  started: EventOf<'run-started'> | undefined;
  finished: EventOf<'run-finished'> | undefined;
  sample: Sample | undefined;
  readonly goals = new Map<string, GoalRecord>();
  readonly running = new Map<string, AttemptStarted & { readonly at: number }>();
  readonly arms = new Map<string, ArmFigures>();
  /** Names of closed goals, newest last; a goal counts once. */
  readonly closedOrder = new Set<string>();

  apply(event: RunEvent): void {
    const cost = costOf(event);
    if (cost) this.goals.get(cost.goal)?.charge(cost.cpu_seconds);
    switch (event.type) {
      case 'run-started':
        this.started = event;
        this.finished = undefined; // of a run that this one continues
        break;
      case 'run-finished':
        this.finished = event;
        break;
      case 'goal-added':
        // helper lemmas are internal, not requested goals
        if (event.requester !== null) break;
        this.goals.set(event.goal, new GoalRecord(event));
        this.closedOrder.delete(event.goal);
        break;
      case 'goal-examined': {
        const goal = this.goals.get(event.goal);
        if (goal !== undefined) goal.difficulty = event.difficulty;
        break;
      }
      case 'goal-parked':
        this.goals.get(event.goal)?.park();
        break;
      case 'goal-closed':
        this.#close(event);
        break;
      case 'attempt-started':
        this.running.set(event.attempt, event);
        this.goals.get(event.goal)?.race();
        break;
      case 'attempt-finished':
        this.#finish(event);
        break;
      case 'candidate-judged': {
        const goal = this.goals.get(event.goal);
        if (goal !== undefined && event.verdict === 'rejected' && event.kind === 'sorry')
          goal.restsOnSorry = true;
        break;
      }
      case 'sample':
        this.sample = event;
        break;
      case 'control-obeyed':
        // its earlier outcome no longer counts
        if (event.action === 'retry' && event.refused === null && event.goal !== null)
          this.#reopen(event.goal);
        break;
      case 'control-requested':
      case 'goal-opened':
      case 'slate-started':
      case 'goal-charged':
      case 'ticket-opened':
      case 'ticket-claimed':
      case 'ticket-completed':
      case 'ticket-joined':
      case 'ticket-refuted':
      case 'ticket-merged':
      case 'pinned':
      case 'proof-audited':
      case 'pruned':
      case 'note':
        break;
    }
  }

  /** How much came from caches: accepted proofs, and attempts that used one. */
  get cacheUse(): { readonly proofs: number; readonly attempts: number; readonly hits: number } {
    const proofs = this.newest(true).filter(({ strategy }) => strategy === 'cache').length;
    const arms = [...this.arms.values()];
    const total = (key: 'attempts' | 'hits'): number => arms.reduce((sum, arm) => sum + arm[key], 0);
    return { proofs, attempts: total('attempts'), hits: total('hits') };
  }

  get solved(): number {
    let solved = 0;
    for (const { closed } of this.goals.values()) if (closed?.solved) solved++;
    return solved;
  }

  /** Closed goals, newest first. */
  newest(solved: boolean): GoalClosed[] {
    return [...this.closedOrder]
      .toReversed()
      .flatMap((name) => this.goals.get(name)?.closed ?? [])
      .filter((closed) => closed.solved === solved);
  }

  /** Goals that the run left open, as if they had been closed then: unsolved, with a reason. */
  leftOpen(): GoalClosed[] {
    const why = this.#whyOpen();
    return [...this.goals.values()]
      .filter(({ closed }) => closed === undefined)
      .map(({ added, attempts, cpuSeconds }) => ({
        ...unsolved,
        goal: added.goal,
        attempts,
        cpu_seconds: cpuSeconds,
        reason: attempts === 0 ? `not tried: ${why}` : `not finished: ${why}`,
      }));
  }

  #reopen(name: string): void {
    this.goals.get(name)?.reopen();
    this.closedOrder.delete(name);
  }

  #whyOpen(): string {
    switch (this.finished?.reason) {
      case 'timeout':
        return 'the run timed out';
      case 'drained':
        return 'the run was stopped';
      case 'failed':
        return `the run failed${this.finished.message === null ? '' : `: ${this.finished.message}`}`;
      case 'done':
      case undefined:
        return 'the run ended';
    }
  }

  #close(event: EventOf<'goal-closed'>): void {
    const goal = this.goals.get(event.goal);
    if (goal === undefined) return;
    goal.close(event);
    this.closedOrder.delete(event.goal);
    this.closedOrder.add(event.goal);
    if (event.solved && event.arm !== null) this.#arm(event.arm, event.strategy).solved.add(event.goal);
  }

  #finish(event: EventOf<'attempt-finished'>): void {
    this.running.delete(event.attempt);
    this.goals.get(event.goal)?.finishAttempt();
    const arm = this.#arm(event.arm, event.strategy);
    arm.attempts++;
    if (event.cache_hits > 0) arm.hits++;
    arm.cpuSeconds += event.cpu_seconds;
    arm.tried.add(event.goal);
  }

  #arm(name: string, strategy: string | null): ArmFigures {
    let arm = this.arms.get(name);
    if (arm === undefined) {
      arm = {
        strategy: strategy ?? name.replace(/\/.*/s, ''),
        attempts: 0,
        hits: 0,
        cpuSeconds: 0,
        tried: new Set(),
        solved: new Set(),
      };
      this.arms.set(name, arm);
    }
    return arm;
  }
}

/** Results of an arm; a strategy is the sum of its arms. */
export interface ArmFigures {
  readonly strategy: string;
  attempts: number;
  /** Attempts that used a cache. */
  hits: number;
  cpuSeconds: number;
  /** Names of goals. */
  readonly tried: Set<string>;
  readonly solved: Set<string>;
}

/** Sums arms up by strategy; a goal that two arms tried was tried once. */
export function byStrategy(arms: Iterable<ArmFigures>): Map<string, ArmFigures> {
  const strategies = new Map<string, ArmFigures>();
  for (const arm of arms) {
    const before = strategies.get(arm.strategy);
    strategies.set(arm.strategy, {
      strategy: arm.strategy,
      attempts: (before?.attempts ?? 0) + arm.attempts,
      hits: (before?.hits ?? 0) + arm.hits,
      cpuSeconds: (before?.cpuSeconds ?? 0) + arm.cpuSeconds,
      tried: arm.tried.union(before?.tried ?? new Set()),
      solved: arm.solved.union(before?.solved ?? new Set()),
    });
  }
  return strategies;
}

export class GoalRecord {
  /** A proof was found that depends on an unproved theorem. */
  restsOnSorry = false;
  readonly added: GoalAdded;
  difficulty: number;
  state: 'queued' | 'racing' | 'parked' | 'closed' = 'queued';
  attempts = 0;
  cpuSeconds = 0;
  closed: GoalClosed | undefined;
  #racing = 0;

  constructor(added: GoalAdded) {
    this.added = added;
    this.difficulty = added.difficulty;
  }

  /** The user's label, else one by the difficulty. */
  get label(): DifficultyLabel {
    if (this.added.label !== null) return this.added.label;
    return labelOf(this.difficulty);
  }

  race(): void {
    this.#racing++;
    this.state = 'racing';
  }

  charge(cpuSeconds: number): void {
    this.cpuSeconds += cpuSeconds;
  }

  finishAttempt(): void {
    this.attempts++;
    this.#racing = Math.max(0, this.#racing - 1);
    if (this.#racing === 0 && this.state === 'racing') this.state = 'queued';
  }

  park(): void {
    this.state = 'parked';
  }

  reopen(): void {
    this.closed = undefined;
    this.state = 'queued';
  }

  close(closed: GoalClosed): void {
    this.closed = closed;
    this.state = 'closed';
  }
}
