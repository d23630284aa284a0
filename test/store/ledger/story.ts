import type {
  AttemptFinished,
  CandidateJudged,
  EventBodies,
  EventType,
  GoalAdded,
  RunEvent,
  Ticket,
} from '../../../src/shared/events.ts';

/** Events with everything that does not matter filled in. Time starts on 2026-01-01 and goes on a second an event. */
export const start = Date.UTC(2026, 0, 1);

export class Story {
  readonly run: string;
  readonly #events: RunEvent[] = [];
  #at: number;

  constructor(run = 'run-1', at = start) {
    this.run = run;
    this.#at = at;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  tell<Type extends EventType>(type: Type, body: EventBodies[Type]): this {
    this.#at += 1000;
    this.#events.push({ type, run: this.run, at: this.#at, ...body } as RunEvent);
    return this;
  }

  begin(resumes: string | null = null): this {
    return this.tell('run-started', {
      command: 'bank',
      resumes,
      seed: 7,
      toolchain: 'lean-4.28.0-embedded',
      version: '0.1.0',
      sources: ['bank'],
      config: {
        profile: 0,
        timeout: 900,
        goal_cpu: 60,
        cpu_target: 0.5,
        cores: 2,
        workers: 1,
        max_light: 8,
        max_heavy: 0,
        escalate_threshold: 0.6,
      },
      strategies: [{ name: 'micro', slot: 'light', tier: 0, unavailable: null }],
      learned: { arms: [], weights: {} },
    });
  }

  end(reason: 'done' | 'timeout' | 'drained' | 'failed' = 'done'): this {
    return this.tell('run-finished', {
      reason,
      message: null,
      goals_total: 2,
      goals_solved: 1,
      cpu_seconds: 12.5,
      lean_cpu_seconds: 12,
      host_cpu_seconds: 0.5,
      wall_seconds: 13,
      utilisation: 0.48,
    });
  }

  add(goal: string, body: Partial<GoalAdded> = {}): this {
    return this.tell('goal-added', {
      goal,
      statement: `theorem ${goal} (a : Nat) : a + 0 = a`,
      preamble: '',
      topic: 'Nat',
      label: 'easy',
      difficulty: 0.2,
      priority: 0.5,
      source: 'bank.jsonl:1',
      allow_axioms: [],
      requester: null,
      task: { id: goal },
      ...body,
    });
  }

  examine(goal: string): this {
    return this.tell('goal-examined', {
      goal,
      goal_hash: hashOf(goal),
      fingerprint: 'print',
      context: 'numbers',
      arms: [],
      tried: [],
      features: { size: 5, hypotheses: 1 },
      difficulty: 0.3,
      priority: 0.6,
      cpu_seconds: 0.25,
    });
  }

  slate(goal: string, ...arms: string[]): this {
    return this.tell('slate-started', {
      goal,
      slot: 'light',
      round: 1,
      limits,
      arms: arms.map((arm) => ({ arm, score: 1.5, mean: 0.05, trials: 0 })),
      reason: 'the best three',
    });
  }

  startAttempt(attempt: string, goal: string, arm = 'micro/close'): this {
    return this.tell('attempt-started', {
      attempt,
      goal,
      goal_hash: hashOf(goal),
      fingerprint: 'print',
      strategy: strategyOf(arm),
      arm,
      signature: `${arm}-1`,
      slot: 'light',
      limits,
      parent: null,
    });
  }

  finishAttempt(attempt: string, goal: string, body: Partial<AttemptFinished> = {}): this {
    const arm = body.arm ?? 'micro/close';
    return this.tell('attempt-finished', {
      attempt,
      goal,
      goal_hash: hashOf(goal),
      fingerprint: 'print',
      strategy: strategyOf(arm),
      arm,
      signature: `${arm}-1`,
      context: '',
      params: limits,
      started: this.#at,
      outcome: 'failed',
      tactics: ['simp_all'],
      next_goals: ['⊢ a = a'],
      premises: ['Nat.add_zero'],
      cache_hits: 0,
      cpu_seconds: 0.5,
      wall_seconds: 1,
      peak_bytes: 1_000_000,
      gpu_seconds: 0,
      cloud_seconds: 0,
      input_tokens: 0,
      output_tokens: 0,
      error: 'simp made no progress',
      parent: null,
      reward: 0,
      ...body,
    });
  }

