// Over 300 lines because it is one fold over all events of a run, with a short case per event.
import { costOf, workIn } from '../../shared/cost.ts';
import type {
  AttemptFinished,
  CandidateJudged,
  ControlObeyed,
  GivenGoal,
  GoalExamined,
  GoalParked,
  OutcomeKind,
  RunConfig,
  RunEvent,
  Slot,
} from '../../shared/events.ts';
import { Bandit } from '../bandit.ts';
import { makePolicy, type Policy, type PolicyGoal } from '../policy/policy.ts';
import { rewardOf } from '../rewards.ts';
import type { Spent } from '../strategy.ts';
import {
  again,
  lemmaFalse,
  lemmaLost,
  newGoal,
  planAgain,
  planEnded,
  wake,
  type Given,
  type GoalState,
  type Phase,
} from './goal-state.ts';
import { lastRound } from './loop-guard.ts';
import { claimOf, Tally } from './tally.ts';

/**
 * Everything that scheduling decisions depend on, as a fold over the events of a run: the same events give the same decisions (`replay.ts`). The decisions are in `decide.ts`; nothing here reads a clock.
 */
export class Schedule {
  readonly #goals = new Map<string, GoalState>();
  readonly #tally = new Tally();
  /** The goals that wait for each ticket's lemma. */
  readonly #requesters = new Map<string, Set<string>>();
  /** The goal whose plan a ticket belongs to. */
  readonly #planners = new Map<string, string>();
  /** The goal of the run that should prove each ticket's lemma. */
  readonly #provers = new Map<string, string>();
  #bandit = new Bandit();
  #policy: Policy = makePolicy('ucb1', { arms: [] });
  #config: RunConfig | undefined;
  #isPaused = false;
  #isResumed = false;
  #wanted = { total: 0, solved: 0 };

