import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { UserError } from '../../src/core/errors.ts';
import { Child } from '../../src/io/child.ts';
import { LineSplitter } from '../../src/io/lines.ts';
import { failureKinds, parseEnvelope } from '../../src/lean/base/protocol.ts';
import type { Toolchain } from '../../src/lean/toolchain/toolchain.ts';
import { readComparison } from '../../src/lean/dialects/comparator.ts';
import { LeanDojo } from '../../src/lean/dialects/leandojo.ts';
import { OneLease } from '../../src/lean/dialects/one-lease.ts';
import { Repl } from '../../src/lean/dialects/repl.ts';
import { BlankLineFraming, parseRequest } from '../../src/lean/dialects/repl-wire.ts';
import type { Orch } from '../../src/app/orch.ts';
import { deskFor } from '../../src/server/mcp/mcp.ts';
import { endpoints } from '../../src/server/endpoints.ts';
import { startMcpHttp } from '../../src/server/mcp/http.ts';
import { serveStdio } from '../../src/server/mcp/stdio.ts';
import { refused } from '../../src/server/serve/endpoints.ts';
import { startServe } from '../../src/server/serve/serve.ts';
import { apiError } from '../../src/shared/schemas/responses.ts';
import { ExportWorld, judgeRows } from '../helpers/ndjson.ts';
import { SeededRandom } from '../helpers/random.ts';
import { started } from '../server/started.ts';
import { malformed } from './malformed.ts';

/** Each protocol gets this many malformed messages; each must be answered or refused, and the conversation must continue. */

const statement = 'theorem t (n : Nat) : n + 0 = n';

function replOf(orch: Orch): { readonly repl: Repl; readonly lease: OneLease } {
  const lease = new OneLease(async (environment) => (await orch.leanFor(environment)).pool, 2e9);
  const repl = new Repl({
    borrow: lease.borrow,
    environmentOf: (text) => orch.environmentOf(text),
    timeout: 10,
  });
  return { repl, lease };
}

export async function fuzzRepl(orch: Orch, count: number): Promise<void> {
  const random = new SeededRandom(1);
  const { repl, lease } = replOf(orch);
  const examples = [
    { cmd: `${statement} := by sorry`, env: 0, infotree: 'full' },
    { tactic: 'rfl', proofState: 0 },
    { path: '/nowhere/A.lean', allTactics: true },
    { pickleTo: '', env: 1e15 },
    { unpickleEnvFrom: '/nowhere/a.olean' },
    { unpickleProofStateFrom: '/nowhere/b.olean', env: 0 },
  ];
  await repl.answer({ kind: 'command', cmd: `${statement} := by sorry` });
  const framing = new BlankLineFraming(1 << 20);
  try {
    for (let sent = 0; sent < count; sent++) {
      framing.push(malformed(random, examples));
      const text = framing.push('');
      // a line that is blank, or a comment, is not a request
      if (text === undefined) continue;
      const request = text === null ? undefined : parseRequest(text);
      const answer = request?.ok ? await repl.answer(request.value) : { message: 'no request' };
      expect('message' in answer || 'env' in answer || 'proofState' in answer).toBe(true);
    }
    expect(await repl.answer({ kind: 'step', proofState: 0, tactic: 'rfl' })).toMatchObject({ goals: [] });
  } finally {
    lease.release();
  }
}

export async function fuzzLeanDojo(orch: Orch, count: number): Promise<void> {
  const random = new SeededRandom(2);
  const { repl, lease } = replOf(orch);
  const dojo = new LeanDojo(repl);
  await dojo.begin({ text: `${statement} := by sorry` });
  try {
    for (let sent = 0; sent < count; sent++) {
      const answer = await dojo.answer(
        malformed(random, [
          { tsid: 0, tac: 'intro h' },
          { sid: 0, cmd: 'rfl' },
        ]),
      );
      expect(answer).toMatch(/^REPL> \{.*\}$/s);
    }
    expect(await dojo.answer('{"tsid": 0, "tac": "rfl"}')).toContain('no goals');
  } finally {
    lease.release();
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 4,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};
const mcpExamples = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'lean_goal', arguments: { file_path: 'A.lean', line: 1, column: 1 } },
  },
  { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'orch://nowhere' } },
  initialize,
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
];

