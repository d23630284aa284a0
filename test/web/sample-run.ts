import type {
  ArmChoice,
  AttemptFinished,
  EventBodies,
  EventType,
  OutcomeKind,
  RunEvent,
} from '../../src/shared/events.ts';
import { SeededRandom } from '../helpers/random.ts';
import { lemmas, type Lemma } from './sample-lemmas.ts';
import { runStarted } from './sample-settings.ts';

/**
 * The events of a run that looks like a real one, the same for the same seed: for tests that need many goals and for
 * pictures that must not change from day to day. Time passes as in a run on two cores.
 */
export interface SampleOptions {
  readonly run: string;
  /** When it starts: milliseconds since 1970. */
  readonly at: number;
  readonly seed: number;
  /** How many goals there are; the lemmas repeat under other names. */
  readonly goals: number;
  /** How many of them it gets to; when that is all, the run finishes. */
  readonly worked: number;
  readonly samples?: boolean;
}

const arms = [
  'micro/close',
  'micro/library',
  'micro/cases',
  'micro/induct',
  'search/shallow',
  'reprover/templates',
];
const limits = { cpu_seconds: 8, heartbeats: 200_000 };

export function sampleRun(options: SampleOptions): RunEvent[] {
  return new SampleRun(options).tell();
}

class SampleRun {
  readonly #options: SampleOptions;
  readonly #random: SeededRandom;
  readonly #events: RunEvent[] = [];
  readonly #records = new Map(arms.map((arm) => [arm, { trials: 0, mean: 0.05 }]));
  #at: number;
  #sampled: number;
  #cpu = 0;
  #attempts = 0;
  #solved = 0;
  #closed = 0;
  #resident = 6e8;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#at = options.at;
    this.#sampled = options.at;
  }

  tell(): RunEvent[] {
    const { goals, worked } = this.#options;
    this.#begin();
    const all = Array.from({ length: goals }, (_, index) => this.#add(index));
    for (const [goal, lemma] of all.slice(0, worked)) this.#work(goal, lemma);
    if (worked >= goals) this.#end();
    else this.#leaveUnderWay(all.slice(worked, worked + 2));
    return this.#events;
  }

  #emit<Type extends EventType>(type: Type, body: EventBodies[Type]): void {
    this.#events.push({ type, run: this.#options.run, at: Math.round(this.#at), ...body } as RunEvent);
  }

  #begin(): void {
    this.#emit('run-started', runStarted(this.#options.seed));
  }

  #add(index: number): readonly [string, Lemma] {
    const lemma = this.#pick(index);
    const copy = Math.floor(index / lemmas.length);
    const goal = copy === 0 ? lemma.name : `${lemma.name}_${copy}`;
    this.#emit('goal-added', {
      goal,
      statement: `theorem ${goal} ${lemma.statement}`,
      preamble: '',
      topic: lemma.topic,
      label: null,
      difficulty: lemma.difficulty,
      priority: 0.9 - lemma.difficulty * 0.6,
      source: `bank.jsonl:${index + 1}`,
      allow_axioms: [],
      requester: null,
      task: { id: goal },
    });
    return [goal, lemma];
  }

  #pick(index: number): Lemma {
    const lemma = lemmas[index % lemmas.length];
    if (!lemma) throw new Error('there are no lemmas');
    return lemma;
  }

  #work(goal: string, lemma: Lemma): void {
    this.#examine(goal, lemma);
    let tried = 0;
    for (let round = 0; round < 2; round++) {
      const slate = this.#slate(goal, round);
      for (const { arm } of slate) {
        tried++;
        if (this.#attempt(goal, lemma, arm)) return this.#close(goal, true, arm, tried);
      }
      if (round === 0)
        this.#emit('goal-parked', { goal, until: this.#at + 5000, reason: 'next-round', ticket: null });
    }
    if (lemma.helper !== null) {
      this.#ticket(goal, lemma.helper);
      if (this.#random.next() < 0.4) return;
    }
    this.#close(goal, false, null, tried);
  }

  #examine(goal: string, lemma: Lemma): void {
    this.#pass(0.12);
    this.#emit('goal-opened', { goal, priority: 0.5, round: 0 });
    this.#emit('goal-examined', {
      goal,
      goal_hash: hashOf(goal),
      fingerprint: 'a41f0c9be2d7',
      context: lemma.topic.toLowerCase(),
      arms: [],
      tried: [],
      features: {
        size: 4 + Math.round(lemma.difficulty * 40),
        hypotheses: lemma.statement.split(':').length - 2,
        simp: 0.4,
      },
      difficulty: lemma.difficulty,
      priority: 0.9 - lemma.difficulty * 0.6,
      cpu_seconds: 0.11,
    });
  }

  #slate(goal: string, round: number): ArmChoice[] {
    const total = [...this.#records.values()].reduce((sum, { trials }) => sum + trials, 1);
    const choices = [...this.#records]
      .map(([arm, { trials, mean }]) => ({
        arm,
        trials,
        mean,
        score: mean + 1.5 * Math.sqrt((2 * Math.log(total)) / Math.max(1, trials)),
      }))
      .sort((one, two) => two.score - one.score)
      .slice(0, 3);
    const reason = round === 0 ? 'the three best light arms' : 'all of round 1 failed: larger limits';
    this.#emit('slate-started', { goal, slot: 'light', round, limits, arms: choices, reason });
    return choices;
  }

  #attempt(goal: string, lemma: Lemma, arm: string): boolean {
    const attempt = `${this.#options.run}-${++this.#attempts}`;
    const strategy = arm.split('/', 1)[0] ?? arm;
    const isRight = this.#random.next() < (lemma.arm === arm ? 0.95 : 0.28 * (1 - lemma.difficulty));
    const cost = 0.2 + this.#random.next() * (isRight ? 1.2 : 4) * (0.3 + lemma.difficulty);
    const same = {
      attempt,
      goal,
      goal_hash: hashOf(goal),
      fingerprint: 'a41f0c9be2d7',
      strategy,
      arm,
      signature: `${arm}-1`,
      parent: null,
    };
    this.#emit('attempt-started', { ...same, slot: 'light', limits });
    const started = this.#at;
    this.#pass(cost);
    const outcome: OutcomeKind =
      isRight && lemma.proof !== null
        ? 'solved'
        : this.#random.pick(['failed', 'failed', 'exhausted', 'timeout']);
    const isSolved = outcome === 'solved';
    this.#finish({ ...same, context: lemma.topic.toLowerCase(), started, outcome }, lemma, cost);
    this.#learn(arm, isSolved ? 1 / (1 + cost / 4) : 0, outcome);
    if (isSolved) this.#judge(attempt, goal, arm, lemma);
    return isSolved;
  }

  #finish(
    body: Pick<
      AttemptFinished,
      | 'attempt'
      | 'goal'
      | 'goal_hash'
      | 'fingerprint'
      | 'strategy'
      | 'arm'
      | 'signature'
      | 'parent'
      | 'context'
      | 'started'
      | 'outcome'
    >,
    lemma: Lemma,
    cost: number,
  ): void {
    const isSolved = body.outcome === 'solved';
    this.#emit('attempt-finished', {
      ...body,
      params: limits,
      tactics: isSolved && lemma.proof !== null ? [lemma.proof] : ['intro h', 'simp_all'],
      next_goals: isSolved ? [] : [lemma.left],
      premises: isSolved ? ['Nat.add_comm'] : [],
      cache_hits: this.#random.below(4),
      cpu_seconds: cost,
      wall_seconds: cost * 1.1,
      peak_bytes: 6e8 + this.#random.below(3e8),
      gpu_seconds: 0,
      cloud_seconds: 0,
      input_tokens: 0,
      output_tokens: 0,
      error: isSolved ? null : lemma.error,
      reward: isSolved ? 1 / (1 + cost / 4) : 0,
    });
  }

  #learn(arm: string, reward: number, outcome: OutcomeKind): void {
    const record = this.#records.get(arm);
    if (!record || outcome === 'timeout') return;
    this.#records.set(arm, { trials: record.trials + 1, mean: 0.9 * record.mean + 0.1 * reward });
  }

  #judge(attempt: string, goal: string, arm: string, lemma: Lemma): void {
    this.#pass(0.15);
    this.#emit('candidate-judged', {
      attempt,
      goal,
      goal_hash: hashOf(goal),
      strategy: arm.split('/', 1)[0] ?? arm,
      arm,
      proof: `by ${lemma.proof ?? ''}`,
      premises: [],
      verdict: 'accepted',
      kind: 'proved',
      message: 'proved',
      assurance: 'replayed',
      axioms: ['propext'],
      assumes: [],
      toolchain: 'lean-4.28.0-embedded',
      fingerprint: 'a41f0c9be2d7',
      cpu_seconds: 0.14,
    });
  }

  #ticket(goal: string, helper: string): void {
    const id = `${this.#options.run}-t${this.#attempts}`;
    this.#emit('ticket-opened', {
      ticket_id: id,
      goal: `theorem ${goal}_helper ${helper}`,
      context: [''],
      suggested_name: `${goal}_helper`,
      constraints: ['no axioms beyond the three'],
      priority: Math.round(this.#random.next() * 100) / 100,
      status: 'open',
      requester: goal,
      dependencies: [],
      completed_proof: null,
    });
    this.#emit('goal-parked', { goal, until: this.#at + 600_000, reason: 'ticket', ticket: id });
    const claimant = 'search';
    if (this.#random.next() < 0.7)
      this.#emit('ticket-claimed', { ticket_id: id, claimant, expires: this.#at + 3_600_000 });
    else return;
    if (this.#random.next() < 0.6)
      this.#emit('ticket-completed', {
        ticket_id: id,
        claimant,
        completed_proof: 'by omega',
        assurance: 'replayed',
      });
  }

  #close(goal: string, solved: boolean, arm: string | null, attempts: number): void {
    this.#closed++;
    if (solved) this.#solved++;
    this.#emit('goal-closed', {
      goal,
      solved,
      refuted: null,
      proof: null,
      assurance: solved ? 'replayed' : null,
      strategy: arm?.split('/', 1)[0] ?? null,
      arm,
      attempts,
      cpu_seconds: 1,
      axioms: [],
      assumes: [],
      reason: solved ? 'proved' : 'all arms failed twice',
    });
  }

  #leaveUnderWay(next: readonly (readonly [string, Lemma])[]): void {
    const busy = next.map(([goal, lemma], index) => {
      this.#examine(goal, lemma);
      const [choice] = this.#slate(goal, 0);
      const arm = choice?.arm ?? 'micro/close';
      this.#emit('attempt-started', {
        attempt: `${this.#options.run}-last-${index}`,
        goal,
        goal_hash: hashOf(goal),
        fingerprint: 'a41f0c9be2d7',
        strategy: arm.split('/', 1)[0] ?? arm,
        arm,
        signature: `${arm}-1`,
        slot: 'light',
        limits,
        parent: null,
      });
      this.#at += 900;
      return { goal, arm };
    });
    this.#at += 1000;
    this.#sample(busy);
  }

  #end(): void {
    const wall = (this.#at - this.#options.at) / 1000;
    this.#emit('run-finished', {
      reason: 'done',
      message: null,
      goals_total: this.#options.goals,
      goals_solved: this.#solved,
      cpu_seconds: this.#cpu,
      lean_cpu_seconds: this.#cpu * 0.96,
      host_cpu_seconds: this.#cpu * 0.04,
      wall_seconds: wall,
      utilisation: this.#cpu / (wall * 4),
    });
  }

  /** CPU-seconds of work; two workers on half of four cores. */
  #pass(cost: number): void {
    this.#cpu += cost;
    this.#at += cost * 520;
    if (this.#options.samples === false) return;
    while (this.#sampled + 1000 < this.#at) {
      this.#sampled += 1000;
      const last = this.#events.at(-1);
      const goal = last && 'goal' in last ? (last.goal ?? null) : null;
      const arm = last && 'arm' in last ? (last.arm ?? null) : null;
      this.#sample([{ goal, arm }]);
    }
  }

  #sample(busy: readonly { readonly goal: string | null; readonly arm: string | null }[]): void {
    const wave = Math.sin(this.#sampled / 41_000);
    this.#resident += (1.25e9 + wave * 1e8 - this.#resident) * 0.08 + this.#random.below(3e7) - 1.5e7;
    const others = 0.16 + 0.08 * wave;
    const { goals } = this.#options;
    this.#emit('sample', {
      utilisation: Math.min(0.97, 0.47 + 0.05 * this.#random.next() - 0.03 * wave),
      cpu_target: 0.5,
      others,
      cpu_seconds: this.#cpu,
      resident_bytes: this.#resident,
      queued: Math.max(0, goals - this.#closed - 2),
      parked: Math.min(4, Math.floor(this.#closed / 9)),
      workers: [0, 1].map((index) => ({
        pid: 4100 + index,
        resident_bytes: this.#resident / 2 + index * 4e7,
        goal: busy[index]?.goal ?? null,
        arm: busy[index]?.arm ?? null,
      })),
    });
  }
}

export function hashOf(goal: string): string {
  let hash = 7;
  for (const letter of goal) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(16).padStart(8, '0').repeat(8);
}