  get config(): RunConfig {
    if (!this.#config) throw new Error('a schedule begins with run-started');
    return this.#config;
  }

  /** It continues another run. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  /** A user paused the run. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  get bandit(): Pick<Bandit, 'rank'> {
    return this.#bandit;
  }

  /** Chooses between arms; UCB1 uses the same records as the bandit. */
  get policy(): Pick<Policy, 'rank'> {
    return this.#policy;
  }

  /** Requested goals, without helper lemmas. */
  get wanted(): { readonly total: number; readonly solved: number } {
    return this.#wanted;
  }

  goals(): Iterable<Readonly<GoalState>> {
    return this.#goals.values();
  }

  has(goal: string): boolean {
    return this.#goals.has(goal);
  }

  goal(goal: string): Readonly<GoalState> {
    return this.#state(goal);
  }

  count(phase: Phase): number {
    return this.#tally.count(phase);
  }

  /** Slots that a goal may take now: not taken or reserved by others. */
  free(slot: Slot, goal?: Readonly<GoalState>): number {
    const { max_light, max_heavy } = this.config;
    const own = goal === undefined ? 0 : claimOf(goal, slot);
    return (slot === 'light' ? max_light : max_heavy) - this.#tally.claims(slot) + own;
  }

  /** The goal that a free worker would get, among those that want a slot of these kinds. */
  firstWaiting(at: number, ...slots: readonly Slot[]): Readonly<GoalState> | undefined {
    return this.#tally.first(at, ...slots);
  }

  /** When the next parked goal can be taken up again. */
  get nextWakeUp(): number | undefined {
    return this.#tally.nextWakeUp;
  }

  /** Whether a parked goal will resume without a lemma. */
  get someComeBack(): boolean {
    return this.#tally.someComeBack;
  }

  /** Waiting goals for the lemma of a ticket. */
  requestersOf(ticket: string): readonly string[] {
    return [...(this.#requesters.get(ticket) ?? [])];
  }

  /** The tickets that the proof of a goal completes. */
  ticketsOf(lemmaGoal: string): readonly string[] {
    return [...this.#provers].flatMap(([ticket, goal]) => (goal === lemmaGoal ? [ticket] : []));
  }

  /** The open tickets that goals of the run wait for and that the run works on. */
  get ticketsUnderWay(): readonly string[] {
    return [...this.#provers].flatMap(([ticket, goal]) =>
      (this.#goals.get(goal)?.phase ?? 'closed') === 'closed' ? [] : [ticket],
    );
  }

  get hasOpenTickets(): boolean {
    return this.#requesters.size > 0;
  }

  /** The arms running on a goal, for display. */
  armsOn(goal: string | null): string | null {
    const running = goal === null ? undefined : this.#goals.get(goal)?.running;
    return [...(running?.values() ?? [])].map(({ arm }) => arm).join(', ') || null;
  }

  apply(event: RunEvent): void {
    this.#tally.settle(event.at);
    const cost = costOf(event);
    if (cost) {
      const state = this.#state(cost.goal);
      state.cpuSeconds += cost.cpu_seconds;
      state.workSeconds += workIn(cost);
    }
    switch (event.type) {
      case 'run-started':
        this.#config = event.config;
        this.#isResumed = event.resumes !== null;
        this.#bandit = new Bandit(event.learned.arms, event.config.ucb);
        this.#policy = makePolicy(event.config.policy ?? 'ucb1', event.learned, event.config.ucb);
        break;
      case 'goal-added':
        this.#added(newGoal(event, this.#goals.size), event.at);
        break;
      case 'goal-opened':
        this.#change(event, (state) => Object.assign(state, { phase: 'open', isGiven: false }));
        break;
      case 'goal-examined':
        this.#change(event, (state) => examined(state, event));
        break;
      case 'slate-started':
        this.#change(event, (state) => (state.wantsHeavy = false));
        break;
      case 'attempt-started':
        this.#change(event, ({ running }) =>
          running.set(event.attempt, { slot: event.slot, arm: event.arm }),
        );
        break;
      case 'attempt-finished':
        this.#learn(event);
        this.#change(event, (state) => finished(state, event));
        break;
      case 'goal-parked':
        this.#change(event, (state) => parked(state, event));
        break;
      case 'goal-closed':
        if (event.solved && this.#state(event.goal).requester === null) this.#wanted.solved++;
        this.#change(event, (state) => {
          Object.assign(state, {
            phase: 'closed',
            isSolved: event.solved,
            isRefuted: event.refuted !== null,
          });
        });
        if (!event.solved) this.#lemmaGivenUp(event.goal, event.at);
        this.#wakeGiven(event.goal, event.at);
        break;
      case 'ticket-opened':
        if (event.lemma_goal !== undefined)
          this.#planned(event.ticket_id, event.requester, event.lemma_goal, event.at);
        else if (this.#goals.has(event.requester)) this.#asked(event.ticket_id, event.requester, event.at);
        break;
      case 'ticket-joined':
        if (this.#goals.has(event.requester)) this.#asked(event.ticket_id, event.requester, event.at);
        break;
      case 'ticket-refuted':
        this.#lemmaFalse(event.ticket_id, event.at);
        break;
      case 'ticket-completed':
        for (const goal of this.requestersOf(event.ticket_id)) this.#change({ goal, at: event.at }, wake);
        this.#requesters.delete(event.ticket_id);
        this.#lemmaProved(event.ticket_id, event.at);
        break;
      case 'control-obeyed':
        if (event.refused === null) this.#obeyed(event, event.at);
        break;
      case 'goal-charged':
        if (event.reason === 'refuting')
          this.#change(event, (state) => {
            state.looksLeft = event.unjudged === undefined ? 0 : state.looksLeft - 1;
          });
        break;
      case 'candidate-judged':
        if (event.given?.length)
          this.#change(event, ({ givens }) => {
            if (givens.every(({ proof }) => proof !== event.proof)) givens.push(givenBy(event));
          });
        break;
      case 'run-finished':
      case 'control-requested':
      case 'ticket-claimed':
      case 'ticket-merged':
      case 'pinned':
      case 'proof-audited':
      case 'pruned':
      case 'sample':
      case 'note':
        break;
    }
  }

  #learn(event: AttemptFinished): void {
    const { goal, arm, context, reward } = event;
    if (reward === null) return;
    this.#bandit.learn(arm, context, reward);
    this.#policy.learn(seenOf(this.#state(goal)), { arm, reward, cpuSeconds: workIn(event) });
  }