export async function fuzzMcp(orch: Orch, folder: string, count: number): Promise<void> {
  const random = new SeededRandom(3);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio([deskFor(orch, folder, systemClock)], 600, input, output);
  const lines = answersOf(output);
  for (let sent = 0; sent < count; sent++) {
    input.write(`${malformed(random, mcpExamples).replaceAll(/[\r\n]/g, ' ')}\n`);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: `ping ${sent}`, method: 'ping' })}\n`);
    for (;;) {
      const { value = '', done } = await lines.next();
      expect(done).toBe(false);
      if ((JSON.parse(value) as { id: unknown }).id === `ping ${sent}`) break;
    }
  }
  input.end();
  await ended;
}

/** The same over HTTP: in a session, without one, and with the wrong type. */
export async function fuzzMcpHttp(orch: Orch, folder: string, count: number): Promise<void> {
  const random = new SeededRandom(5);
  const desks = [deskFor(orch, folder, systemClock)];
  await using server = await startMcpHttp({ desks, port: 0, token: 'token', clientCpu: 600 });
  const headers = {
    authorization: 'Bearer token',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (body: string, more: Record<string, string>): Promise<Response> =>
    await fetch(server.url, { method: 'POST', headers: { ...headers, ...more }, body });
  const begun = await post(JSON.stringify(initialize), {});
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  for (let sent = 0; sent < count; sent++) {
    const more = random.pick([session, session, session, {}, { 'content-type': 'text/plain' }]);
    const answer = await post(malformed(random, mcpExamples), more);
    expect(answer.status).toBeLessThan(500);
    const said = await answer.text();
    if (answer.status >= 400) expect(JSON.parse(said)).toHaveProperty('error');
  }
  const ping = await post(JSON.stringify({ jsonrpc: '2.0', id: 'ping', method: 'ping' }), session);
  expect(await ping.text()).toContain('"id":"ping"');
}

/** The dashboard's requests: addresses with odd queries, and controls. */
export async function fuzzDashboard(count: number): Promise<void> {
  const random = new SeededRandom(6);
  const { get, post } = await started();
  const examples = [
    { run: 'latest', action: 'retry', goal: 'a' },
    { run: 'latest', action: 'priority', goal: 'a', priority: 0.5 },
    { run: 'latest', status: 'open', sort: 'name', limit: 10, offset: 0, search: 'a' },
  ];
  const addresses = Object.values(endpoints).filter((endpoint) => endpoint !== endpoints.events);
  for (let sent = 0; sent < count; sent++) {
    const text = malformed(random, examples);
    const { path: address, method } = random.pick(addresses);
    const query = encodeURIComponent(text.toWellFormed()).slice(0, 4000);
    const answer = method === 'post' ? await post(text) : await get(`${address}?run=${query}&limit=${query}`);
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) apiError.parse(answer.json());
  }
  expect(await get(endpoints.health.path)).toMatchObject({ status: 200 });
}

/** Exports for the second kernel: rows with odd fields or bytes between right ones. None is an error of ours. */
export function fuzzKernel(count: number): void {
  const random = new SeededRandom(7);
  const world = new ExportWorld().withBasics();
  world.theorem('fine', world.c('True'), world.c('True.intro'));
  const { rows } = world;
  for (let sent = 0; sent < count; sent++) {
    const at = random.below(rows.length);
    const { answer } = judgeRows([...rows.slice(0, at), malformed(random, rows), ...rows.slice(at + 1)]);
    expect(['accept', 'refuse', 'decline']).toContain(answer);
  }
  expect(judgeRows(rows)).toMatchObject({ answer: 'accept' });
}

/** comparator's configs: read, or an error for users. */
export function fuzzComparator(folder: string, count: number): void {
  const random = new SeededRandom(8);
  const file = path.join(folder, 'config.json');
  for (const name of ['A', 'B'])
    writeFileSync(path.join(folder, `${name}.lean`), 'theorem t : 1 = 1 := rfl\n');
  const config = {
    challenge_module: 'A',
    solution_module: 'B',
    theorem_names: ['t'],
    permitted_axioms: ['propext'],
    external_kernels: { orch: ['node', 'orch.js', 'kernel'] },
    json_output_path: 'out.json',
  };
  for (let sent = 0; sent < count; sent++) {
    writeFileSync(file, malformed(random, [config]));
    try {
      expect(readComparison(file).challenge).toMatch(/[AB]\.lean$/);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
    }
  }
}

/** Kimina's routes and Lean Copilot's. */
export async function fuzzServe(orch: Orch, count: number): Promise<void> {
  const random = new SeededRandom(4);
  await using server = await startServe({
    orch,
    clock: systemClock,
    port: 0,
    workers: 1,
    maxWaitSeconds: 60,
    copilot: true,
  });
  const examples = [
    { snippets: [{ id: 'a', code: `${statement} := by rfl` }], timeout: 10, debug: true, reuse: true },
    { codes: [{ custom_id: 1, proof: `${statement} := rfl` }], timeout: 10, infotree_type: null },
    { name: 'orch', input: 'n : Nat\n⊢ n + 0 = n', prefix: 'simp' },
  ];
  const addresses = [
    '/api/check',
    '/check',
    '/verify',
    '/one_pass_verify_batch',
    '/generate',
    '/encode',
    '/nowhere',
  ];
  for (let sent = 0; sent < count; sent++) {
    const answer = await fetch(`${server.url}${random.pick(addresses)}`, {
      method: random.pick(['POST', 'POST', 'POST', 'PUT']),
      headers: { 'content-type': random.pick(['application/json', 'application/json', 'text/plain']) },
      body: malformed(random, examples),
    });
    expect(answer.status).toBeLessThan(500);
    const said: unknown = await answer.json();
    if (answer.status >= 400) refused.parse(said);
    else expect(said).toBeTypeOf('object');
  }
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
}

/** The lines of a stream, as they come. */
async function* answersOf(output: PassThrough): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const chunk of output as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}

/** The worker itself: Lean reads what a client would never send. A request after each message shows that it goes on. */
export async function fuzzWorker(toolchain: Toolchain, count: number): Promise<void> {
  const random = new SeededRandom(9);
  const data = { format: 2, names: [null, [0, 't']], levels: [null], exprs: [['c', 1, []]] };
  const examples = [
    { id: 'a', op: 'load', session: 1, text: 'def a := 1', claim: true },
    { id: 'b', op: 'statement', session: 1, statement, data: true },
    { id: 'c', op: 'check', session: 1, statement, proof: 'rfl', allow_axioms: [['x']], export: true },
    { id: 'd', op: 'step', state: 0, tactic: 'rfl' },
    { id: 'e', op: 'drop', states: [0, 1] },
    { id: 'f', op: 'unload', sessions: [2] },
    { id: 'g', op: 'repl-step', state: 0, tactic: 'simp' },
    { id: 'h', op: 'judge', statement: JSON.stringify({ ...data, declarations: [] }), candidate: data },
    { id: 'i', op: 'judge-file', candidate: { ...data, declarations: [{ kind: 'axiom', name: 1 }] } },
    { id: 'j', op: 'headers', texts: ['import A'] },
    { id: 'k', op: 'constants', session: 1, own: true, limit: 1, deadline_ms: 5 },
  ];
  const child = new Child(await toolchain.launch());
  const lines = new LineSplitter(1 << 20);
  let asked = '';
  let told = Promise.withResolvers<boolean>();
  const ended = child.exited.then(() => told.resolve(false));
  child.answers.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      const envelope = line.kind === 'line' ? parseEnvelope(line.text) : undefined;
      const { ok, kind, ready }: Record<string, unknown> = envelope?.body ?? {};
      const isTyped = ready === true || ok === true || failureKinds.some((one) => one === kind);
      if (!isTyped) told.resolve(false);
      if (envelope?.id === asked || ready === true) told.resolve(true);
    }
  });
  try {
    expect(await told.promise).toBe(true);
    for (let sent = 0; sent < count; sent++) {
      told = Promise.withResolvers();
      asked = `after ${sent}`;
      const message = malformed(random, examples);
      child.input.write(`${message}\n${JSON.stringify({ id: asked, op: 'memory' })}\n`);
      expect({ message, isAnswered: await told.promise }).toEqual({ message, isAnswered: true });
    }
  } finally {
    child.kill();
    await ended;
  }
}
