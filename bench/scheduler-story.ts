import { nextGoal, nextStep } from '../src/core/scheduler/decide.ts';
import { Schedule } from '../src/core/scheduler/schedule.ts';
import type { EventBodies, EventType, RunEvent } from '../src/shared/events.ts';

const limits = { cpu_seconds: 8, heartbeats: 20_000 };
const start = {
  command: 'bench',
  resumes: null,
  seed: 1,
  toolchain: '',
  version: '',
  sources: [],
  config: {
    profile: 0,
    timeout: null,
    goal_cpu: 120,
    cpu_target: 0.5,
    cores: 2,
    workers: 8,
    max_light: 8,
    max_heavy: 2,
    escalate_threshold: 0.6,
  },
  strategies: [],
  learned: { arms: [], weights: {} },
} as const;
const added = {
  statement: '',
  preamble: '',
  topic: null,
  label: null,
  difficulty: 0.5,
  source: null,
  allow_axioms: [],
  requester: null,
  task: null,
} as const;
const examined = {
  goal_hash: '',
  fingerprint: '',
  context: 'numbers',
  features: {},
  difficulty: 0.5,
  priority: 0.5,
  arms: ['close', 'induct', 'cases', 'structure', 'library', 'combine'].map((name) => ({
    arm: `micro/${name}`,
    strategy: 'micro',
    slot: 'light' as const,
    signature: name,
    budget: limits,
  })),
  tried: [],
  cpu_seconds: 0.1,
};
const attempt = { goal_hash: '', fingerprint: '', strategy: 'micro', signature: '', parent: null };
const finished = {
  context: 'numbers',
  params: limits,
  started: 0,
  outcome: 'failed',
  tactics: [],
  next_goals: [],
  premises: [],
  cache_hits: 0,
  cpu_seconds: 0.5,
  wall_seconds: 0.5,
  peak_bytes: 0,
  gpu_seconds: 0,
  cloud_seconds: 0,
  input_tokens: 0,
  output_tokens: 0,
  error: null,
  reward: 0,
} as const;
const closed = {
  refuted: null,
  proof: null,
  assurance: null,
  strategy: null,
  arm: null,
  attempts: 0,
  cpu_seconds: 0,
  axioms: [],
  assumes: [],
  reason: '',
} as const;

/** A run as the engine would make it, without its attempts. */
export class Story {
  readonly events: RunEvent[] = [];
  readonly #schedule = new Schedule();
  readonly #keeps: boolean;
  #at = 0;

  constructor({ keeps = false } = {}) {
    this.#keeps = keeps;
    this.#tell('run-started', start);
  }

  add(number: number): void {
    this.#tell('goal-added', { ...added, goal: `g${number}`, priority: (number % 1000) / 1000 });
  }

  close(number: number): void {
    this.add(number);
    const goal = `g${number}`;
    const counts = {
      nodes: number % 97,
      hypotheses: number % 5,
      quantifiers: number % 7,
      text: number % 211,
    };
    const features = { ...counts, preamble_constants: number % 31, holes: 0, resists_simp: number % 2 };
    this.#tell('goal-examined', { ...examined, goal, goal_hash: goal, features });
    this.#tell('goal-closed', { ...closed, goal, solved: number % 3 !== 0 });
  }

  decide(): void {
    const goal = nextGoal(this.#schedule, this.#at)?.goal;
    if (goal === undefined) throw new Error('no goal is left');
    this.#tell('goal-opened', { goal, priority: 0, round: 0 });
    this.#tell('goal-examined', { ...examined, goal });
    const step = nextStep(this.#schedule, goal, this.#at);
    if (step.kind !== 'slate') throw new Error(`no slate but ${step.kind}`);
    this.#tell('slate-started', step.body);
    for (const { arm } of step.body.arms) {
      const its = { ...attempt, goal, arm, attempt: `${goal} ${arm}` };
      this.#tell('attempt-started', { ...its, slot: 'light', limits });
      this.#tell('attempt-finished', { ...its, ...finished });
    }
    this.#tell('goal-parked', { goal, until: this.#at, reason: 'next-round', ticket: null });
  }

  #tell<Type extends EventType>(type: Type, body: EventBodies[Type]): void {
    const event = { type, run: 'bench', at: ++this.#at, ...body } as RunEvent;
    this.#schedule.apply(event);
    if (this.#keeps) this.events.push(event);
  }
}
