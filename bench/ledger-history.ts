import { outcomeKinds, type EventBodies, type EventType, type RunEvent } from '../src/shared/events.ts';

export const attemptsOfAGoal = 10;
const arms = ['close', 'library', 'cases', 'induct', 'structure', 'combine'].map((name) => `micro/${name}`);
const allArms = [...arms, 'search/shallow', 'search/deep', 'reprover/templates', 'reprover/model'];

const limits = { cpu_seconds: 8, heartbeats: 200_000 };
const runStarted = {
  command: 'bank',
  resumes: null,
  seed: 1,
  toolchain: 'lean',
  version: '0',
  sources: ['bank'],
  config: {
    profile: 0,
    timeout: null,
    goal_cpu: 60,
    cpu_target: 0.5,
    cores: 2,
    workers: 1,
    max_light: 8,
    max_heavy: 0,
    escalate_threshold: 0.6,
  },
  strategies: [],
  learned: { arms: [], weights: {} },
} as const;
const runFinished = {
  reason: 'done',
  message: null,
  goals_total: 1000,
  goals_solved: 500,
  cpu_seconds: 1,
  lean_cpu_seconds: 1,
  host_cpu_seconds: 0,
  wall_seconds: 1,
  utilisation: 0.5,
} as const;
const goalAdded = {
  statement: 'theorem t (a b : Nat) : a + b = b + a',
  preamble: '',
  topic: 'Nat',
  label: 'easy',
  difficulty: 0.2,
  priority: 0.5,
  source: null,
  allow_axioms: [],
  requester: null,
  task: null,
} as const;
const attempt = {
  params: limits,
  tactics: ['simp_all [Nat.add_comm]'],
  next_goals: [],
  premises: ['Nat.add_comm'],
  cache_hits: 0,
  cpu_seconds: 0.4,
  wall_seconds: 0.5,
  peak_bytes: 3e8,
  gpu_seconds: 0,
  cloud_seconds: 0,
  input_tokens: 0,
  output_tokens: 0,
  error: 'simp made no progress',
  context: 'easy',
} as const;
const verdict = {
  proof: 'by omega',
  premises: [],
  verdict: 'accepted',
  kind: 'proved',
  message: 'proved',
  assurance: 'replayed',
  axioms: [],
  assumes: [],
  toolchain: 'lean',
  cpu_seconds: 0.05,
} as const;
const closed = {
  refuted: null,
  proof: null,
  assurance: null,
  strategy: null,
  arm: null,
  attempts: 10,
  cpu_seconds: 4,
  axioms: [],
  assumes: [],
  reason: '',
} as const;
const ticket = {
  goal: 'theorem helper (a b : Nat) : a + b = b + a',
  context: [''],
  suggested_name: 'helper',
  constraints: [],
  priority: 0.5,
  status: 'open',
  requester: 'g',
  dependencies: [],
  completed_proof: null,
} as const;
const sample = {
  utilisation: 0.5,
  cpu_target: 0.5,
  others: 0,
  cpu_seconds: 1,
  resident_bytes: 1e9,
  queued: 1,
  parked: 0,
  workers: [],
} as const;

/** What a run would write; every seventh attempt is a success, every tenth goal leaves a ticket. */
export function* history(run: number, goals: number, from: number): Iterable<RunEvent> {
  let at = from;
  const tell = <Type extends EventType>(type: Type, body: EventBodies[Type]): RunEvent =>
    ({ type, run: `run-${run}`, at: (at += 1200), ...body }) as RunEvent;
  yield tell('run-started', runStarted);
  for (let index = 0; index < goals; index++) {
    const goal = `g${index}`;
    // half of the goals come again in every run
    const goal_hash = index % 2 === 0 ? `hash-${index}` : `hash-${run}-${index}`;
    const named = { goal, goal_hash, fingerprint: 'print' };
    yield tell('goal-added', { ...goalAdded, goal });
    yield tell('goal-examined', {
      ...named,
      context: 'easy',
      arms: [],
      tried: [],
      features: { size: index },
      difficulty: 0.3,
      priority: 0.5,
      cpu_seconds: 0.1,
    });
    for (let which = 0; which < attemptsOfAGoal; which++) {
      const arm = allArms[which % allArms.length] ?? '';
      const made = {
        ...named,
        attempt: `${run}-${index}-${which}`,
        strategy: arm.split('/')[0] ?? '',
        arm,
        signature: `${arm}-1`,
        parent: null,
      };
      yield tell('attempt-started', { ...made, slot: 'light', limits });
      const number = index * attemptsOfAGoal + which;
      const outcome = number % 7 === 0 ? 'solved' : (outcomeKinds[1 + (number % 6)] ?? 'failed');
      yield tell('attempt-finished', {
        ...attempt,
        ...made,
        started: at,
        outcome,
        reward: outcome === 'solved' ? 0.7 : 0,
      });
      if (outcome === 'solved') yield tell('candidate-judged', { ...verdict, ...made });
    }
    if (index % 100 === 0) yield tell('ticket-opened', { ...ticket, ticket_id: `lem-${run}-${index}` });
    yield tell('goal-closed', { ...closed, goal, solved: index % 2 === 0 });
    yield tell('sample', sample);
  }
  yield tell('run-finished', runFinished);
}
