import {
  attemptFinished,
  attemptStarted,
  config,
  goalAdded,
  goalClosed,
  goalExamined,
  runStarted,
} from '../test/helpers/event-bodies.ts';
import { nextGoal, nextStep } from '../src/core/scheduler/decide.ts';
import { Schedule } from '../src/core/scheduler/schedule.ts';
import type { EventBodies, EventType, RunEvent } from '../src/shared/events.ts';

const start = { ...runStarted, config: { ...config, workers: 8, max_heavy: 2 } };
const budget = { cpu_seconds: 8, heartbeats: 20_000 };
const examined = {
  ...goalExamined,
  difficulty: 0.5,
  arms: ['close', 'induct', 'cases', 'structure', 'library', 'combine'].map((name) => ({
    arm: `micro/${name}`,
    strategy: 'micro',
    slot: 'light' as const,
    signature: name,
    budget,
  })),
};

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
    this.#tell('goal-added', {
      ...goalAdded,
      label: null,
      difficulty: 0.5,
      goal: `g${number}`,
      priority: (number % 1000) / 1000,
    });
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
    this.#tell('goal-closed', { ...goalClosed, goal, solved: number % 3 !== 0 });
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
      const its = { goal, arm, attempt: `${goal} ${arm}` };
      this.#tell('attempt-started', { ...attemptStarted, ...its });
      this.#tell('attempt-finished', { ...attemptFinished, ...its, context: 'numbers' });
    }
    this.#tell('goal-parked', { goal, until: this.#at, reason: 'next-round', ticket: null });
  }

  #tell<Type extends EventType>(type: Type, body: EventBodies[Type]): void {
    const event = { type, run: 'bench', at: ++this.#at, ...body } as RunEvent;
    this.#schedule.apply(event);
    if (this.#keeps) this.events.push(event);
  }
}
