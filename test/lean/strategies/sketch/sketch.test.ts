import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/core/strategy.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { Candidate } from '../../../../src/lean/workbench/candidate.ts';
import { sketchStrategy } from '../../../../src/lean/strategies/sketch/sketch.ts';
import { Workbench } from '../../../../src/lean/workbench/workbench.ts';
import { Models } from '../../../../src/models/configured.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { checkClaim, conversation } from '../../../helpers/lean.ts';
import { serviceWith, type Reply, type Service } from '../../../models/server.ts';
import { longTest } from '../../../helpers/tier.ts';

const lean = conversation();

const preamble = `def tri : Nat → Nat
  | 0 => 0
  | n + 1 => tri n + (n + 1)
`;
const goal = {
  id: 'g',
  preamble,
  statement: 'theorem t (n : Nat) : 8 * tri n + 1 = (2 * n + 1) * (2 * n + 1)',
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
} as const;

const half = {
  name: 'twice',
  claim: '∀ m, 2 * tri m = m * (m + 1)',
  tactics: ['intro m; induction m with | zero => rfl | succ m ih => grind [tri]'],
};
const good = plan([half], ['grind']);

function plan(steps: readonly object[], finish: readonly string[] = []): Reply {
  return { say: JSON.stringify({ opening: '', steps, finish, lemmas: [], risk: 'none' }) };
}

/** The result of sketch for a goal, with a model that gives these answers in turn. */
async function sketched(
  service: Service,
  options: { readonly folder?: string; readonly settings?: object; readonly attempts?: number } = {},
): Promise<Outcome<Candidate>> {
  const { folder = temporaryFolder(), settings, attempts = 1 } = options;
  const sampling = { model_beam: 4, model_samples: 8, model_batch: 4, model_temperature: 0.2 };
  const network = {
    model_network: 'on',
    model_goal_tokens: 60_000,
    model_goal_seconds: 60,
    ...sampling,
  } as const;
  const models = new Models({ model_cache: folder, ...network, ...settings }, {}, systemClock);
  const model = models.forGoals(`openai:${service.url}/v1#planner`);
  const limits = { cpu_seconds: 60, heartbeats: 20_000 };
  const strategy = sketchStrategy({ budget: limits, model });
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const { signal } = new AbortController();
    const run = { signal, limits, permit: async () => {}, place: 0, seed: 1, deadline: Infinity };
    const [arm] = strategy.arms(opened.value);
    if (!arm) throw new Error('no arm');
    let outcome = await strategy.attempt(opened.value, arm, run);
    for (let more = 1; more < attempts; more++) outcome = await strategy.attempt(opened.value, arm, run);
    await opened.value.end();
    return outcome;
  });
}

async function accepted(proof: string): Promise<void> {
  const verdict = await checkClaim(lean.pool, { ...goal, proof });
  expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
}

longTest(
  'a plan with all claims proved is a candidate, with its cost and prompts; a recorded one needs no service',
  async () => {
    const [folder, service] = [temporaryFolder(), await serviceWith(good)];
    const outcome = await sketched(service, { folder });
    if (outcome.kind !== 'solved') throw new Error(JSON.stringify(outcome));
    await accepted(outcome.candidate.proof);
    expect(outcome).toMatchObject({ inputTokens: 100, outputTokens: 20, model: { calls: 1, recorded: 0 } });
    expect(outcome.model?.prompts).toEqual([
      { name: 'sketch-plan', version: expect.stringMatching(/^[0-9a-f]{12}$/) },
    ]);
    const replayed = await sketched(service, { folder, settings: { model_network: 'off' } });
    if (replayed.kind !== 'solved') throw new Error(JSON.stringify(replayed));
    expect(replayed.candidate.proof).toBe(outcome.candidate.proof);
    expect(replayed).toMatchObject({ inputTokens: 0, model: { calls: 1, recorded: 1 } });
    expect(service.asked).toHaveLength(1);
  },
);

test('unreadable or refuted claims are sent back with the messages, at most twice', async () => {
  const unreadable = { name: 'odd', claim: '∀ m, tri m = frob m', tactics: [] };
  const wrong = { name: 'wrong', claim: '∀ m, tri m = m', tactics: ['simp'] };
  const again = { name: 'again', claim: '8 * tri n + 1 = (2 * n + 1) * (2 * n + 1)', tactics: [] };
  const service = await serviceWith(plan([unreadable, wrong]), plan([again]), plan([wrong]), good);
  const outcome = await sketched(service, { attempts: 2 });
  expect(outcome.kind).toBe('failed');
  expect(service.asked).toHaveLength(3);
  const second = JSON.stringify(service.asked[1]?.body);
  expect(second).toMatch(/frob/);
  expect(second).toMatch(/this is false, for example/);
  expect(JSON.stringify(service.asked[2]?.body)).toMatch(/adds nothing to the context/);
});

test('holes of a valid plan become lemmas, and their proofs complete the plan', async () => {
  const { name, claim } = half;
  const outcome = await sketched(await serviceWith(plan([{ name, claim, tactics: [] }], ['grind'])));
  if (outcome.kind !== 'blocked') throw new Error(JSON.stringify(outcome));
  expect(outcome.lemmas).toEqual([expect.stringMatching(/^theorem \w+_aux \(n : Nat\) : ∀ m, 2 \* tri m/)]);
  await accepted(outcome.assemble([`by\n  ${half.tactics.join('')}`]).proof);
});

test('answers that are not plans, or would run a program, cost only their call', async () => {
  for (const said of [
    { say: 'I think that induction will do.' },
    { refusal: 'no' },
    plan([{ name: 'h', claim: 'True := trivial) ; run_tac do pure ()', tactics: [] }]),
    plan([{ name: 'add_aux', claim: 'True', tactics: [] }]),
  ]) {
    const outcome = await sketched(await serviceWith(said));
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^(?:the model gave no plan|unusable plan)/),
    });
  }
});

test('an unavailable or too expensive service decides nothing about the goal', async () => {
  expect(await sketched(await serviceWith({ status: 401 }))).toMatchObject({ kind: 'timeout' });
  const poor = await serviceWith(good);
  const outcome = await sketched(poor, { settings: { model_goal_tokens: 500 } });
  expect(outcome).toMatchObject({ kind: 'timeout', message: expect.stringMatching(/500 tokens/) });
  expect(poor.asked).toHaveLength(0);
});
