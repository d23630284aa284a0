import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { Goal } from '../../../../src/lean/base/protocol.ts';
import { factsOf } from '../../../../src/lean/premises/facts.ts';
import { AskedModel } from '../../../../src/lean/strategies/asked-model.ts';
import { Models, type ModelSettings } from '../../../../src/models/configured.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { serviceWith } from '../../../models/server.ts';
import { goalOf } from '../micro/bench.ts';
import { augmented, modelSteps } from '../../../../src/lean/strategies/reprover/model-steps.ts';

const state = 'a b : Nat\n⊢ a + b = b + a';

test('a tactic-only model gets marked premises before the state, the best one last', () => {
  const premises = [
    { name: 'Nat.add_comm', statement: '(n m : Nat) : n + m = m + n' },
    { name: 'Nat.add_assoc', statement: '(n m k : Nat) : n + m + k = n + (m + k)' },
  ];
  expect(augmented(state, premises)).toBe(
    `theorem <a>Nat.add_assoc</a> (n m k : Nat) : n + m + k = n + (m + k)

theorem <a>Nat.add_comm</a> (n m : Nat) : n + m = m + n

${state}`,
  );
});

test('premises that do not fit are omitted, but never the state', () => {
  const long = { name: 'Long.one', statement: `: ${'x'.repeat(3000)}` };
  const short = { name: 'Short.one', statement: ': p' };
  expect(augmented(state, [long, short])).toBe(`theorem <a>Short.one</a> : p\n\n${state}`);
  const whole = 'x'.repeat(5000);
  expect(augmented(whole, [short])).toBe(whole);
});

/** A server with Lean Copilot's protocol that notes how many requests it has at once, and answers none before it has had this many. */
async function tacticServer(
  atOnce: number,
): Promise<{ readonly url: string; readonly asked: string[]; most: number }> {
  const seen = { url: '', asked: [] as string[], most: 0 };
  let running = 0;
  const server = createServer((request, response) => {
    void (async () => {
      seen.most = Math.max(seen.most, ++running);
      const said = Buffer.concat(await request.toArray()).toString();
      seen.asked.push((JSON.parse(said) as { input: string }).input);
      while (seen.most < atOnce) await setTimeout(5);
      running--;
      const outputs = 'abcdef'.split('').map((name, place) => ({
        output: `exact ${name}`,
        score: 1 / (1 + place),
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ outputs }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

const goals = ['p', 'q', 'r'].map((target): Goal => ({ hypotheses: [], target }));

const settings = {
  model_network: 'on',
  model_goal_tokens: 60_000,
  model_goal_seconds: 60,
  model_beam: 4,
  model_samples: 8,
  model_batch: 4,
  model_temperature: 0.2,
} as const;

/** The tactics for the goals above, from the model `name` with these settings. */
async function stepsFrom(name: string, chosen: Partial<ModelSettings>): Promise<unknown> {
  const models = new Models({ ...settings, model_cache: temporaryFolder(), ...chosen }, {}, systemClock);
  const given = models.forGoals(name);
  const goal = goalOf('theorem t : True');
  const model = new AskedModel(given, { goalHash: 'g', fingerprint: 'f' });
  const { signal } = new AbortController();
  const steps = modelSteps({ model, sampling: given.sampling, workbench: { goal }, signal }, () => {});
  return await steps(
    goals.map((one) => [one]),
    factsOf({ goal, own: [], symbols: [] }),
  );
}

test.each([1, 3])('a beam of tactics per state, %i requests to a GPU at once', async (jobs) => {
  const server = await tacticServer(jobs);
  const said = await stepsFrom(`copilot:${server.url}#m`, { model_jobs: jobs, model_beam: 2 });
  expect(said).toEqual(goals.map(() => ['exact a', 'exact b']));
  expect(server.asked.toSorted()).toEqual(['⊢ p', '⊢ q', '⊢ r']);
  expect(server.most).toBe(jobs);
});

test.each([
  { model_samples: 2, model_temperature: 0.7 },
  { model_samples: 5, model_temperature: 0 },
])('a general model proposes $model_samples tactics at temperature $model_temperature', async (chosen) => {
  const tactics = 'abcdef'.split('').map((name) => `exact ${name}`);
  const say = JSON.stringify({ answers: [1, 2, 3].map((goal) => ({ goal, tactics })) });
  const service = await serviceWith({ say });
  const said = await stepsFrom(`openai:${service.url}/v1#m`, chosen);
  expect(said).toEqual(goals.map(() => tactics.slice(0, chosen.model_samples)));
  const body = service.asked[0]?.body;
  expect(body).toMatchObject({ temperature: chosen.model_temperature });
  expect(JSON.stringify(body)).toContain(`give up to ${chosen.model_samples} tactics`);
});
