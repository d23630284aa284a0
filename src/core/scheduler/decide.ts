import type { ArmOffer, GoalClosed, GoalParked, SlateStarted, Slot } from '../../shared/events.ts';
import { lastRound, limitsOf, wasTried } from './loop-guard.ts';
import type { GoalState, Schedule } from './schedule.ts';

/** How many light arms race for a goal. */
const slateSize = 3;
/** Deep work starts on a hard goal after so many fast arms have failed. */
const fastFailures = 2;
/** After so many strategies have failed on a goal, a helper lemma is asked for. */
const failedStrategies = 3;
const ticketWaitMs = 3_600_000;
const firstBackoffMs = 1000;
/** A goal that meets so many tool faults in a row is given up in this run. */
const maxFaults = 6;

/** What to do next with a goal that is open and has no attempt in flight. */
export type Step =
  | { readonly kind: 'slate'; readonly body: SlateStarted }
  | { readonly kind: 'ask-for-lemma' }
  | { readonly kind: 'park'; readonly body: GoalParked }
  | { readonly kind: 'give-up'; readonly reason: GoalClosed['reason'] };

/** Which goal gets the next free worker: cheap rounds first, then by priority, then by arrival. */
export function nextGoal(schedule: Schedule, at: number): Readonly<GoalState> | undefined {
  if (schedule.isPaused) return undefined;
  let open = 0;
  let best: Readonly<GoalState> | undefined;
  for (const goal of schedule.goals()) {
    if (goal.phase === 'open') open++;
    const isReady = goal.phase === 'queued' || (goal.phase === 'parked' && goal.parkedUntil <= at);
    if (isReady && (best === undefined || comesBefore(goal, best))) best = goal;
  }
  const { workers, max_light } = schedule.config;
  return open < workers && schedule.running('light') < max_light ? best : undefined;
}

/** When the next parked goal can be taken up again; undefined when none is. */
export function nextWakeUp(schedule: Schedule, at: number): number | undefined {
  let earliest: number | undefined;
  for (const { phase, parkedUntil } of schedule.goals())
    if (phase === 'parked' && parkedUntil > at)
      earliest = Math.min(earliest ?? Number.POSITIVE_INFINITY, parkedUntil);
  return earliest;
}

/** Whether there is work that a worker could do now or is doing. */
export function hasWork(schedule: Schedule, at: number): boolean {
  for (const { phase, parkedUntil } of schedule.goals()) {
    if (phase === 'open') return true;
    if (!schedule.isPaused && (phase === 'queued' || (phase === 'parked' && parkedUntil <= at))) return true;
  }
  return false;
}

/** `mayAsk`: a helper lemma has not been asked for in this visit. */
export function nextStep(schedule: Schedule, id: string, at: number, mayAsk = true): Step {
  const goal = schedule.goal(id);
  const { goal_cpu } = schedule.config;
  if (schedule.isPaused) return park(goal, at, 'paused');
  if (spent(goal) >= goal_cpu)
    return { kind: 'give-up', reason: `its ${goal_cpu} CPU-seconds are spent (--goal-cpu)` };
  if (goal.offers.length === 0) return { kind: 'give-up', reason: 'no strategy has anything to try on it' };
  if (goal.faults >= maxFaults)
    return { kind: 'give-up', reason: `broken: ${goal.faults} tool faults in a row` };
  if (goal.faults > 0 && goal.faults % 2 === 0)
    return park(goal, at + firstBackoffMs * 2 ** goal.faults, 'broken');

  const light = openOffers(goal, 'light');
  const heavy = waitsForLemma(goal, at) ? [] : openOffers(goal, 'heavy');
  const failed = goal.tried.filter(({ arm }) => slotOf(goal, arm) === 'light').length;
  const isHard = goal.difficulty >= schedule.config.escalate_threshold && failed >= fastFailures;
  if (heavy.length > 0 && (isHard || light.length === 0)) {
    const free = schedule.config.max_heavy - schedule.running('heavy');
    if (free > 0)
      return slate(
        schedule,
        goal,
        heavy,
        1,
        isHard ? 'hard, and two fast arms failed' : 'all fast arms failed',
      );
  }
  if (light.length > 0) {
    const free = schedule.config.max_light - schedule.running('light');
    if (free > 0) return slate(schedule, goal, light, Math.min(slateSize, free), `round ${goal.round + 1}`);
    return park(goal, at + firstBackoffMs, 'slots');
  }
  if (mayAsk && isHopeless(goal) && !goal.ticket && goal.requester === null) return { kind: 'ask-for-lemma' };
  if (goal.round < lastRound) return park(goal, at, 'next-round');
  if (waitsForLemma(goal, at)) return park(goal, (goal.ticket?.openedAt ?? at) + ticketWaitMs, 'ticket');
  return { kind: 'give-up', reason: allFailed(goal) };
}

/** Why a goal on which everything was tried is given up. */
export function allFailed({ offers }: Pick<GoalState, 'offers'>): string {
  return offers.length === 1 ? 'its only arm failed' : `all ${offers.length} arms failed`;
}

function slate(
  schedule: Schedule,
  goal: Readonly<GoalState>,
  offers: readonly ArmOffer[],
  size: number,
  reason: string,
): Step {
  const names = offers.map(({ arm }) => arm);
  const arms = schedule.bandit.rank(names, goal.context).slice(0, size);
  const first = offers.find(({ arm }) => arm === arms[0]?.arm) ?? offers[0];
  if (!first) throw new Error('a slate wants an arm');
  const remaining = schedule.config.goal_cpu - spent(goal);
  const { cpu_seconds, heartbeats } = limitsOf(first, goal.round);
  const limits = { cpu_seconds: Math.min(cpu_seconds, remaining), heartbeats };
  return {
    kind: 'slate',
    body: { goal: goal.goal, slot: first.slot, round: goal.round, limits, arms, reason },
  };
}

function park(goal: Readonly<GoalState>, until: number, reason: GoalParked['reason']): Step {
  const ticket = reason === 'ticket' ? (goal.ticket?.id ?? null) : null;
  return { kind: 'park', body: { goal: goal.goal, until, reason, ticket } };
}

function spent({ cpuSeconds, forgivenSeconds }: Readonly<GoalState>): number {
  return cpuSeconds - forgivenSeconds;
}

/** Arms that have not had their turn in this round and that the loop guard lets through. */
function openOffers(goal: Readonly<GoalState>, slot: Slot): ArmOffer[] {
  return goal.offers.filter(
    (offer) =>
      offer.slot === slot &&
      !goal.doneInRound.has(offer.arm) &&
      !wasTried(goal.tried, offer, limitsOf(offer, goal.round)),
  );
}

/** Three strategies failed, or everything did, with the largest limits. */
function isHopeless(goal: Readonly<GoalState>): boolean {
  const strategies = new Set(goal.tried.map(({ arm }) => arm.split('/')[0]));
  return strategies.size >= failedStrategies || goal.round >= lastRound;
}

function waitsForLemma({ ticket }: Readonly<GoalState>, at: number): boolean {
  return ticket?.isOpen === true && at < ticket.openedAt + ticketWaitMs;
}

function slotOf(goal: Readonly<GoalState>, name: string): Slot | undefined {
  return goal.offers.find(({ arm }) => arm === name)?.slot;
}

function comesBefore(first: Readonly<GoalState>, second: Readonly<GoalState>): boolean {
  if (first.round !== second.round) return first.round < second.round;
  if (first.priority !== second.priority) return first.priority > second.priority;
  return first.order < second.order;
}