  judge(attempt: string | null, goal: string, body: Partial<CandidateJudged> = {}): this {
    const arm = body.arm ?? 'micro/close';
    const isAccepted = (body.verdict ?? 'accepted') === 'accepted';
    return this.tell('candidate-judged', {
      attempt,
      goal,
      goal_hash: hashOf(goal),
      strategy: strategyOf(arm),
      arm,
      proof: 'by simp only [Nat.add_zero]',
      premises: ['Nat.add_zero'],
      verdict: 'accepted',
      kind: isAccepted ? 'proved' : 'kernel',
      message: isAccepted ? 'proved' : 'the kernel says no',
      assurance: isAccepted ? 'replayed' : null,
      axioms: ['propext'],
      assumes: [],
      toolchain: 'lean-4.28.0-embedded',
      fingerprint: 'print',
      cpu_seconds: 0.125,
      ...body,
    });
  }

  park(goal: string, ticket: string | null = null): this {
    const reason = ticket === null ? 'next-round' : 'ticket';
    return this.tell('goal-parked', { goal, until: this.#at + 60_000, reason, ticket });
  }

  closeGoal(goal: string, solved = true): this {
    return this.tell('goal-closed', {
      goal,
      solved,
      refuted: null,
      proof: solved ? 'by simp only [Nat.add_zero]' : null,
      assurance: solved ? 'replayed' : null,
      strategy: solved ? 'micro' : null,
      arm: solved ? 'micro/close' : null,
      attempts: 1,
      cpu_seconds: 1,
      axioms: [],
      assumes: [],
      reason: solved ? 'proved' : 'nothing left to try',
    });
  }

  refute(goal: string, instance = 'a := 0'): this {
    const nothing = { proof: null, assurance: null, strategy: null, arm: null, axioms: [], assumes: [] };
    const body = { ...nothing, goal, solved: false, refuted: instance, attempts: 0, cpu_seconds: 1 };
    return this.tell('goal-closed', { ...body, reason: 'refuted' });
  }

  openTicket(id: string, body: Partial<Ticket> = {}): this {
    return this.tell('ticket-opened', {
      ticket_id: id,
      goal: 'theorem helper (a b : Nat) : a + b = b + a',
      context: [''],
      suggested_name: 'helper',
      constraints: [],
      priority: 0.5,
      status: 'open',
      requester: 'g1',
      dependencies: [],
      completed_proof: null,
      ...body,
    });
  }

  claimTicket(id: string, claimant = 'micro', expires = this.#at + 3_600_000): this {
    return this.tell('ticket-claimed', { ticket_id: id, claimant, expires });
  }

  completeTicket(id: string, claimant = 'micro'): this {
    return this.tell('ticket-completed', {
      ticket_id: id,
      claimant,
      completed_proof: 'by omega',
      assurance: 'replayed',
    });
  }

  sample(): this {
    return this.tell('sample', {
      utilisation: 0.5,
      cpu_target: 0.5,
      others: 0.1,
      cpu_seconds: 1,
      resident_bytes: 1e8,
      queued: 1,
      parked: 0,
      workers: [{ pid: 1, resident_bytes: 1e8, goal: 'g1', arm: 'micro/close' }],
    });
  }
}

export const limits = { cpu_seconds: 8, heartbeats: 200_000 };
export const hashOf = (goal: string): string => `hash-${goal}`;
const strategyOf = (arm: string): string => arm.split('/')[0] ?? arm;
