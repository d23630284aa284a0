import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { ofType } from '../core/scheduler/factoring.ts';
import { serveReplies } from '../models/wire.ts';
import { hostileAnswers } from './hostile-plans.ts';
import { planned, runWithModel } from './planned-run.ts';

const mostTokens = 12_000;
const mostMicrodollars = 40_000;

const honest = { id: 'honest', statement: 'theorem t (n : Nat) : n ^ 7 % 7 = n % 7' };
const honestPlan = planned({
  steps: [{ name: 'small', claim: '∀ r, r < 7 → r ^ 7 % 7 = r % 7', tactics: ['decide'] }],
  finish: ['exact (Nat.pow_mod n 7 7).trans ((small _ (Nat.mod_lt _ (by decide))).trans (Nat.mod_mod n 7))'],
});

test('plans of a hostile model are never accepted or executed, and none exceeds its budget', async () => {
  const folder = temporaryFolder();
  const written = path.join(folder, 'written');
  const answers = Object.entries(hostileAnswers(written));
  const hostile = answers.map(([id], index) => ({
    id,
    statement: `theorem t (f : Nat → Nat) : f 0 = f ${index + 1}`,
  }));
  const given = new Set<string>();
  const service = await serveReplies(({ messages }) => {
    const prompt = JSON.stringify(messages);
    const asked = hostile.findIndex(({ statement }) => prompt.includes(`${statement}\\n`));
    given.add(answers[asked]?.[0] ?? 'honest');
    return answers[asked]?.[1] ?? honestPlan;
  });
  onTestFinished(service.close);
  const { code, goals, events } = await runWithModel(path.join(folder, 'run'), [...hostile, honest], {
    ORCH_MODEL: `openai:${service.url}/v1#planner`,
    ORCH_STRATEGIES: 'sketch',
    ORCH_MODEL_GOAL_TOKENS: String(mostTokens),
    ORCH_MODEL_GOAL_BUDGET: String(mostMicrodollars / 1e6),
    ORCH_MODEL_GOAL_SECONDS: '5',
    ORCH_MODEL_PRICE_IN: '1',
    ORCH_MODEL_PRICE_OUT: '5',
  });

  expect(code).toBe(1);
  expect(goals.filter(({ solved }) => solved).map(({ id }) => id)).toEqual(['honest']);
  const accepted = ofType(events, 'candidate-judged').filter(({ verdict }) => verdict === 'accepted');
  expect([...new Set(accepted.map(({ goal }) => goal))]).toEqual(['honest']);
  expect(existsSync(written)).toBe(false);

  const attempts = ofType(events, 'attempt-finished').filter(({ arm }) => arm === 'sketch/plan');
  const tried = [...new Set(attempts.map(({ goal }) => goal))];
  const all = [...hostile, honest].map(({ id }) => id).toSorted();
  expect(tried.toSorted()).toEqual(all);
  expect([...given].toSorted()).toEqual(all);
  const sumOver = (goal: string, cost: (one: (typeof attempts)[number]) => number): number =>
    attempts.filter((one) => one.goal === goal).reduce((sum, one) => sum + cost(one), 0);
  const tooDear = tried.filter(
    (goal) =>
      sumOver(goal, ({ input_tokens, output_tokens }) => input_tokens + output_tokens) > mostTokens ||
      sumOver(goal, ({ model }) => model?.microdollars ?? 0) > mostMicrodollars,
  );
  expect(tooDear).toEqual([]);
  // a limit in CPU-seconds is seen after a step: one step may end beyond it
  const tooLong = attempts.filter(({ cpu_seconds, params }) => cpu_seconds > 2 * params.cpu_seconds);
  expect(tooLong.map(({ goal, cpu_seconds }) => [goal, cpu_seconds])).toEqual([]);
});
