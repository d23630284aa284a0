import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/models/budget.ts';
import { AnswerCache } from '../../src/models/cache.ts';
import { careful, type Care } from '../../src/models/careful.ts';
import { modelNamed } from '../../src/models/choose.ts';
import type { GenerateRequest, Model } from '../../src/models/model.ts';
import { prompt } from '../../src/models/prompts.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { serviceWith, type Service } from './server.ts';

const key = 'sk-secret-1234567890';
const request: GenerateRequest = { prompt: 'say it', samples: 1, temperature: 0, maxTokens: 100 };
const schema = { name: 'answer', json: { type: 'object', properties: { x: { type: 'number' } } } };

const kinds = ['anthropic', 'openai'] as const;

function modelOf(kind: (typeof kinds)[number], { url }: Service): Model {
  return kind === 'anthropic'
    ? modelNamed('anthropic:claude', { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url })
    : modelNamed(`openai:${url}/v1#local`, { OPENAI_API_KEY: key });
}

/** A clock and a sleep that pass time without waiting. */
function still(): Pick<Care, 'clock' | 'sleep'> & { slept: number[] } {
  let at = 0;
  const slept: number[] = [];
  return {
    slept,
    clock: { now: () => at },
    sleep: (ms) => {
      slept.push(ms);
      at += ms;
      return Promise.resolve();
    },
  };
}