  #added(state: GoalState, at: number): void {
    this.#goals.set(state.goal, state);
    this.#tally.putBack(state, at);
    if (state.requester === null) this.#wanted.total++;
    const ticket = state.requester === null ? undefined : this.#goals.get(state.requester)?.ticket;
    if (ticket?.isOpen !== true) return;
    ticket.isWorkedOn = true;
    this.#provers.set(ticket.id, state.goal);
  }

  /** Seconds of work that the goals of a plan have cost together; of the goal alone if it belongs to no plan. */
  spentWith({ goal, requester }: Readonly<GoalState>): number {
    const plan = requester === null ? undefined : this.#state(requester).plan;
    const all = plan && [...plan.goals.values()].includes(goal) ? plan.goals.values() : [goal];
    return [...all].reduce((sum, one) => sum + (this.#goals.get(one)?.workSeconds ?? 0), 0);
  }

  #planned(ticket: string, goal: string, lemmaGoal: string, at: number): void {
    this.#planners.set(ticket, goal);
    this.#provers.set(ticket, lemmaGoal);
    this.#change({ goal, at }, (state) => {
      state.plan ??= { openedAt: at, goals: new Map(), open: new Set() };
      state.plan.goals.set(ticket, lemmaGoal);
      state.plan.open.add(ticket);
    });
  }

  #lemmaProved(ticket: string, at: number): void {
    const goal = this.#planners.get(ticket);
    if (goal === undefined) return;
    this.#change({ goal, at }, (state) => {
      state.plan?.open.delete(ticket);
      if (state.plan?.open.size === 0) planEnded(state);
    });
  }

  /** A plan fails without one of its lemmas; a goal that asked for a single lemma continues without it. */
  #lemmaGivenUp(lemmaGoal: string, at: number): void {
    const goal = this.#state(lemmaGoal).requester;
    if (goal === null) return;
    for (const ticket of this.ticketsOf(lemmaGoal))
      for (const one of this.requestersOf(ticket))
        if (this.#state(one).ticket?.id === ticket) this.#change({ goal: one, at }, lemmaLost);
    const { plan } = this.#state(goal);
    if (plan && [...plan.open].some((id) => plan.goals.get(id) === lemmaGoal))
      this.#change({ goal, at }, planEnded);
  }

  /** No goal waits for a false lemma: each may request another one or make a new plan. */
  #lemmaFalse(ticket: string, at: number): void {
    for (const goal of this.requestersOf(ticket)) this.#change({ goal, at }, lemmaFalse);
    this.#requesters.delete(ticket);
    const planner = this.#planners.get(ticket);
    if (planner !== undefined) this.#change({ goal: planner, at }, planAgain);
  }

  /** Goals whose proofs take this one as given are settled, or continue without it. */
  #wakeGiven(id: string, at: number): void {
    for (const state of this.#goals.values())
      if (
        state.isGiven &&
        state.givens.some(({ goals }) => goals.some((one) => isMeant(one, this.#state(id), state)))
      )
        this.#change({ goal: state.goal, at }, (one) => (one.parkedUntil = 0));
  }

  /** What has become of a goal that a proof of another goal takes as given. */
  fateOf(one: GivenGoal, other: string): 'proved' | 'pending' | 'refuted' | 'open' | 'absent' {
    const follows = this.#state(other);
    const equal = [...this.#goals.values()].filter((state) => isMeant(one, state, follows));
    // the same may be stated twice
    const named = equal.filter(({ goal }) => goal.replace(/^.* /, '') === one.name);
    const found = named.length > 0 ? named : equal;
    if (found.some(({ isSolved }) => isSolved)) return 'proved';
    if (found.some(({ isRefuted }) => isRefuted)) return 'refuted';
    if (found.some(({ phase }) => phase !== 'closed')) return 'pending';
    return found.length > 0 ? 'open' : 'absent';
  }

  /** Solved goals that stand above a goal. */
  provedAbove(id: string): string[] {
    const { preamble } = this.#state(id);
    const isAbove = (state: GoalState): boolean => state.isSolved && preamble.startsWith(state.preamble);
    return [...this.#goals.values()].filter(isAbove).map(({ goal }) => goal);
  }

  #asked(id: string, goal: string, at: number): void {
    const isWorkedOn = this.ticketsUnderWay.includes(id);
    this.#change({ goal, at }, (state) => {
      state.ticket = { id, openedAt: at, round: state.round, isOpen: true, isWorkedOn };
    });
    const requesters = this.#requesters.get(id) ?? new Set();
    this.#requesters.set(id, requesters.add(goal));
  }

  /** Cancelling happens with the `goal-closed` that follows. */
  #obeyed({ action, goal, value }: ControlObeyed, at: number): void {
    if (action === 'pause' || action === 'resume') this.#isPaused = action === 'pause';
    if (goal === null) return;
    if (action === 'priority' && value !== null)
      this.#change({ goal, at }, (state) => {
        state.wantedPriority = value;
        state.priority = value;
      });
    if (action === 'retry') {
      this.#forgetTicket(this.#state(goal));
      this.#change({ goal, at }, again);
    }
  }

  #forgetTicket({ goal, ticket }: GoalState): void {
    const requesters = ticket && this.#requesters.get(ticket.id);
    requesters?.delete(goal);
    if (ticket && requesters?.size === 0) this.#requesters.delete(ticket.id);
  }

  #change({ goal, at }: { goal: string; at: number }, change: (state: GoalState) => void): void {
    const state = this.#state(goal);
    this.#tally.takeOut(state);
    change(state);
    this.#tally.putBack(state, at);
  }

  #state(goal: string): GoalState {
    const state = this.#goals.get(goal);
    if (!state) throw new Error(`no goal ${goal} in this run`);
    return state;
  }
}

