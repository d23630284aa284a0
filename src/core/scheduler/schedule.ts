import type {
  ArmOffer,
  AttemptFinished,
  ControlObeyed,
  GoalExamined,
  GoalParked,
  OutcomeKind,
  RunConfig,
  RunEvent,
  Slot,
  TriedArm,
} from '../../shared/events.ts';
import { Bandit, rewardOf } from '../bandit.ts';

/**
 * Where a goal stands.
 *
 *     queued ──goal-opened──▶ open ──goal-parked──▶ parked ──goal-opened, when its time has come──▶ open
 *                              └──goal-closed──▶ closed (solved, or nothing left to try)
 *
 * A person may have an unsolved goal tried again: closed ──control-obeyed, retry──▶ queued.
 */
type Phase = 'queued' | 'open' | 'parked' | 'closed';

export interface GoalState {
  readonly goal: string;
  /** Its place in the order of arrival. */
  readonly order: number;
  readonly requester: string | null;
  phase: Phase;
  isSolved: boolean;
  priority: number;
  difficulty: number;
  context: string;
  offers: readonly ArmOffer[];
  /** Limits grow from round to round. */
  round: number;
  /** Definite failures, of this run and of earlier ones. */
  tried: TriedArm[];
  /** Arms whose turn is over in this round, however they ended. */
  doneInRound: Set<string>;
  readonly running: Map<string, { readonly slot: Slot; readonly arm: string }>;
  attempts: number;
  cpuSeconds: number;
  /** What it had cost when a person asked to retry it: each retry has the whole budget again. */
  forgivenSeconds: number;
  /** A person asked to retry it: what failed in earlier runs may be tried again. */
  isRetried: boolean;
  /** The priority that a person gave it. */
  wantedPriority: number | undefined;
  /** Tool faults since the last attempt that was none. */
  faults: number;
  parkedUntil: number;
  /** The helper lemma that it asked for, and when. */
  ticket: { readonly id: string; readonly openedAt: number; isOpen: boolean } | undefined;
}

/**
 * All that scheduling decisions depend on, as a fold over the events of a run: whoever has the events can make the same
 * decisions again (`replay.ts`). The decisions themselves are in `decide.ts`; nothing here looks at a clock.
 */
export class Schedule {
  readonly #goals = new Map<string, GoalState>();
  #bandit = new Bandit();
  #config: RunConfig | undefined;
  #isPaused = false;

