import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { open, type Orch } from '../../../src/app/orch.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';
import { kiminaEndpoints, refused } from '../../../src/server/serve/endpoints.ts';
import { serveRoutes, startServe, type ServeOptions } from '../../../src/server/serve/serve.ts';
import { sharedFolder } from '../../helpers/folders.ts';
import { eventually } from '../../helpers/processes.ts';
import { shareOwnProcesses } from '../../helpers/shared-workers.ts';

const folder = sharedFolder();
let orch: Orch;
let unshare: () => void;
beforeAll(async () => {
  unshare = shareOwnProcesses();
  orch = await open({ settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') } });
});
afterAll(async () => {
  await orch.close();
  unshare();
});

type Post = (
  address: string,
  body: unknown,
  more?: RequestInit,
) => Promise<{ readonly status: number; readonly body: unknown }>;

async function served(options: Partial<ServeOptions> = {}): Promise<Post> {
  const server = await startServe({
    orch,
    clock: systemClock,
    port: 0,
    workers: 1,
    maxWaitSeconds: 600,
    ...options,
  });
  onTestFinished(async () => await server.close());
  const described = Object.values(kiminaEndpoints);
  return async (address, body, more = {}) => {
    const answer = await fetch(`${server.url}${address}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...more,
    });
    const said: unknown = await answer.json();
    // every answer is one that the OpenAPI document describes
    const endpoint = described.find((one) => one.method === 'post' && one.path === address);
    (answer.status === 200 && endpoint ? endpoint.response : refused).parse(said);
    return { status: answer.status, body: said };
  };
}

/** As Kimina's own client decides. */
function statusOf({ response, error }: { response?: Said; error?: string }): string {
  if (error !== undefined) return error.includes('timed out') ? 'timeout_error' : 'server_error';
  if (response?.messages?.some(({ severity }) => severity === 'error')) return 'lean_error';
  return (response?.sorries?.length ?? 0) > 0 ? 'sorry' : 'valid';
}
interface Said {
  readonly messages?: readonly { readonly severity: string }[];
  readonly sorries?: readonly unknown[];
}

const snippets = {
  valid: 'theorem t (a b : Nat) : a + b = b + a := by omega',
  sorry: 'theorem t : 1 = 2 := by sorry',
  lean_error: 'theorem t : 1 = 2 := by rfl',
  // Lean accepts these, but the gate must not
  axiom: 'axiom cheat : 1 = 2\ntheorem t : 1 = 2 := cheat',
  hidden:
    'theorem good : 1 = 1 := rfl\ntheorem bad : 1 = 2 := by\n  set_option debug.skipKernelTC true in exact sorryAx _ false',
};

describe('the routes of Kimina Lean Server', () => {
  test('snippets of a batch are valid only if the gate accepts every theorem', async () => {
    const post = await served();
    const asked = Object.entries(snippets).map(([id, code]) => ({ id, code }));
    const { status, body } = await post('/api/check', { snippets: asked, debug: true });
    const { results } = body as {
      results: { id: string; response?: Said; error?: string; diagnostics: object }[];
    };
    expect(status).toBe(200);
    expect(results.map((result) => [result.id, statusOf(result)])).toEqual([
      ['valid', 'valid'],
      ['sorry', 'sorry'],
      ['lean_error', 'lean_error'],
      ['axiom', 'lean_error'],
      ['hidden', 'lean_error'],
    ]);
    expect(results[0]?.diagnostics).toMatchObject({ memory_max: expect.any(Number) as number });
    expect(results[1]?.response).toMatchObject({
      sorries: [{ pos: { line: 1, column: 24 }, goal: '⊢ 1 = 2' }],
    });
  });

  test('clients of earlier versions are answered in their format', async () => {
    const post = await served();
    const codes = [
      { custom_id: 7, proof: snippets.valid },
      { custom_id: 'b', code: 'import Mathlib\ntheorem t : 1 = 1 := rfl' },
    ];
    const { body } = await post('/verify', { codes });
    expect(body).toMatchObject({
      results: [
        { custom_id: '7', error: null, response: { time: expect.any(Number) as number } },
        { custom_id: 'b', error: expect.stringContaining('Mathlib') as string, response: null },
      ],
    });
    expect((await post('/one_pass_verify_batch', { codes: [] })).body).toEqual({ results: [] });
  });

  test('an info tree is part of the answer on request', async () => {
    const post = await served();
    const asked = [{ id: 'a', code: 'theorem two : 1 + 1 = 2 := by rfl' }];
    const { body } = await post('/api/check', { snippets: asked, infotree: 'original' });
    expect(body).toMatchObject({
      results: [{ response: { infotree: [{ kind: 'TacticInfo', node: { goalsBefore: ['⊢ 1 + 1 = 2'] } }] } }],
    });
    const old = await post('/verify', {
      codes: [{ custom_id: 1, proof: asked[0]?.code }],
      infotree_type: 'tactics',
    });
    expect(JSON.stringify(old.body)).toContain('"goalsAfter":[]');
  });

  test('a snippet that takes too long reports a timeout; a request that waits too long is asked to retry', async () => {
    const post = await served({ maxWaitSeconds: 0.05 });
    const slow =
      'set_option maxRecDepth 100000 in\nset_option maxHeartbeats 0 in\ntheorem t : (List.range 10000000).length = 10000000 := by decide';
    const { body } = await post('/check', { snippets: [{ id: 'slow', code: slow }], timeout: 1 });
    const [result] = (body as { results: { error?: string; response?: Said }[] }).results;
    expect(statusOf(result ?? {})).toBe('timeout_error');
    const abort = new AbortController();
    const endless = '#eval (do while true do pure () : IO Unit)';
    const lost = post(
      '/check',
      { snippets: [{ id: 'a', code: endless }], timeout: 600 },
      { signal: abort.signal },
    );
    lost.catch(() => undefined);
    const { pool } = await orch.leanFor(orch.environmentOf(''));
    await eventually(() => pool.status().some(({ leased }) => leased));
    expect(await post('/check', { snippets: [{ id: 'b', code: snippets.valid }] })).toMatchObject({
      status: 429,
    });
    // a client that goes away takes its work along
    abort.abort();
    await expect(lost).rejects.toThrow(/abort/i);
    await eventually(() => pool.status().every(({ leased }) => !leased));
  });

  test('invalid requests are refused', async () => {
    const post = await served({ token: 'key' });
    const key = { headers: { 'content-type': 'application/json', authorization: 'Bearer key' } };
    const asked = { snippets: [{ id: 'a', code: 'def a := 1' }] };
    expect(await post('/check', asked)).toMatchObject({
      status: 401,
      body: { detail: 'this request requires a token' },
    });
    const bare = { headers: { ...key.headers, authorization: 'key' } };
    for (const good of [key, bare]) expect(await post('/check', asked, good)).toMatchObject({ status: 200 });
    const twice = JSON.stringify({ snippets: [...asked.snippets, ...asked.snippets] });
    const late = JSON.stringify({ ...asked, timeout: -1 });
    for (const body of ['{', '[]', '{"snippets": [{"id": 1}]}', '{"snippets": []}', twice, late]) {
      const answer = await post('/check', body, key);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain('"loc":["body"');
    }
    const plain = { headers: { ...key.headers, 'content-type': 'text/plain' } };
    expect(await post('/check', '{}', plain)).toMatchObject({ status: 415 });
    expect(await post('/nowhere', '{}', key)).toMatchObject({ status: 404 });
  });
});

test('clients that announce bodies and never send them do not block others', async () => {
  const server = await startServe({ orch, clock: systemClock, port: 0, workers: 1, maxWaitSeconds: 1 });
  onTestFinished(async () => await server.close());
  const { hostname, port } = new URL(server.url);
  const head = `POST /check HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${60 << 20}\r\n\r\n{`;
  const answers = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    onTestFinished(() => void socket.destroy());
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString())).on('error', () => undefined);
    return () => said.slice(0, 12);
  });
  await expect.poll(() => answers.filter((said) => /^HTTP\/1.1 (408|429)/.test(said())).length).toBe(8);
  const answer = await fetch(`${server.url}/check`, {
    method: 'POST',
    body: '{"snippets": []}',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(422);
});

test('the OpenAPI document describes exactly the server’s answers', () => {
  const { paths } = openApiDocument(kiminaEndpoints) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([address, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${address}`),
  );
  const parts = { orch, clock: systemClock, port: 0, workers: 1, maxWaitSeconds: 1 };
  const answered = serveRoutes(parts)
    .routes.filter(
      ({ method, path: address }) =>
        method !== 'ALL' && !address.endsWith('/') && address !== '*' && address !== '/*',
    )
    .map(({ method, path: address }) => `${method} ${address}`);
  expect(described.toSorted()).toEqual([...new Set(answered)].toSorted());
});
