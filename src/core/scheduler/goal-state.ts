import type { ArmOffer, GoalAdded, Slot, TriedArm } from '../../shared/events.ts';

/**
 * The state of a goal in the scheduler.
 *
 *     queued ──goal-opened──▶ open ──goal-parked──▶ parked ──goal-opened, when its time has come──▶ open
 *                              └──goal-closed──▶ closed (solved, or nothing left to try)
 *
 * A person may have an unsolved goal tried again: closed ──control-obeyed, retry──▶ queued.
 */
export type Phase = 'queued' | 'open' | 'parked' | 'closed';

/** This many counterexamples in a row that could not be judged are not a coincidence. */
const maxLooks = 3;

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
  features: Readonly<Record<string, number>>;
  offers: readonly ArmOffer[];
  /** Limits grow from round to round. */
  round: number;
  /** Definite failures, of this run and of earlier ones. */
  tried: TriedArm[];
  /** Arms whose turn is over in this round, however they ended. */
  doneInRound: Set<string>;
  readonly running: Map<string, { readonly slot: Slot; readonly arm: string }>;
  /** It was parked because no heavy slot was free: the next free one is for it. */
  wantsHeavy: boolean;
  attempts: number;
  /** Opening, attempts, judging, polishing. */
  cpuSeconds: number;
  /** The same without judging, as its limit counts it. */
  workSeconds: number;
  /** What it had cost when a person asked to retry it: each retry has the whole budget again. */
  forgivenSeconds: number;
  /** A person asked to retry it: what failed in earlier runs may be tried again. */
  isRetried: boolean;
  /** The priority that a person gave it. */
  wantedPriority: number | undefined;
  /** Tool faults since the last attempt that was none. */
  faults: number;
  parkedUntil: number;
  /** So often it may still be looked at for a counter-example: none once a look has said what there is to say. */
  looksLeft: number;
  /** The helper lemma that it asked for last. */
  ticket:
    | {
        readonly id: string;
        readonly openedAt: number;
        /** After which of its rounds. */
        readonly round: number;
        isOpen: boolean;
        /** As a goal of this run. */
        isWorkedOn: boolean;
      }
    | undefined;
  /** The plan that waits for its lemmas: by ticket, the goal that is to prove it; those of `open` are not proved yet. */
  plan:
    | { readonly openedAt: number; readonly goals: Map<string, string>; readonly open: Set<string> }
    | undefined;
}

export function newGoal(
  {
    goal,
    priority,
    difficulty,
    requester,
  }: Pick<GoalAdded, 'goal' | 'priority' | 'difficulty' | 'requester'>,
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
  };
}

/** The lemma that a goal waited for is there: everything is worth another try, from the cheap end; the loop guard knows what is not. */
export function wake(state: GoalState): void {
  if (state.ticket) Object.assign(state.ticket, { isOpen: false, isWorkedOn: false });
  if (state.phase !== 'parked') return;
  state.parkedUntil = 0;
  state.round = 0;
}

/** The run has given up the lemma that a goal asked for: it continues without, until another run delivers it. */
export function lemmaLost(state: GoalState): void {
  if (state.ticket) state.ticket.isWorkedOn = false;
  if (state.phase === 'parked') state.parkedUntil = 0;
}

/** Its plan has its last lemma, or will never have it. */
export function planEnded(state: GoalState): void {
  state.plan = undefined;
  if (state.phase === 'parked') state.parkedUntil = 0;
}

/** From the beginning, whatever was tried before; a helper lemma that is still missing holds up nothing. */
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
