import type { Slot } from '../../shared/events.ts';
import type { GoalState, Phase } from './goal-state.ts';
import { Heap } from './heap.ts';

/**
 * Aggregates over all goals, updated per goal, so a decision costs the same with ten goals and with 100,000. A goal is taken out, changed and put back.
 */
export class Tally {
  readonly #phases: Record<Phase, number> = { queued: 0, open: 0, parked: 0, closed: 0 };
  readonly #claims: Record<Slot, number> = { light: 0, heavy: 0 };
  #waitingForLemma = 0;
  readonly #ready = new Heap<GoalState>(comesBefore);
  /** Goals that only need a heavy slot. */
  readonly #wantHeavy = new Heap<GoalState>(comesBefore);
  readonly #timed = new Heap<GoalState>(wakesBefore);

  count(phase: Phase): number {
    return this.#phases[phase];
  }

  /** Slots taken or reserved. */
  claims(slot: Slot): number {
    return this.#claims[slot];
  }

  /** Whether a parked goal will resume without a lemma. */
  get someComeBack(): boolean {
    return this.#phases.parked > this.#waitingForLemma;
  }

  /** The goal that a free worker gets, among those that want a slot of these kinds. */
  first(at: number, ...slots: readonly Slot[]): GoalState | undefined {
    const candidates = slots.flatMap((slot) =>
      slot === 'heavy'
        ? [this.#wantHeavy.first]
        : [this.#ready.first, ...this.#timed.leading(({ parkedUntil }) => parkedUntil <= at)],
    );
    return candidates.reduce<GoalState | undefined>((best, goal) => {
      if (goal === undefined || best === undefined) return best ?? goal;
      return comesBefore(goal, best) ? goal : best;
    }, undefined);
  }

  /** When the next parked goal can be taken up again. */
  get nextWakeUp(): number | undefined {
    return this.#timed.first?.parkedUntil;
  }

  /** Moves goals whose waiting time is over to the queue. */
  settle(at: number): void {
    for (let goal = this.#timed.first; goal && goal.parkedUntil <= at; goal = this.#timed.first) {
      this.#timed.remove(goal);
      this.#ready.add(goal);
    }
  }

  takeOut(goal: GoalState): void {
    this.#count(goal, -1);
    if (!this.#ready.remove(goal) && !this.#wantHeavy.remove(goal)) this.#timed.remove(goal);
  }

  putBack(goal: GoalState, at: number): void {
    this.#count(goal, 1);
    if (goal.phase === 'queued') this.#ready.add(goal);
    if (goal.phase !== 'parked') return;
    if (goal.wantsHeavy) this.#wantHeavy.add(goal);
    else if (goal.parkedUntil <= at) this.#ready.add(goal);
    else this.#timed.add(goal);
  }

  #count(goal: GoalState, sign: 1 | -1): void {
    this.#phases[goal.phase] += sign;
    for (const slot of ['light', 'heavy'] as const) this.#claims[slot] += sign * claimOf(goal, slot);
    if (goal.phase === 'parked' && (goal.ticket?.isOpen || goal.isGiven)) this.#waitingForLemma += sign;
  }
}

/**
 * Number of slots that a goal takes or reserves. An open goal without an attempt in flight reserves one, so
 * that no more goals are opened than can be worked on: a heavy one if it was parked for that, else a light one.
 */
export function claimOf({ phase, running, wantsHeavy }: Readonly<GoalState>, slot: Slot): number {
  if (running.size > 0) return [...running.values()].filter((its) => its.slot === slot).length;
  return phase === 'open' && slot === (wantsHeavy ? 'heavy' : 'light') ? 1 : 0;
}

/** Cheap rounds first, then by priority, then by arrival. */
function comesBefore(first: Readonly<GoalState>, second: Readonly<GoalState>): boolean {
  if (first.round !== second.round) return first.round < second.round;
  if (first.priority !== second.priority) return first.priority > second.priority;
  return first.order < second.order;
}

function wakesBefore(first: Readonly<GoalState>, second: Readonly<GoalState>): boolean {
  return first.parkedUntil < second.parkedUntil;
}
