/**
 * Everything that happens in a run, as one closed map. The engine writes each event to the ledger and then tells the
 * listeners: terminal, JSON, live page, metrics and tests all read the same events, and nothing reads back from them.
 * Field names are those of the ledger's columns and of the JSON that scripts read.
 */
export interface EventBodies {
  'run-started': RunStarted;
  'run-finished': RunFinished;
  /** A goal was put into the queue. */
  'goal-added': GoalAdded;
  /** Lean has elaborated the goal: its identity and its features are known now. */
  'goal-examined': GoalExamined;
  /** A goal has cost something that no other event tells: an opening that failed, or polishing its proof. */
  'goal-charged': GoalCharged;
  /** A decision: this goal gets a worker now. */
  'goal-opened': GoalOpened;
  /** A decision: these arms race for this goal now. */
  'slate-started': SlateStarted;
  /** A decision: the goal waits, for a while or for a helper lemma. */
  'goal-parked': GoalParked;
  /** A decision: the goal is solved or refuted, or nothing that is left to try is worth its cost. */
  'goal-closed': GoalClosed;
  'attempt-started': AttemptStarted;
  'attempt-finished': AttemptFinished;
  /** The gate has judged a candidate. */
  'candidate-judged': CandidateJudged;
  'ticket-opened': Ticket;
  'ticket-claimed': TicketClaimed;
  'ticket-completed': TicketCompleted;
  /** A person asks something of the run, from whatever process; nothing has happened yet. */
  'control-requested': ControlRequested;
  /** The run has seen the request, and does it or says why not. */
  'control-obeyed': ControlObeyed;
  /** Once a second while there is work: what the machine and the workers do. */
  sample: Sample;
  /** `orch ledger prune` has removed events; their numbers are missing. */
  pruned: Pruned;
  /** Something a person may want to know, in one line. */
  note: Note;
}
export type EventType = keyof EventBodies;

/** An event as the ledger keeps it; `seq` is the ledger's number, which only grows. */
export type RunEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly run: string;
    /** Milliseconds since 1970. */
    readonly at: number;
    readonly seq?: number;
  } & EventBodies[Type];
}[EventType];
export type EventOf<Type extends EventType> = Extract<RunEvent, { type: Type }>;

