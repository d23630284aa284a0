import { expect, test } from 'vitest';
import { nextStep } from '../../../src/core/scheduler/decide.ts';
import { Schedule } from '../../../src/core/scheduler/schedule.ts';
import type { EventBodies, EventType, PolicyName, RunEvent } from '../../../src/shared/events.ts';
import {
  attemptFinished,
  config,
  goalAdded,
  goalExamined,
  limits,
  runStarted,
} from '../../helpers/event-bodies.ts';

const stages = {
  'micro/close': 0,
  'micro/induct': 1,
  'micro/cases': 2,
  'micro/search': 3,
  'micro/library': 3,
};

const model = (arm: string, chance: number, large = 0) => ({
  arm,
  lessons: 50,
  chance: { bias: chance, nodes: large },
  seconds: { bias: 0 },
  spread: 0,
});

/** A goal of a run with a policy, after arms have failed on it: the arms that it tries next. */
function next(policy: PolicyName, ...failed: string[]): string[] {
  const schedule = new Schedule();
  const tell = <Type extends EventType>(type: Type, body: EventBodies[Type]): void =>
    schedule.apply({ type, run: 'run', at: 0, ...body } as RunEvent);
  tell('run-started', {
    ...runStarted,
    config: { ...config, policy },
    learned: {
      arms: [],
      weights: {},
      policy: {
        order: ['micro/cases', 'micro/library'],
        scales: { nodes: { mean: 4, deviation: 1 } },
        arms: [model('micro/search', 0, 2), model('micro/library', 0.5), model('micro/induct', -1)],
      },
    },
  });
  tell('goal-added', { ...goalAdded, goal: 'g' });
  tell('goal-opened', { goal: 'g', priority: 0, round: 0 });
  tell('goal-examined', {
    ...goalExamined,
    goal: 'g',
    features: { nodes: Math.expm1(5) },
    arms: Object.entries(stages).map(([arm, stage]) => ({
      arm,
      stage,
      strategy: 'micro',
      slot: 'light' as const,
      signature: arm,
      budget: limits,
    })),
  });
  for (const arm of failed)
    tell('attempt-finished', {
      ...attemptFinished,
      goal: 'g',
      attempt: arm,
      arm,
      signature: arm,
      params: limits,
    });
  const step = nextStep(schedule, 'g', 0);
  return step.kind === 'slate' ? step.body.arms.map(({ arm }) => arm) : [step.kind];
}

test('the cheap arm runs first under every policy', () => {
  for (const policy of ['ucb1', 'static', 'contextual'] as const)
    expect(next(policy)).toEqual(['micro/close']);
});

test('UCB1 proceeds stage by stage; the other policies choose among all arms', () => {
  expect(next('ucb1', 'micro/close')).toEqual(['micro/induct']);
  expect(next('ucb1', 'micro/close', 'micro/induct', 'micro/cases')).toHaveLength(2);
  expect(next('static', 'micro/close')).toEqual(['micro/cases']);
  expect(next('static', 'micro/close', 'micro/cases')).toEqual(['micro/library']);
  // what the order does not know keeps the order of stages
  expect(next('static', 'micro/close', 'micro/cases', 'micro/library')).toEqual(['micro/induct']);
  // for a goal of this size micro/search is most likely; nothing is known about micro/cases
  expect(next('contextual', 'micro/close')).toEqual(['micro/search']);
  expect(next('contextual', 'micro/close', 'micro/search')).toEqual(['micro/library']);
  expect(next('contextual', 'micro/close', 'micro/search', 'micro/library')).toEqual(['micro/induct']);
});