describe.each(kinds)('%s', (kind) => {
  it('streams an answer with its usage, and sends stop words and limits', async () => {
    const service = await serviceWith({ say: 'a longer answer' });
    const answer = await modelOf(kind, service).generate({ ...request, system: 'be short', stop: ['END'] });
    expect(answer).toEqual({
      ok: true,
      value: {
        samples: [{ text: 'a longer answer', end: 'stop' }],
        usage: { inputTokens: 100, outputTokens: 20 },
      },
    });
    const { body } = service.asked[0] as Service['asked'][0];
    expect(body.max_tokens).toBe(100);
    expect(body.stop ?? body.stop_sequences).toEqual(['END']);
  });

  it('requests JSON in its own format and parses it', async () => {
    const service = await serviceWith(kind === 'anthropic' ? { tool: '{"x":1}' } : { say: '{"x":1}' });
    const answer = await modelOf(kind, service).generate({ ...request, schema });
    expect(answer).toMatchObject({ value: { samples: [{ value: { x: 1 }, end: 'stop' }] } });
    const { body } = service.asked[0] as Service['asked'][0];
    expect(kind === 'anthropic' ? body.tools?.[0]?.name : body.response_format).toBeTruthy();
  });

  it('reads JSON inside a fence', async () => {
    const service = await serviceWith({ say: '```json\n{"x": 1}\n```\n' });
    const answer = await modelOf(kind, service).generate({ ...request, schema });
    expect(answer).toMatchObject({ value: { samples: [{ value: { x: 1 }, end: 'stop' }] } });
  });

  it('reports truncated JSON as truncated', async () => {
    const reason = kind === 'anthropic' ? 'max_tokens' : 'length';
    const service = await serviceWith({ say: '{"x":', reason });
    const answer = await modelOf(kind, service).generate({ ...request, schema });
    expect(answer).toMatchObject({ ok: true, value: { samples: [{ end: 'length' }] } });
    expect(answer).not.toHaveProperty('value.samples[0].value');
    const garbage = await serviceWith({ say: 'sure! {"x": 1' });
    const second = await modelOf(kind, garbage).generate({ ...request, schema });
    expect(second).toMatchObject({ ok: true, value: { samples: [{ end: 'malformed' }] } });
  });

  it('reports a refusal as a refusal', async () => {
    const answer = await modelOf(kind, await serviceWith({ refusal: 'I will not' })).generate(request);
    expect(answer).toMatchObject({ ok: true, value: { samples: [{ end: 'refused' }] } });
  });

  it('retries after 429 and 500 as the service asks, not after 400, and hides the key', async () => {
    const service = await serviceWith(
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 500 },
      { say: 'yes' },
    );
    const time = still();
    const answer = await careful(modelOf(kind, service), time).generate(request);
    expect(answer).toMatchObject({ ok: true });
    expect(time.slept).toEqual([7000, 1000]);
    const bad = await serviceWith({ status: 400 });
    const refused = await careful(modelOf(kind, bad), still()).generate(request);
    expect(refused).toMatchObject({ error: { kind: 'failed', retryable: false } });
    expect(bad.asked).toHaveLength(1);
    expect(JSON.stringify([answer, refused])).not.toContain(key);
  });

  it('gives up after its retries, and after a stream that breaks off', async () => {
    const service = await serviceWith({ cutAfter: 'half of' });
    const answer = await careful(modelOf(kind, service), { ...still(), tries: 2 }).generate(request);
    expect(answer).toMatchObject({ error: { kind: 'failed' } });
    expect(service.asked.length).toBeLessThanOrEqual(2);
  });

  it('cuts off an endless response, and books its maximum cost', async () => {
    const service = await serviceWith({ endless: 'on and on and on ' });
    const budget = new Budget({}, { input: 0, output: 1 });
    const answer = await careful(modelOf(kind, service), { ...still(), budget }).generate(request);
    expect(answer).toMatchObject({ ok: true, value: { samples: [{ end: 'length' }] } });
    expect(budget.spent).toMatchObject({ outputTokens: 100, microdollars: 100, calls: 1 });
  });

  it.each(kind === 'openai' ? (['refusal', 'reasoning_content'] as const) : (['thinking'] as const))(
    'cuts off a server with an endless %s',
    async (as) => {
      const service = await serviceWith({ endless: 'on and on and on ', as });
      const answer = await modelOf(kind, service).generate({ ...request, maxTokens: 10 });
      expect(answer.ok || answer.error.kind === 'failed').toBe(true);
      expect(JSON.stringify(answer).length).toBeLessThan(100_000);
    },
  );

  it('books the maximum cost for every attempt that broke off, and none for a refused one', async () => {
    const service = await serviceWith({ cutAfter: 'half of' }, { status: 500 }, { say: 'whole' });
    const budget = new Budget({ tokens: 1000 }, { input: 0, output: 0 });
    const answer = await careful(modelOf(kind, service), { ...still(), budget }).generate(request);
    expect(answer).toMatchObject({ ok: true });
    expect(budget.spent).toMatchObject({ outputTokens: 120, calls: 3 });
    const small = new Budget({ tokens: 150 }, { input: 0, output: 0 });
    const again = await serviceWith({ cutAfter: 'half of' });
    const stopped = await careful(modelOf(kind, again), { ...still(), budget: small }).generate(request);
    expect(stopped).toMatchObject({ error: { kind: 'over-budget' } });
    expect(again.asked).toHaveLength(1);
  });

  it('gives up on a silent service when the budget’s time is over', async () => {
    const service = await serviceWith({ silent: true });
    const budget = new Budget({ seconds: 0.05 }, { input: 0, output: 0 });
    const answer = await careful(modelOf(kind, service), { ...still(), budget }).generate(request);
    expect(answer).toMatchObject({
      error: { kind: 'over-budget', message: expect.stringMatching(/no answer within/) },
    });
  });

  it('can be cancelled while the service is silent', async () => {
    const service = await serviceWith({ silent: true });
    const abort = new AbortController();
    const answer = modelOf(kind, service).generate(request, abort.signal);
    await expect.poll(() => service.asked.length).toBe(1);
    abort.abort();
    expect(await answer).toMatchObject({ error: { kind: 'cancelled' } });
  });
});

describe('openai', () => {
  it('returns n samples from one call, and embeddings in order', async () => {
    const service = await serviceWith({ say: 'same' });
    const model = modelOf('openai', service);
    expect(await model.generate({ ...request, samples: 3 })).toHaveProperty('value.samples.length', 3);
    expect(service.asked).toHaveLength(1);
    expect(await model.embed(['a', 'bcd'])).toMatchObject({
      ok: true,
      value: {
        vectors: [
          [1, 0],
          [3, 1],
        ],
      },
    });
  });
});