/** How an attempt ended. A closed list; only `solved` says that there is a candidate, and only the gate that it is a proof. */
export const outcomeKinds = [
  'solved',
  'failed',
  'timeout',
  'exhausted',
  'cancelled',
  'blocked',
  'broken',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export type Slot = 'light' | 'heavy';
export type DifficultyLabel = 'easy' | 'medium' | 'hard';

/** What an attempt may cost. Neither counts wall-clock time, so a throttled machine does not fail goals. */
export interface AttemptLimits {
  readonly cpu_seconds: number;
  /** Lean's own deterministic measure of work, for each tactic. */
  readonly heartbeats: number;
}

export interface RunStarted {
  readonly command: string;
  /** What the user calls it. */
  readonly label?: string;
  /** The run that this one continues. */
  readonly resumes: string | null;
  readonly seed: number;
  readonly toolchain: string;
  readonly version: string;
  /** Where the goals come from: files or "bank". */
  readonly sources: readonly string[];
  /** The settings that decisions depend on. */
  readonly config: RunConfig;
  /** All settings as they were, so that `resume` goes on with them; runs of older versions did not say. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What else its command was told, for the same end; where the command has such options. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly strategies: readonly StrategyInfo[];
  /** What earlier runs taught: the bandit's records and the weights of the difficulty. Decisions can be replayed from here. */
  readonly learned: {
    readonly arms: readonly ArmRecord[];
    readonly weights: Readonly<Record<string, number>>;
  };
}

/** How an arm has done so far, in one context (goals that are alike) or, with context `''`, in all of them. */
export interface ArmRecord {
  readonly arm: string;
  readonly context: string;
  readonly trials: number;
  /** Moving average of the reward. */
  readonly mean: number;
}

export interface RunConfig {
  readonly profile: number;
  /** Wall-clock seconds of the whole run; null: until stopped. */
  readonly timeout: number | null;
  readonly goal_cpu: number;
  readonly cpu_target: number;
  readonly cores: number;
  readonly workers: number;
  readonly max_light: number;
  readonly max_heavy: number;
  readonly escalate_threshold: number;
}

export interface StrategyInfo {
  readonly name: string;
  readonly slot: Slot;
  readonly tier: number;
  /** Null when it is ready; else why not, and what would make it so. */
  readonly unavailable: string | null;
}

export interface RunFinished {
  readonly reason: 'done' | 'timeout' | 'drained' | 'failed';
  readonly message: string | null;
  readonly goals_total: number;
  readonly goals_solved: number;
  /** CPU time of the whole process tree, of the Lean workers in it, and of our own process. */
  readonly cpu_seconds: number;
  readonly lean_cpu_seconds: number;
  readonly host_cpu_seconds: number;
  readonly wall_seconds: number;
  /** cpu_seconds ÷ (cores × seconds with a non-empty queue). */
  readonly utilisation: number;
}

export interface GoalAdded {
  /** The name by which the user knows it; one goal a name in a run. */
  readonly goal: string;
  readonly statement: string;
  readonly preamble: string;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  readonly difficulty: number;
  readonly priority: number;
  /** FILE:LINE, where there is one. */
  readonly source: string | null;
  readonly allow_axioms: readonly string[];
  /** The goal that wants this one as a helper lemma; null for a goal that the user asked for. */
  readonly requester: string | null;
  /** What its domain needs to open it again. */
  readonly task: unknown;
  /** Its node in a blueprint, where it has one. */
  readonly node?: GoalNode;
}

/** The node of a blueprint that a goal belongs to, and how much hangs on it among what is not proved yet. */
export interface GoalNode {
  readonly id: string;
  /** 0 to 1: the share of the shortest ways that lead through it, the largest share being 1. */
  readonly criticality: number;
  /** 0 to 1: the share of the other unproved nodes that need it, directly or not. */
  readonly impact: number;
  /** How many unproved nodes it needs itself. */
  readonly waits: number;
  /** The longest chain of nodes, proved or not, that it stands on. */
  readonly depth: number;
}

interface GoalOpened {
  readonly goal: string;
  readonly priority: number;
  readonly round: number;
}

export interface GoalExamined {
  readonly goal: string;
  /** Goals of one context are alike to the bandit. */
  readonly context: string;
  /** What can be tried on it. */
  readonly arms: readonly ArmOffer[];
  /** What earlier runs have tried on the same goal, in the same environment, in vain. */
  readonly tried: readonly TriedArm[];
  /** Identity of the goal: SHA-256 of its canonical form. */
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly features: Readonly<Record<string, number>>;
  readonly difficulty: number;
  readonly priority: number;
  readonly cpu_seconds: number;
}

interface GoalCharged {
  readonly goal: string;
  /** Null where it was never elaborated. */
  readonly goal_hash: string | null;
  readonly cpu_seconds: number;
  readonly reason: 'opening' | 'polishing' | 'refuting';
  /** For `refuting`: variables whose values were not tried, because they are types, functions or the like. */
  readonly untried?: readonly string[];
  /** For `refuting`: an instance was found, and why it could not be judged. It is looked for again. */
  readonly unjudged?: string;
}

export interface ArmOffer {
  readonly arm: string;
  readonly strategy: string;
  readonly slot: Slot;
  /** Changes whenever the arm would do something else; the loop guard compares it. */
  readonly signature: string;
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
  /** Arms of a lower stage run before those of a higher; ledgers of earlier versions do not have it. */
  readonly stage?: number;
  /** One attempt does all that the arm can: it has the whole budget in the first round. */
  readonly exhaustive?: boolean;
  /** It begins in this round, with the whole budget. */
  readonly round?: number;
}

export interface TriedArm {
  readonly arm: string;
  readonly signature: string;
  readonly limits: AttemptLimits;
}

export interface SlateStarted {
  readonly goal: string;
  readonly slot: Slot;
  readonly round: number;
  /** Of all arms together: the sum of their CPU-seconds, the most heartbeats. */
  readonly limits: AttemptLimits;
  /** The chosen arms, best first, with what the choice was made on. */
  readonly arms: readonly ArmChoice[];
  readonly reason: string;
}

export interface ArmChoice {
  readonly arm: string;
  readonly score: number;
  readonly mean: number;
  readonly trials: number;
  /** What this arm may cost; ledgers of earlier versions do not have it. */
  readonly limits?: AttemptLimits;
}

export interface GoalParked {
  readonly goal: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /**
   * It comes back with larger limits; when a slot is free; when its lemma is there; when the tool may work again; when the
   * run goes on.
   */
  readonly reason: 'next-round' | 'slots' | 'ticket' | 'broken' | 'paused';
  readonly ticket: string | null;
}

/** The same fields as the line of a goal in `--reporter json`. */
export interface GoalClosed {
  readonly goal: string;
  readonly solved: boolean;
  /** The instance that shows the goal to be false; null unless it was refuted. Never together with `solved`. */
  readonly refuted: string | null;
  readonly proof: string | null;
  readonly assurance: string | null;
  readonly strategy: string | null;
  readonly arm: string | null;
  readonly attempts: number;
  readonly cpu_seconds: number;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  /** `proved`, `refuted`, or why neither. */
  readonly reason: string;
}

export interface AttemptStarted {
  readonly attempt: string;
  readonly goal: string;
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
  /** What this arm does, hashed: the loop guard compares it. */
  readonly signature: string;
  readonly slot: Slot;
  readonly limits: AttemptLimits;
  /** The attempt that this one goes on from. */
  readonly parent: string | null;
}

export interface AttemptFinished {
  readonly attempt: string;
  readonly goal: string;
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
  /** The goal's context, as the bandit sees it. */
  readonly context: string;
  readonly signature: string;
  readonly params: AttemptLimits;
  readonly started: number;
  readonly outcome: OutcomeKind;
  /** The script of a candidate, or the best partial one. */
  readonly tactics: readonly string[];
  /** What was left open there. */
  readonly next_goals: readonly string[];
  readonly premises: readonly string[];
  readonly cache_hits: number;
  readonly cpu_seconds: number;
  readonly wall_seconds: number;
  readonly peak_bytes: number;
  /** What the attempt spent outside of our own processors; whoever spends it says so. */
  readonly gpu_seconds: number;
  readonly cloud_seconds: number;
  /** Tokens that language models read and wrote. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly error: string | null;
  readonly parent: string | null;
  /** What the scheduler learns from it; null for a censored attempt. */
  readonly reward: number | null;
}

export interface CandidateJudged {
  readonly attempt: string | null;
  readonly goal: string;
  readonly goal_hash: string;
  readonly strategy: string;
  readonly arm: string;
  readonly proof: string;
  readonly premises: readonly string[];
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  readonly kind: string;
  readonly message: string;
  readonly assurance: string | null;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  readonly toolchain: string;
  readonly fingerprint: string;
  readonly cpu_seconds: number;
}

export const ticketStatuses = ['open', 'claimed', 'completed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** A request for a helper lemma. */
export interface Ticket {
  readonly ticket_id: string;
  /** The lemma's statement, as Lean reads it. */
  readonly goal: string;
  /** Identity of that statement, where Lean has elaborated it. */
  readonly goal_hash?: string | null;
  /** The preamble that it stands on, then whatever else helps. */
  readonly context: readonly string[];
  /** What that preamble imports from a project, as the domain says it; without it, everything comes with Lean. */
  readonly environment?: unknown;
  readonly suggested_name: string;
  readonly constraints: readonly string[];
  readonly priority: number;
  readonly status: TicketStatus;
  /** The goal that waits for it, or whoever asked. */
  readonly requester: string;
  readonly dependencies: readonly string[];
  readonly completed_proof: string | null;
}

interface TicketClaimed {
  readonly ticket_id: string;
  readonly claimant: string;
  /** Milliseconds since 1970; afterwards the ticket is open again. */
  readonly expires: number;
}

interface TicketCompleted {
  readonly ticket_id: string;
  readonly claimant: string;
  readonly completed_proof: string;
  readonly assurance: string;
}

export const controlActions = ['pause', 'resume', 'retry', 'cancel', 'priority'] as const;
export type ControlAction = (typeof controlActions)[number];

export interface ControlRequested {
  readonly action: ControlAction;
  /** Null where it is about the whole run. */
  readonly goal: string | null;
  /** The priority that is asked for, 0 to 1; else null. */
  readonly value: number | null;
}

export interface ControlObeyed extends ControlRequested {
  /** The number of the request's event. */
  readonly request: number;
  /** Null when it is done; else why not. */
  readonly refused: string | null;
}

export interface Sample {
  /** Of our process tree since the last sample, as a share of all cores. */
  readonly utilisation: number;
  readonly cpu_target: number;
  /** The load that others put on the machine: an average that forgets. */
  readonly others: number;
  readonly cpu_seconds: number;
  readonly resident_bytes: number;
  readonly queued: number;
  readonly parked: number;
  readonly workers: readonly WorkerSample[];
}

export interface WorkerSample {
  readonly pid: number | null;
  readonly resident_bytes: number;
  /** What it does now, for people: a goal and an arm, or null when idle. */
  readonly goal: string | null;
  readonly arm: string | null;
}

interface Pruned {
  readonly removed: number;
}

export interface Note {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}
