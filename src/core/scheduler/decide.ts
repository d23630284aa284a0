import type {
  ArmChoice,
  ArmOffer,
  AttemptLimits,
  GoalClosed,
  GoalParked,
  SlateStarted,
  Slot,
} from '../../shared/events.ts';
import { backtracking, restingArms } from './backtracking.ts';
import type { GoalState } from './goal-state.ts';
import { lastRound, limitsOf, wasTried } from './loop-guard.ts';
import { takesTurns } from '../policy/policy.ts';
import { seenOf, type Schedule } from './schedule.ts';

const slots = ['light', 'heavy'] as const;
/** Number of light arms that race on a goal. */
const slateSize = 3;
const firstBackoffMs = 1000;
/** A goal that meets this many tool faults in a row is given up in this run. */
const maxFaults = 6;

/** The next step for an open goal without running attempts. */
export type NextStep =
  | { readonly kind: 'slate'; readonly body: SlateStarted }
  | { readonly kind: 'ask-for-lemma' }
  /** It keeps its worker until something changes: no slot is free, and no other goal needs the worker. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'park'; readonly body: GoalParked }
  | { readonly kind: 'give-up'; readonly reason: GoalClosed['reason'] };

/** The goal that gets the next free worker: cheap rounds first, then by priority, then by arrival. */
export function nextGoal(schedule: Schedule, at: number): Readonly<GoalState> | undefined {
  if (schedule.isPaused || schedule.count('open') >= schedule.config.workers) return undefined;
  return schedule.firstWaiting(at, ...slots.filter((slot) => schedule.free(slot) > 0));
}

/** Whether there is work that a worker could do now or is doing. */
export function hasWork(schedule: Schedule, at: number): boolean {
  if (schedule.count('open') > 0) return true;
  return !schedule.isPaused && schedule.firstWaiting(at, ...slots) !== undefined;
}

/** `mayAsk`: no helper lemma has been requested in this visit. */
export function nextStep(schedule: Schedule, id: string, at: number, mayAsk = true): NextStep {
  const goal = schedule.goal(id);
  const { max_heavy } = schedule.config;
  const limit = limitOf(schedule, goal);
  if (schedule.isPaused) return park(goal, at, 'paused');
  if (waitsForGiven(schedule, goal)) return park(goal, at + backtracking.lemma.waitMs, 'given');
  const waitsForPlan = goal.plan !== undefined && waitsForLemma(goal, at);
  if (spent(schedule, goal) >= limit)
    return waitsForPlan
      ? parkForLemma(goal, at)
      : { kind: 'give-up', reason: `CPU limit reached (${limit} s, --goal-cpu)` };
  if (goal.offers.length === 0) return { kind: 'give-up', reason: 'no strategy applies to it' };
  if (goal.faults >= maxFaults)
    return { kind: 'give-up', reason: `broken: ${goal.faults} tool faults in a row` };
  if (goal.faults > 0 && goal.faults % 2 === 0)
    return park(goal, at + firstBackoffMs * 2 ** goal.faults, 'broken');

  const resting = goal.round >= lastRound ? [] : restingOf(schedule, goal);
  const isOneByOne = takesTurns(schedule.config.policy ?? 'ucb1');
  const awake = openOffers(goal, 'light').filter(({ arm }) => !resting.includes(arm));
  const light = isOneByOne ? cheapOrAll(awake) : lowestStage(awake);
  // lemmas are mostly easier than the goal: deep work and larger limits wait for their outcome
  const isHelped = waitsForPlan || (goal.ticket?.isWorkedOn === true && waitsForLemma(goal, at));
  const heavy = max_heavy === 0 || isHelped ? [] : openOffers(goal, 'heavy');
  const isHard =
    goal.difficulty >= schedule.config.escalate_threshold &&
    lightFailures(goal) >= backtracking.deep.fastFailures;
  if (heavy.length > 0 && (isHard || light.length === 0) && schedule.free('heavy', goal) > 0)
    return slate(
      schedule,
      goal,
      heavy,
      1,
      isHard ? 'hard, and two fast arms failed' : 'all fast arms failed',
    );
  if (light.length > 0) {
    const free = schedule.free('light', goal);
    if (free <= 0) return { kind: 'wait' };
    return slate(
      schedule,
      goal,
      light,
      isOneByOne ? 1 : Math.min(slateSize, free),
      `round ${goal.round + 1}${remarkOn(resting)}`,
    );
  }
  // a goal that needs a heavy slot waits for one, and gives its worker to a goal that does not
  if (heavy.length > 0)
    return schedule.firstWaiting(at, 'light') === undefined ? { kind: 'wait' } : park(goal, at, 'slots');
  // once per round, before paying for larger limits: a missing lemma costs less than arms that do not help
  const hasAsked = goal.ticket !== undefined && goal.ticket.round >= goal.round;
  if (mayAsk && !hasAsked && !goal.plan && goal.requester === null) return { kind: 'ask-for-lemma' };
  if (goal.round < lastRoundOf(schedule, goal) && !isHelped) return park(goal, at, 'next-round');
  if (waitsForLemma(goal, at)) return parkForLemma(goal, at);
  return { kind: 'give-up', reason: allFailed(goal) };
}

/** Whether it has a proof from goals that this run proves or may still prove. */
function waitsForGiven(schedule: Schedule, { goal, givens }: Readonly<GoalState>): boolean {
  return givens.some(({ goals }) => {
    const fates = goals.map((one) => schedule.fateOf(one, goal));
    return fates.includes('pending') && fates.every((fate) => fate === 'pending' || fate === 'proved');
  });
}

