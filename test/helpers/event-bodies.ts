import type {
  AttemptFinished,
  AttemptStarted,
  GoalAdded,
  GoalClosed,
  GoalExamined,
  RunConfig,
  RunStarted,
  Sample,
  Ticket,
} from '../../src/shared/events.ts';

/** Event bodies with defaults, so that a test sets only relevant fields. */

export const config: RunConfig = {
  profile: 0,
  timeout: null,
  goal_cpu: 120,
  cpu_target: 0.5,
  cores: 2,
  workers: 1,
  max_light: 8,
  max_heavy: 0,
  escalate_threshold: 0.6,
};

export const runStarted: RunStarted = {
  command: 'bank',
  resumes: null,
  seed: 7,
  toolchain: 'lean-4.28.0-embedded',
  version: '0.1.0',
  sources: ['bank'],
  config,
  strategies: [{ name: 'micro', slot: 'light', tier: 0, unavailable: null }],
  learned: { arms: [], weights: {} },
};

export const goalAdded: Omit<GoalAdded, 'goal'> = {
  statement: 'theorem t (a : Nat) : a + 0 = a',
  preamble: '',
  topic: 'Nat',
  label: 'easy',
  difficulty: 0.2,
  priority: 0.5,
  source: null,
  allow_axioms: [],
  requester: null,
  task: null,
};

export const goalExamined: Omit<GoalExamined, 'goal'> = {
  goal_hash: 'hash',
  fingerprint: 'print',
  context: 'numbers',
  arms: [],
  tried: [],
  features: {},
  difficulty: 0.3,
  priority: 0.5,
  cpu_seconds: 0.1,
};

export const limits = { cpu_seconds: 8, heartbeats: 200_000 };

const ofAnAttempt = {
  goal_hash: 'hash',
  fingerprint: 'print',
  strategy: 'micro',
  arm: 'micro/close',
  signature: 'micro/close-1',
  parent: null,
};

export const attemptStarted: Omit<AttemptStarted, 'goal' | 'attempt'> = {
  ...ofAnAttempt,
  slot: 'light',
  limits,
};

export const attemptFinished: Omit<AttemptFinished, 'goal' | 'attempt'> = {
  ...ofAnAttempt,
  context: '',
  params: limits,
  started: 0,
  outcome: 'failed',
  tactics: [],
  next_goals: [],
  premises: [],
  cache_hits: 0,
  cpu_seconds: 0.5,
  wall_seconds: 0.5,
  peak_bytes: 1e8,
  gpu_seconds: 0,
  cloud_seconds: 0,
  input_tokens: 0,
  output_tokens: 0,
  error: null,
  reward: 0,
};

/** Without a proof. */
export const goalClosed: Omit<GoalClosed, 'goal'> = {
  solved: false,
  refuted: null,
  proof: null,
  assurance: null,
  strategy: null,
  arm: null,
  attempts: 1,
  cpu_seconds: 1,
  axioms: [],
  assumes: [],
  reason: 'nothing left to try',
};

export const ticketOpened: Omit<Ticket, 'ticket_id'> = {
  goal: 'theorem helper (a b : Nat) : a + b = b + a',
  context: [''],
  suggested_name: 'helper',
  constraints: [],
  priority: 0.5,
  status: 'open',
  requester: 'g1',
  dependencies: [],
  completed_proof: null,
};

export const sample: Sample = {
  utilisation: 0.5,
  cpu_target: 0.5,
  others: 0.1,
  cpu_seconds: 1,
  resident_bytes: 1e8,
  queued: 1,
  parked: 0,
  workers: [],
};
