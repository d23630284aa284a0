import type {
  AttemptFinished,
  CandidateJudged,
  EventBodies,
  EventType,
  GoalAdded,
  RunEvent,
  Ticket,
} from '../../../src/shared/events.ts';
import {
  attemptFinished,
  attemptStarted,
  config,
  goalAdded,
  goalClosed,
  goalExamined,
  limits,
  runStarted,
  sample,
  ticketOpened,
} from '../../helpers/event-bodies.ts';

/** Events with defaults for irrelevant fields. Time starts on 2026-01-01 and advances by one second per event. */
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

  /** Events of another run in between. */
  follow({ events }: Story): this {
    this.#events.push(...events);
    return this;
  }

  begin(resumes: string | null = null): this {
    const settings = { timeout: 900, goal_cpu: 60 };
    return this.tell('run-started', { ...runStarted, resumes, config: { ...config, ...settings } });
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
      ...goalAdded,
      goal,
      statement: `theorem ${goal} (a : Nat) : a + 0 = a`,
      source: 'bank.jsonl:1',
      task: { id: goal },
      ...body,
    });
  }

  examine(goal: string): this {
    return this.tell('goal-examined', {
      ...goalExamined,
      goal,
      goal_hash: hashOf(goal),
      features: { size: 5, hypotheses: 1 },
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
      ...attemptStarted,
      attempt,
      goal,
      goal_hash: hashOf(goal),
      strategy: strategyOf(arm),
      arm,
      signature: `${arm}-1`,
    });
  }

  finishAttempt(attempt: string, goal: string, body: Partial<AttemptFinished> = {}): this {
    const arm = body.arm ?? 'micro/close';
    return this.tell('attempt-finished', {
      ...attemptFinished,
      attempt,
      goal,
      goal_hash: hashOf(goal),
      strategy: strategyOf(arm),
      signature: `${arm}-1`,
      started: this.#at,
      tactics: ['simp_all'],
      next_goals: ['⊢ a = a'],
      premises: ['Nat.add_zero'],
      wall_seconds: 1,
      peak_bytes: 1_000_000,
      error: 'simp made no progress',
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

  /** `proof` is the number of the event that accepted it. */
  audit(goal: string, proof: number, judge: string, isAccepted = true): this {
    return this.tell('proof-audited', {
      goal,
      proof,
      verdict: isAccepted ? 'accepted' : 'rejected',
      kind: isAccepted ? 'proved' : 'kernel',
      message: isAccepted ? 'proved' : 'the kernel says no',
      assurance: isAccepted ? 'replayed' : null,
      toolchain: 'lean-4.28.0-embedded',
      judge,
      cpu_seconds: 0.125,
    });
  }

  park(goal: string, ticket: string | null = null): this {
    const reason = ticket === null ? 'next-round' : 'ticket';
    return this.tell('goal-parked', { goal, until: this.#at + 60_000, reason, ticket });
  }

  closeGoal(goal: string, solved = true): this {
    return this.tell('goal-closed', {
      ...goalClosed,
      goal,
      ...(solved && {
        solved,
        proof: 'by simp only [Nat.add_zero]',
        assurance: 'replayed',
        strategy: 'micro',
        arm: 'micro/close',
        reason: 'proved',
      }),
    });
  }

  refute(goal: string, instance = 'a := 0'): this {
    return this.tell('goal-closed', {
      ...goalClosed,
      goal,
      refuted: instance,
      attempts: 0,
      reason: 'refuted',
    });
  }

  openTicket(id: string, body: Partial<Ticket> = {}): this {
    return this.tell('ticket-opened', { ...ticketOpened, ticket_id: id, ...body });
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
    const workers = [{ pid: 1, resident_bytes: 1e8, goal: 'g1', arm: 'micro/close' }];
    return this.tell('sample', { ...sample, workers });
  }
}

export const hashOf = (goal: string): string => `hash-${goal}`;
const strategyOf = (arm: string): string => arm.split('/')[0] ?? arm;