describe('the protocol of Lean Copilot', () => {
  it('returns the best outputs as samples, and vectors', async () => {
    const service = await serviceWith({
      outputs: [
        { output: 'simp', score: 0.2 },
        { output: 'omega', score: 0.7 },
      ],
    });
    const model = modelNamed(`copilot:${service.url}#reprover`, {});
    const answer = await model.generate({ ...request, samples: 1 });
    expect(answer).toMatchObject({ ok: true, value: { samples: [{ text: 'omega', end: 'stop' }] } });
    expect(service.asked[0]).toMatchObject({
      path: '/generate',
      body: { name: 'reprover', input: 'say it' },
    });
    const encoded = await modelNamed(`copilot:${(await serviceWith({ outputs: [1, 2] })).url}#e`, {}).embed([
      'a',
    ]);
    expect(encoded).toMatchObject({ ok: true, value: { vectors: [[1, 2]] } });
    const down = await modelNamed(`copilot:${(await serviceWith({ status: 500 })).url}#e`, {}).generate(
      request,
    );
    expect(down).toMatchObject({ error: { kind: 'failed' } });
  });
});

describe('a command', () => {
  it('answers on stdout, fails with its message, and is ended when cancelled', async () => {
    const model = modelNamed('cmd:cat', {});
    expect(await model.generate({ ...request, stop: ['it'] })).toMatchObject({
      value: { samples: [{ text: 'say ' }] },
    });
    expect(await model.generate(request)).toMatchObject({
      value: { usage: { outputTokens: request.maxTokens } },
    });
    const missing = await modelNamed('cmd:there-is-no-such-command', {}).generate(request);
    expect(missing).toMatchObject({ error: { kind: 'failed', retryable: false } });
    const abort = new AbortController();
    const slow = modelNamed('cmd:sleep 600', {}).generate(request, abort.signal);
    abort.abort();
    expect(await slow).toMatchObject({ error: { kind: 'cancelled' } });
    const endless = await modelNamed('cmd:yes', {}).generate(request);
    expect(endless).toMatchObject({ value: { samples: [{ end: 'length' }] } });
  });
});

describe('caching, budgets and rate limits', () => {
  it('answers from the cache without a network; replay allows nothing else', async () => {
    const folder = temporaryFolder();
    const service = await serviceWith({ say: 'once' });
    const live = careful(modelOf('openai', service), { ...still(), cache: new AnswerCache(folder) });
    const first = await live.generate(request);
    expect(await live.generate({ ...request })).toEqual(first);
    expect(service.asked).toHaveLength(1);
    const replayed = careful(modelOf('openai', service), {
      ...still(),
      cache: new AnswerCache(folder),
      replay: true,
    });
    expect(await replayed.generate(request)).toEqual(first);
    expect(await replayed.generate({ ...request, prompt: 'other' })).toMatchObject({
      error: { kind: 'not-recorded' },
    });
    expect(service.asked).toHaveLength(1);
    for (const name of readdirSync(folder))
      expect(readFileSync(path.join(folder, name), 'utf8')).not.toContain(key);
  });

  it('enforces budgets to the cent, for a goal within those of the run', async () => {
    const service = await serviceWith({ say: 'yes' });
    // $10 a million in, $50 a million out: 100 in and 20 out cost $0.002
    const run = new Budget({ dollars: 0.02 }, { input: 10, output: 50 });
    const goal = run.within({ dollars: 0.0072 });
    const model = careful(modelOf('openai', service), { ...still(), budget: goal });
    // the worst case of a call is 3 tokens in and 100 out: $0.00503
    expect(await model.generate(request)).toMatchObject({ ok: true });
    expect(run.spent).toMatchObject({ microdollars: 2000, inputTokens: 100, outputTokens: 20 });
    expect(await model.generate({ ...request, prompt: 'two' })).toMatchObject({ ok: true });
    expect(await model.generate({ ...request, prompt: 'three' })).toMatchObject({
      error: { kind: 'over-budget' },
    });
    expect(service.asked).toHaveLength(2);
    expect(run.spent.microdollars).toBe(4000);
    const other = careful(modelOf('openai', service), { ...still(), budget: run.within({}) });
    const kinds_ = [];
    for (let i = 0; i < 9; i++) {
      const said = await other.generate({ ...request, prompt: `${i}` });
      kinds_.push(said.ok ? 'answered' : said.error.kind);
    }
    expect(run.spent.microdollars).toBeLessThanOrEqual(20_000);
    expect(kinds_.at(-1)).toBe('over-budget');
    const tokens = new Budget({ tokens: 50 }, { input: 0, output: 0 });
    const few = careful(modelOf('openai', service), { ...still(), budget: tokens });
    expect(await few.generate(request)).toMatchObject({ error: { kind: 'over-budget' } });
  });

  it('ignores a negative cost that a service reports', async () => {
    const budget = new Budget({ tokens: 1000 }, { input: 0, output: 1 });
    const service = await serviceWith({ say: 'yes', tookTokens: -1_000_000 });
    await careful(modelOf('openai', service), { ...still(), budget }).generate(request);
    expect(budget.spent).toMatchObject({ outputTokens: 100, microdollars: 100 });
  });

  it('waits when the rate limit is reached', async () => {
    const time = still();
    const model = careful(modelOf('openai', await serviceWith({ say: 'yes' })), {
      ...time,
      callsPerMinute: 2,
    });
    for (let i = 0; i < 3; i++) await model.generate({ ...request, prompt: `${i}` });
    expect(time.slept).toEqual([60_000]);
  });
});