/** Why a goal is given up after everything was tried. */
export function allFailed({ offers }: Pick<GoalState, 'offers'>): string {
  return offers.length === 1 ? 'the only arm failed' : `all ${offers.length} arms failed`;
}

/** In seconds of the reference machine. */
const limitOf = ({ config }: Schedule, { relax }: Readonly<GoalState>): number => config.goal_cpu * relax;

function slate(
  schedule: Schedule,
  goal: Readonly<GoalState>,
  offers: readonly ArmOffer[],
  size: number,
  reason: string,
): NextStep {
  const ranked = schedule.policy.rank(
    seenOf(goal),
    offers.map(({ arm }) => arm),
  );
  const budget = limitOf(schedule, goal) - spent(schedule, goal);
  const arms = withinBudget(ranked.slice(0, size), offers, goal.round, budget);
  const limits = {
    cpu_seconds: arms.reduce((sum, arm) => sum + arm.limits.cpu_seconds, 0),
    heartbeats: Math.max(...arms.map((arm) => arm.limits.heartbeats)),
  };
  const slot = offers[0]?.slot ?? 'light';
  return { kind: 'slate', body: { goal: goal.goal, slot, round: goal.round, limits, arms, reason } };
}

/** Each arm with its limits, best first, while the goal's budget lasts: together they never exceed it. */
function withinBudget(
  choices: readonly ArmChoice[],
  offers: readonly ArmOffer[],
  round: number,
  budget: number,
): (ArmChoice & { readonly limits: AttemptLimits })[] {
  let left = budget;
  return choices.flatMap((choice) => {
    const offer = offers.find(({ arm }) => arm === choice.arm);
    if (!offer || left <= 0) return [];
    const { cpu_seconds, heartbeats } = limitsOf(offer, round);
    const limits = { cpu_seconds: Math.min(cpu_seconds, left), heartbeats };
    left -= limits.cpu_seconds;
    return [{ ...choice, limits }];
  });
}

/**
 * A helper lemma gets the limits that its requester has reached: that goal can request another lemma after its
 * next round.
 */
function lastRoundOf(schedule: Schedule, { goal, requester }: Readonly<GoalState>): number {
  const { round, plan } = requester === null ? {} : schedule.goal(requester);
  const isPlanned = plan !== undefined && [...plan.goals.values()].includes(goal);
  return round === undefined || isPlanned ? lastRound : round;
}

function park(goal: Readonly<GoalState>, until: number, reason: GoalParked['reason']): NextStep {
  const ticket = reason === 'ticket' ? (goal.ticket?.id ?? null) : null;
  return { kind: 'park', body: { goal: goal.goal, until, reason, ticket } };
}

function parkForLemma(goal: Readonly<GoalState>, at: number): NextStep {
  return park(goal, waitsSince(goal, at) + backtracking.lemma.waitMs, 'ticket');
}

/** The lemmas of a plan share the budget of one goal, which limits the cost of a wrong plan. */
function spent(schedule: Schedule, goal: Readonly<GoalState>): number {
  return schedule.spentWith(goal) - goal.forgivenSeconds;
}

/** Arms that have not run in this round and that the loop guard allows. */
function openOffers(goal: Readonly<GoalState>, slot: Slot): ArmOffer[] {
  return goal.offers.filter(
    (offer) =>
      offer.slot === slot &&
      goal.round >= (offer.round ?? 0) &&
      !goal.doneInRound.has(offer.arm) &&
      !wasTried(goal.tried, offer, limitsOf(offer, goal.round)),
  );
}

function lightFailures({ tried, offers }: Readonly<GoalState>): number {
  const light = new Set(offers.filter(({ slot }) => slot === 'light').map(({ arm }) => arm));
  return tried.filter(({ arm }) => light.has(arm)).length;
}

function restingOf(schedule: Schedule, { offers, context }: Readonly<GoalState>): string[] {
  const light = offers.filter(({ slot }) => slot === 'light').map(({ arm }) => arm);
  return restingArms(schedule.bandit.rank(light, context));
}

function remarkOn(resting: readonly string[]): string {
  return resting.length === 0
    ? ''
    : `; barren on such goals, so not before the last round: ${resting.join(', ')}`;
}

/** Cheap arms before expensive ones: those whose turn it is. */
function lowestStage(offers: readonly ArmOffer[]): ArmOffer[] {
  const lowest = Math.min(...offers.map(({ stage = 0 }) => stage));
  return offers.filter(({ stage = 0 }) => stage === lowest);
}

/** Cheap arms always go first; among the rest, offered in stage order, the policy chooses. */
function cheapOrAll(offers: readonly ArmOffer[]): ArmOffer[] {
  const cheap = offers.filter(({ stage = 0 }) => stage < 1);
  if (cheap.length > 0) return lowestStage(cheap);
  return offers.toSorted((one, two) => (one.stage ?? 0) - (two.stage ?? 0));
}

function waitsForLemma(goal: Readonly<GoalState>, at: number): boolean {
  const isWaiting = goal.ticket?.isOpen === true || goal.plan !== undefined;
  return isWaiting && at < waitsSince(goal, at) + backtracking.lemma.waitMs;
}

function waitsSince({ ticket, plan }: Readonly<GoalState>, at: number): number {
  return plan?.openedAt ?? ticket?.openedAt ?? at;
}
