import type { ArmOffer, CandidateJudged, GivenGoal, GoalAdded, Slot, TriedArm } from '../../shared/events.ts';

/**
 * The state of a goal in the scheduler.
 *
 *     queued ──goal-opened──▶ open ──goal-parked──▶ parked ──goal-opened, when its time has come──▶ open
 *                              └──goal-closed──▶ closed (solved, or nothing left to try)
 *
 * A user can retry an unsolved goal: closed ──control-obeyed, retry──▶ queued.
 */
export type Phase = 'queued' | 'open' | 'parked' | 'closed';

/** Give up after this many unconfirmed counterexamples. */
const maxLooks = 3;
/** After this many lemmas that turned out to be false, a goal waits for its next round. */
const maxFalseLemmas = 3;

export interface GoalState {
  readonly goal: string;
  readonly preamble: string;
  /** Position in order of arrival. */
  readonly order: number;
  readonly requester: string | null;
  phase: Phase;
  isSolved: boolean;
  priority: number;
  difficulty: number;
  context: string;
  features: Readonly<Record<string, number>>;
  offers: readonly ArmOffer[];
  /** Its CPU limit as a multiple of `goal_cpu`. */
  readonly relax: number;
  /** Limits grow from round to round. */
  round: number;
  /** Definite failures, of this run and of earlier ones. */
  tried: TriedArm[];
  /** Arms that have finished in this round, with any outcome. */
  doneInRound: Set<string>;
  readonly running: Map<string, { readonly slot: Slot; readonly arm: string }>;
  /** It was parked for lack of a heavy slot and gets the next free one. */
  wantsHeavy: boolean;
  attempts: number;
  /** Opening, attempts, judging, polishing. */
  cpuSeconds: number;
  /** The same without judging, as its limit counts it. */
  workSeconds: number;
  /** Its cost when a user asked to retry it: each retry has the whole budget again. */
  forgivenSeconds: number;
  /** A user asked to retry it: attempts that failed before may run again. */
  isRetried: boolean;
  /** The priority set by a user. */
  wantedPriority: number | undefined;
  /** Tool faults in a row. */
  faults: number;
  parkedUntil: number;
  /** How many more times a counterexample is sought; 0 after a conclusive search. */
  looksLeft: number;
  /** The last helper lemma that it requested. */
  ticket:
    | {
        readonly id: string;
        readonly openedAt: number;
        /** The round after which it was requested. */
        readonly round: number;
        isOpen: boolean;
        /** The goal of this run that should prove it. */
        isWorkedOn: boolean;
      }
    | undefined;
  /** The plan that waits for its lemmas: the proving goal per ticket; tickets in `open` are not proved yet. */
  plan:
    | { readonly openedAt: number; readonly goals: Map<string, string>; readonly open: Set<string> }
    | undefined;
  /** The arm that made its last plan. */
  planner: string | undefined;
  /** Number of requested lemmas that were false. */
  falseLemmas: number;
  /** Its identity; empty until it was opened. */
  goalHash: string;
  fingerprint: string;
  isRefuted: boolean;
  /** Proofs from goals that are not proved yet, oldest first. */
  givens: Given[];
  /** Parked until goals that such a proof takes as given are closed. */
  isGiven: boolean;
}

export interface Given extends Pick<CandidateJudged, 'proof' | 'strategy' | 'arm'> {
  readonly goals: readonly GivenGoal[];
}

export function newGoal(
  {
    goal,
    preamble,
    priority,
    difficulty,
    requester,
    relax = 1,
  }: Pick<GoalAdded, 'goal' | 'preamble' | 'priority' | 'difficulty' | 'requester' | 'relax'>,
  order: number,
): GoalState {
  return {
    goal,
    preamble: preamble.trim(),
    order,
    requester,
    relax,
    phase: 'queued',
    isSolved: false,
    priority,
    difficulty,
    context: '',
    features: {},
    offers: [],
    round: 0,
    tried: [],
    doneInRound: new Set(),
    running: new Map(),
    wantsHeavy: false,
    attempts: 0,
    cpuSeconds: 0,
    workSeconds: 0,
    forgivenSeconds: 0,
    isRetried: false,
    wantedPriority: undefined,
    faults: 0,
    parkedUntil: 0,
    looksLeft: maxLooks,
    ticket: undefined,
    plan: undefined,
    planner: undefined,
    falseLemmas: 0,
    goalHash: '',
    fingerprint: '',
    isRefuted: false,
    givens: [],
    isGiven: false,
  };
}

/** The awaited lemma has arrived: start again with the cheap arms; the loop guard skips pointless repeats. */
export function wake(state: GoalState): void {
  if (state.ticket) Object.assign(state.ticket, { isOpen: false, isWorkedOn: false });
  if (state.phase !== 'parked') return;
  state.parkedUntil = 0;
  state.round = 0;
}

/** The run has given up the requested lemma: the goal continues without it, until another run delivers it. */
export function lemmaLost(state: GoalState): void {
  if (state.ticket) state.ticket.isWorkedOn = false;
  if (state.phase === 'parked') state.parkedUntil = 0;
}

/** The requested lemma is false: the goal continues, and may request another one at once. */
export function lemmaFalse(state: GoalState): void {
  lemmaLost(state);
  if (state.ticket) state.ticket.isOpen = false;
  if (++state.falseLemmas <= maxFalseLemmas) state.ticket = undefined;
}

/** A lemma of its plan is false: the arm that planned may try again in the same round. */
export function planAgain(state: GoalState): void {
  planEnded(state);
  if (++state.falseLemmas <= maxFalseLemmas && state.planner !== undefined)
    state.doneInRound.delete(state.planner);
}

/** Its plan is complete or has failed. */
export function planEnded(state: GoalState): void {
  state.plan = undefined;
  if (state.phase === 'parked') state.parkedUntil = 0;
}

/** Start over, ignoring earlier attempts; a missing helper lemma does not delay it. */
export function again(state: GoalState): void {
  state.phase = 'queued';
  state.round = 0;
  state.faults = 0;
  state.looksLeft = maxLooks;
  state.tried = [];
  state.doneInRound.clear();
  state.wantsHeavy = false;
  state.forgivenSeconds = state.workSeconds;
  state.isRetried = true;
  state.plan = undefined;
  if (state.ticket) Object.assign(state.ticket, { isOpen: false, isWorkedOn: false });
}