  get config(): RunConfig {
    if (!this.#config) throw new Error('a schedule begins with run-started');
    return this.#config;
  }

  /** A person wants nothing new to start. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  get bandit(): Pick<Bandit, 'rank'> {
    return this.#bandit;
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

  /** Attempts in flight. */
  running(slot: Slot): number {
    let count = 0;
    for (const { running } of this.#goals.values())
      for (const its of running.values()) if (its.slot === slot) count++;
    return count;
  }

  /** What is tried on a goal right now, for people. */
  armsOn(goal: string | null): string | null {
    const running = goal === null ? undefined : this.#goals.get(goal)?.running;
    return [...(running?.values() ?? [])].map(({ arm }) => arm).join(', ') || null;
  }

  apply(event: RunEvent): void {
    switch (event.type) {
      case 'run-started':
        this.#config = event.config;
        this.#bandit = new Bandit(event.learned.arms);
        break;
      case 'goal-added':
        this.#goals.set(event.goal, newGoal(event, this.#goals.size));
        break;
      case 'goal-opened':
        Object.assign(this.#state(event.goal), { phase: 'open' });
        break;
      case 'goal-examined':
        this.#examined(event);
        break;
      case 'attempt-started':
        this.#state(event.goal).running.set(event.attempt, { slot: event.slot, arm: event.arm });
        break;
      case 'attempt-finished':
        this.#finished(event);
        break;
      case 'goal-parked':
        this.#parked(this.#state(event.goal), event);
        break;
      case 'goal-closed':
        Object.assign(this.#state(event.goal), { phase: 'closed', isSolved: event.solved });
        break;
      case 'ticket-opened': {
        const requester = this.#goals.get(event.requester);
        if (requester) requester.ticket = { id: event.ticket_id, openedAt: event.at, isOpen: true };
        break;
      }
      case 'ticket-completed':
        for (const state of this.#goals.values()) if (state.ticket?.id === event.ticket_id) wake(state);
        break;
      case 'control-obeyed':
        if (event.refused === null) this.#obeyed(event);
        break;
      case 'run-finished':
      case 'control-requested':
      case 'slate-started':
      case 'candidate-judged':
      case 'ticket-claimed':
      case 'sample':
      case 'note':
        break;
    }
  }

  #examined(event: GoalExamined): void {
    const state = this.#state(event.goal);
    state.priority = event.priority;
    state.difficulty = event.difficulty;
    state.context = event.context;
    state.offers = event.arms;
    state.cpuSeconds += event.cpu_seconds;
    state.tried = [...event.tried];
  }

  #finished(event: AttemptFinished): void {
    const state = this.#state(event.goal);
    state.running.delete(event.attempt);
    state.attempts++;
    state.cpuSeconds += event.cpu_seconds;
    state.faults = event.outcome === 'broken' ? state.faults + 1 : 0;
    if (event.outcome !== 'cancelled') state.doneInRound.add(event.arm);
    if (isDefinite(event.outcome))
      state.tried.push({ arm: event.arm, signature: event.signature, limits: event.params });
    if (event.reward !== null) this.#bandit.learn(event.arm, event.context, event.reward);
  }

  #parked(state: GoalState, { until, reason }: GoalParked): void {
    state.phase = 'parked';
    state.parkedUntil = until;
    if (reason === 'paused') return; // it goes on where it was
    state.doneInRound.clear();
    if (reason === 'next-round') state.round++;
    // with a lemma everything is worth another try, from the cheap end; the loop guard knows what is not
    else if (reason === 'ticket') state.round = 0;
    else if (reason === 'broken') state.faults++;
  }

  /** What cancels a goal is the `goal-closed` that follows. */
  #obeyed({ action, goal, value }: ControlObeyed): void {
    if (action === 'pause' || action === 'resume') this.#isPaused = action === 'pause';
    if (goal === null) return;
    const state = this.#state(goal);
    if (action === 'priority' && value !== null) {
      state.wantedPriority = value;
      state.priority = value;
    }
    if (action === 'retry') again(state);
  }

  #state(goal: string): GoalState {
    const state = this.#goals.get(goal);
    if (!state) throw new Error(`no goal ${goal} in this run`);
    return state;
  }
}

/** An attempt that was cut short says nothing about the arm; neither does one that met a tool fault. */
export function rewardFor(outcome: OutcomeKind, cpuSeconds: number, budgetSeconds: number): number | null {
  if (outcome === 'solved') return rewardOf(true, cpuSeconds, budgetSeconds);
  return isDefinite(outcome) || outcome === 'blocked' ? 0 : null;
}

/** Timeout, cancelled and broken do not count as tried. */
function isDefinite(outcome: OutcomeKind): boolean {
  return outcome === 'failed' || outcome === 'exhausted';
}

function newGoal(
  {
    goal,
    priority,
    difficulty,
    requester,
  }: Pick<GoalState, 'goal' | 'priority' | 'difficulty' | 'requester'>,
  order: number,
): GoalState {
  return {
    goal,
    order,
    requester,
    phase: 'queued',
    isSolved: false,
    priority,
    difficulty,
    context: '',
    offers: [],
    round: 0,
    tried: [],
    doneInRound: new Set(),
    running: new Map(),
    attempts: 0,
    cpuSeconds: 0,
    forgivenSeconds: 0,
    isRetried: false,
    wantedPriority: undefined,
    faults: 0,
    parkedUntil: 0,
    ticket: undefined,
  };
}

/** The lemma that a goal waited for is there. */
function wake(state: GoalState): void {
  if (state.ticket) state.ticket.isOpen = false;
  if (state.phase === 'parked') state.parkedUntil = 0;
}

/** From the beginning, whatever was tried before; a helper lemma that is still missing holds up nothing. */
function again(state: GoalState): void {
  state.phase = 'queued';
  state.round = 0;
  state.faults = 0;
  state.tried = [];
  state.doneInRound.clear();
  state.forgivenSeconds = state.cpuSeconds;
  state.isRetried = true;
  if (state.ticket) state.ticket.isOpen = false;
}