describe('names and prompts', () => {
  it('invalid ones are refused with a reason', () => {
    expect(() => modelNamed('anthropic:m', {})).toThrow(/ANTHROPIC_API_KEY is not set/);
    expect(() => modelNamed('openai:nowhere', {})).toThrow(/must be followed by a server URL/);
    expect(() => modelNamed('onnx:/models/x', {})).toThrow(/no folder/);
    expect(() => modelNamed('copilot:x', {})).toThrow(/must be followed by a server URL/);
    expect(() => modelNamed('openai:http://me:word@host/v1#m', {})).toThrow(/contains a key/);
    expect(() => modelNamed('cmd: ', {})).toThrow(/must be followed by a command/);
    expect(modelNamed('openai:http://10.0.0.7:8000/v1#m', {}).runsOn).toBe('gpu');
    expect(modelNamed('openai:https://api.example.org/v1#m', {}).runsOn).toBe('cloud');
    expect(() => modelNamed('gpt', {})).toThrow(/is not a model/);
  });

  it('prompts have a version by content and list every variable', () => {
    const made = prompt('arc-describer', { kinds: 'palette', pairs: '1 → 2' });
    expect(made.text).toContain('1 → 2');
    expect(made.version).toMatch(/^[0-9a-f]{12}$/);
    expect(() => prompt('arc-describer', { kinds: 'x' })).toThrow(/asks for pairs/);
    expect(() => prompt('arc-describer', { kinds: 'x', pairs: 'y', more: 'z' })).toThrow(
      /does not ask for more/,
    );
  });
});

describe('the fraction of its budget that an attempt has used', () => {
  it('is the largest of its fractions of tokens, dollars and seconds', () => {
    const goal = new Budget({ tokens: 1000, dollars: 0.01, seconds: 100 }, { input: 10, output: 10 });
    const attempt = goal.within();
    expect(goal.shareOf(attempt.spent)).toBe(0);
    attempt.reserve({ inputTokens: 0, outputTokens: 0 });
    attempt.settle({ inputTokens: 0, outputTokens: 0 }, { inputTokens: 90, outputTokens: 10 }, 5);
    // 100 of 1,000 tokens, $0.001 of $0.01, 5 of 100 seconds
    expect(goal.shareOf(attempt.spent)).toBeCloseTo(0.1);
    expect(new Budget({ seconds: 10 }, { input: 0, output: 0 }).shareOf(attempt.spent)).toBeCloseTo(0.5);
    expect(new Budget({}, { input: 0, output: 0 }).shareOf(attempt.spent)).toBe(0);
    expect(new Budget({ seconds: 0 }, { input: 0, output: 0 }).shareOf(attempt.spent)).toBe(1);
  });
});