/** The policies' view of a goal. */
export function seenOf({ context, features, tried }: Readonly<GoalState>): PolicyGoal {
  return { context, features, failed: [...new Set(tried.map(({ arm }) => arm))] };
}

/**
 * Seconds of work. A goal parked after its first round must be opened again; if opening costs at least this much, it gets its whole budget at once.
 */
const dearOpening = 8;

function givenBy({ proof, strategy, arm, given = [] }: CandidateJudged): Given {
  return { proof, strategy, arm, goals: given };
}

/** A goal above the other one, by content; one that was never opened is known by its name alone. */
function isMeant(
  { name, goal_hash }: GivenGoal,
  { goal, goalHash, preamble }: Readonly<GoalState>,
  follows: Readonly<GoalState>,
): boolean {
  if (goal === follows.goal || !follows.preamble.startsWith(preamble)) return false;
  return goalHash === '' ? goal.replace(/^.* /, '') === name : goalHash === goal_hash;
}

function examined(state: GoalState, event: GoalExamined): void {
  if (workIn(event) >= dearOpening) state.round = lastRound;
  state.goalHash = event.goal_hash;
  state.fingerprint = event.fingerprint;
  state.priority = event.priority;
  state.difficulty = event.difficulty;
  state.context = event.context;
  state.features = event.features;
  state.offers = event.arms;
  state.tried = [...event.tried];
}

function finished(state: GoalState, event: AttemptFinished): void {
  state.running.delete(event.attempt);
  state.attempts++;
  state.faults = event.outcome === 'broken' ? state.faults + 1 : 0;
  if (event.outcome !== 'cancelled') state.doneInRound.add(event.arm);
  if (event.outcome === 'blocked') state.planner = event.arm;
  if (isDefinite(event.outcome))
    state.tried.push({ arm: event.arm, signature: event.signature, limits: event.params });
}

function parked(state: GoalState, { until, reason, ticket }: GoalParked): void {
  state.phase = 'parked';
  state.parkedUntil = until;
  state.wantsHeavy = reason === 'slots';
  state.isGiven = reason === 'given';
  if (reason === 'paused' || reason === 'slots' || reason === 'given') return; // it resumes where it was
  state.doneInRound.clear();
  if (reason === 'next-round') state.round++;
  // null: a lemma was lent at once; otherwise the ticket wakes the goal
  else if (reason === 'ticket') state.round = ticket === null ? 0 : state.round;
  else state.faults++;
}

/** Attempts that were cut short or hit a tool fault give no reward: they carry no information about the arm. */
export function rewardFor(
  outcome: OutcomeKind,
  { cpuSeconds, workSeconds = cpuSeconds, boughtShare }: Spent,
  budgetSeconds: number,
  isLemma: boolean,
): number | null {
  if (outcome === 'solved') return rewardOf({ workSeconds, budgetSeconds, boughtShare, isLemma });
  return isDefinite(outcome) || outcome === 'blocked' ? 0 : null;
}

/** Timeout, cancelled and broken do not count as tried. */
function isDefinite(outcome: OutcomeKind): boolean {
  return outcome === 'failed' || outcome === 'exhausted';
}
