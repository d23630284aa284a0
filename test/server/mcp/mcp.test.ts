import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { allTools, deskFor } from '../../../src/server/mcp/mcp.ts';
import { serveStdio } from '../../../src/server/mcp/stdio.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { eventually } from '../../helpers/processes.ts';
import { proveThroughMcp, writeProject } from '../../../src/server/mcp/self-test.ts';
import { call, mcpServers, token, type Served } from './served.ts';

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
/** True, and far beyond what tactics find. */
const stubborn = 'theorem stubborn (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ c ^ 3';
const { serve, shared, orch } = mcpServers();

/** A server on its own project, with clients. */
async function served(clientCpu?: number): Promise<Served & { readonly folder: string }> {
  const folder = temporaryFolder();
  writeProject(folder);
  return { folder, ...(await serve(folder, clientCpu)) };
}

describe('over HTTP', () => {
  test('an agent finds a sorry, proves it, writes it in place, and the blueprint advances', async () => {
    const { folder, connect } = await served();
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
    const exchanges = await proveThroughMcp(client);
    expect(exchanges.map(({ tool }) => tool)).toContain('lean_submit');
    expect(readFileSync(path.join(folder, 'Demo.lean'), 'utf8')).not.toContain('sorry');
    const graph = await client.readResource({ uri: 'orch://blueprint/graph.dot' });
    expect(JSON.stringify(graph.contents)).toContain('lem:swap');
    const stats = await client.readResource({ uri: 'orch://stats' });
    expect(JSON.stringify(stats.contents)).toContain('goals_solved');
    expect(await call(client, 'orch_why', { goal: 'swap' })).toMatchObject({ status: 'solved' });
  });

  test('reports types, completions, uses, sources and an outline; every tool declares its result', async () => {
    const { folder, connect } = await served();
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
    writeFileSync(
      path.join(folder, 'Demo.lean'),
      `/-- Twice a number. -/
def twice (n : Nat) : Nat := n + n

namespace Deep
-- twice is not used here
theorem twice_zero : twice 0 = 0 := rfl
theorem again (xs : List Nat) (h : twice 0 = 0) : xs.length = xs.length ∧ "twice" = "twice" := by
  exact ⟨rfl, h⟩
end Deep
`,
    );
    const at = { file_path: 'Demo.lean', line: 6, column: 23 };
    expect(await call(client, 'lean_hover_info', at)).toMatchObject({
      symbol: 'twice',
      info: 'twice (n : Nat) : Nat',
      documentation: 'Twice a number.',
    });
    expect(await call(client, 'lean_hover_info', { ...at, line: 8, column: 15 })).toMatchObject({
      info: 'h : twice 0 = 0',
    });
    expect(await call(client, 'lean_hover_info', { ...at, column: 21 })).toMatchObject({
      error: { code: 'no-name' },
    });
    const lean = { found_by: 'lean' };
    expect(await call(client, 'lean_references', { name: 'twice' })).toMatchObject({
      total: 3,
      items: [
        { line: 2, ...lean },
        { line: 6, column: 22, ...lean },
        { line: 7, ...lean },
      ],
    });
    expect(await call(client, 'lean_declaration_file', { symbol: 'Deep.again' })).toMatchObject({
      items: [{ file: 'Demo.lean', line: 7, end_line: 8 }],
    });
    expect(await call(client, 'lean_declaration_file', { symbol: 'Nat.add_comm' })).toMatchObject({
      items: [],
      library: { statement: expect.stringContaining('n + m = m + n') as string },
    });
    expect(await call(client, 'lean_file_outline', { file_path: 'Demo.lean' })).toMatchObject({
      items: [{ name: 'twice' }, { name: 'Deep.twice_zero' }, { name: 'Deep.again' }],
    });
    writeFileSync(
      path.join(folder, 'Demo.lean'),
      'theorem t (xs : List Nat) : xs.length = 0 → xs = [] := by\n  exact xs.len\n',
    );
    const typed = { file_path: 'Demo.lean', line: 2, column: 15, max_completions: 5 };
    expect(await call(client, 'lean_completions', typed)).toMatchObject({
      prefix: 'xs.len',
      items: expect.arrayContaining([expect.objectContaining({ label: 'List.length_nil' })]) as unknown,
    });
    const linted = { code: 'theorem t (n m : Nat) : n = n := rfl\nnamespace A\n#check t' };
    expect(await call(client, 'lean_run_code', linted)).toMatchObject({
      success: true,
      diagnostics: [
        {
          severity: 'warning',
          message: expect.stringContaining('unused variable `m`') as string,
          column: 14,
        },
        { severity: 'info', line: 3 },
      ],
    });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['prove_sorries', 'explain_goal']);
    const asked = await client.getPrompt({ name: 'prove_sorries', arguments: { file_path: 'Demo.lean' } });
    expect(JSON.stringify(asked.messages)).toContain('goals of Demo.lean');
  });

  test('Lean resolves names: other names with the same last part, local variables and generated names', async () => {
    const { folder, connect } = await served();
    const client = await connect();
    writeFileSync(
      path.join(folder, 'Names.lean'),
      `structure Point where
  size : Nat

namespace Line
def size : Nat := 2
theorem two (h : size = 2) (p : Point) : p.size = p.size ∧ h = h := ⟨rfl, rfl⟩
end Line

theorem broken : Line.size = := rfl
! Line.size
`,
    );
    const file_path = 'Names.lean';
    const of = async (place: Record<string, unknown>): Promise<unknown> => {
      const { symbol, items } = await call(client, 'lean_references', place);
      const all = items as { line: number; column: number; found_by: string }[];
      return [symbol, all.map(({ line, column, found_by: by }) => [line, column, by])];
    };
    expect(await of({ file_path, line: 6, column: 19 })).toEqual([
      'Line.size',
      [
        [5, 5, 'lean'],
        [6, 18, 'lean'],
        [9, 18, 'lean'],
        // no command
        [10, 3, 'text'],
      ],
    ]);
    expect(await of({ file_path, line: 6, column: 14 })).toEqual([
      'h',
      [
        [6, 14, 'lean'],
        [6, 60, 'lean'],
        [6, 64, 'lean'],
      ],
    ]);
    expect(await call(client, 'lean_declaration_file', { symbol: 'Point.size' })).toMatchObject({
      items: [{ name: 'Point.size', file: file_path, line: 2, end_line: 2 }],
    });
  });

  test('refuses a wrong proof, an invalid position, a file outside and a stale version', async () => {
    const { folder, connect } = await served();
    const client = await connect();
    const place = { file_path: 'Demo.lean', line: 4 };
    expect(await call(client, 'lean_submit', { ...place, proof: 'by exact h' })).toMatchObject({
      written: false,
    });
    expect(
      await call(client, 'lean_submit', { ...place, proof: 'by exact ⟨h.2, h.1⟩', version: 'old' }),
    ).toMatchObject({
      error: { code: 'stale' },
    });
    expect(readFileSync(path.join(folder, 'Demo.lean'), 'utf8')).toContain('sorry');
    expect(await call(client, 'lean_goal', { ...place, line: 1 })).toMatchObject({
      status: 'no_goal_at_position',
    });
    expect(await call(client, 'lean_goal', { file_path: '/etc/passwd', line: 1 })).toMatchObject({
      error: { code: 'foreign-file' },
    });
    const wrong = { statement: 'theorem t : 1 = 2', proof: 'by rfl' };
    expect(await call(client, 'lean_verify', wrong)).toMatchObject({ verdict: 'rejected' });
    expect(await call(client, 'lean_run_code', { code: '#eval 1 +' })).toMatchObject({ success: false });
    writeFileSync(
      path.join(folder, 'Demo.lean'),
      'theorem t (p q : Prop) (h : p) : q ∨ p := by\n  right\n  exact h\n',
    );
    expect(await call(client, 'lean_goal', { ...place, line: 2 })).toMatchObject({
      goals_before: ['p q : Prop\nh : p\n⊢ q ∨ p'],
      goals_after: [expect.stringContaining('⊢ p') as string],
    });
  });

  test('a search reports progress, and ends when it is cancelled or its client disconnects', async () => {
    const { connect } = await served();
    const [client, other] = [await connect(), await connect()];
    const abort = new AbortController();
    const told: number[] = [];
    const search = client.callTool(
      { name: 'lean_prove', arguments: { statement: stubborn, cpu_seconds: 600 } },
      undefined,
      {
        signal: abort.signal,
        onprogress: ({ progress }) => {
          told.push(progress);
          abort.abort();
        },
      },
    );
    await expect(search).rejects.toThrow(/abort/i);
    expect(told.length).toBeGreaterThan(0);
    const lost = other.callTool({ name: 'lean_prove', arguments: { statement: stubborn, cpu_seconds: 600 } });
    lost.catch(() => undefined);
    const { pool } = await orch().leanFor(orch().environmentOf(''));
    await eventually(() => pool.status().some(({ leased }) => leased));
    await other.close();
    // the next caller finds the worker free
    const next = await connect();
    expect(await call(next, 'lean_verify', { statement: 'theorem t : 1 = 1', proof: 'rfl' })).toMatchObject({
      verdict: 'accepted',
    });
    await eventually(() => pool.status().every(({ leased }) => !leased));
  });

  test('each client has its own budget', async () => {
    const { connect } = await served(0.001);
    const client = await connect();
    const claim = { statement: 'theorem t : 1 = 1', proof: 'rfl' };
    expect(await call(client, 'lean_verify', claim)).toMatchObject({ verdict: 'accepted' });
    expect(await call(client, 'lean_verify', claim)).toMatchObject({ error: { code: 'budget' } });
    // reading is paid for as well, as soon as the system's clock has noticed it
    const reader = await connect();
    const place = { file_path: 'Demo.lean', line: 4 };
    expect(await call(reader, 'lean_goal', place)).toMatchObject({ status: 'goal' });
    await eventually(async () => 'error' in (await call(reader, 'lean_goal', place)));
    expect(await call(reader, 'lean_goal', place)).toMatchObject({ error: { code: 'budget' } });
  });

  test('a client cannot cancel another client’s request, or end its session without its id', async () => {
    const { url, connect } = await served();
    const [client, hostile] = [await connect(), await connect()];
    const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', cpu_seconds: 20 };
    const search = call(client, 'lean_prove', claim);
    for (let requestId = 0; requestId < 10; requestId++)
      await hostile.notification({ method: 'notifications/cancelled', params: { requestId } });
    const end = await fetch(url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' },
    });
    expect(end.status).toBe(404);
    await hostile.close();
    expect(await search).toMatchObject({ solved: true });
  });

  test('invalid and unauthorised requests are refused', async () => {
    const { url, connect } = await served();
    await expect(connect('another-token')).rejects.toThrow(/token|401|Unauthorized/i);
    const post = async (body: string, headers: Record<string, string> = {}): Promise<number> => {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      await answer.text();
      return answer.status;
    };
    expect(await post('{', {})).toBe(400);
    expect(await post('[]')).toBe(400);
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(400);
    expect(await post('{}', { 'mcp-session-id': 'nobody' })).toBe(404);
    expect(await post('{}', { authorization: 'Bearer wrong' })).toBe(401);
    expect(await post('{}', { origin: 'http://evil.example' })).toBe(403);
  });
});

describe('lines', () => {
  test('a line that is too long gets an error reply, and the session continues', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    const ended = serveStdio([deskFor(orch(), shared, systemClock)], 60, input, output);
    for (let count = 0; count < 5; count++) input.write('x'.repeat(1 << 20));
    input.write('\n');
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({
      id: null,
      error: { code: -32_600, message: 'the line is longer than 4194304 bytes' },
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`);
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ id: 7, result: {} });
    input.end();
    await ended;
  });
});

describe('hostile lines', () => {
  test('deep values, prototype names and repeated ids do not affect the session', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = serveStdio([deskFor(orch(), shared, systemClock)], 60, input, output);
    let said = '';
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ask = (id: string, method: string, params: string): boolean =>
      input.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    ask(
      '1',
      'initialize',
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"","version":""}}',
    );
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    ask('2', 'tools/call', `{"name":"lean_verify","arguments":${deep}}`);
    ask('3', 'tools/call', '{"name":"__proto__","arguments":{"__proto__":{"admin":true}}}');
    ask('4', 'tools/call', '{"name":"constructor","arguments":{}}');
    ask(
      '4',
      'tools/call',
      '{"name":"lean_goal","arguments":{"file_path":"..\\u0000/../etc/passwd","line":1e308}}',
    );
    ask('1e400', 'ping', '{}');
    ask('5', 'ping', '{}');
    await eventually(() => said.includes('"id":5'));
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: unknown; result?: { isError?: boolean } });
    const wrong = answers.filter(({ id }) => id === 2 || id === 3 || id === 4);
    expect(wrong.length).toBeGreaterThan(2);
    expect(wrong.every(({ error, result }) => error !== undefined || result?.isError === true)).toBe(true);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
    expect(said).not.toContain('root:');
    input.end();
    await ended;
  });
});

describe('on stdin and stdout', () => {
  test('the official client works with the program, which exits with it', async () => {
    const folder = temporaryFolder();
    writeProject(folder);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp'],
      cwd: folder,
      env: { ...process.env, ORCH_LEAN: 'embedded' },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    expect(await call(client, 'blueprint_critical', {})).toMatchObject({ path: ['lem:swap'] });
    expect(await call(client, 'market_list', {})).toMatchObject({ tickets: [] });
    await client.close();
  });

  test('an invalid line gets an error, and the next one is served', async () => {
    const folder = temporaryFolder();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = serveStdio([deskFor(orch(), folder, systemClock)], 60, input, output);
    let said = '';
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const sent = [
      'garbage',
      '{"jsonrpc":"2.0"}',
      '[1]',
      // the client waits for an answer with its id
      '{"jsonrpc":"1.0","id":5,"method":"ping"}',
      '\r',
      '{"jsonrpc":"2.0","id":6,"method":"ping","unknown":true}\r',
      '\u{FEFF}[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"ping"}]',
    ];
    for (const line of sent) input.write(`${line}\n`);
    await eventually(() => said.split('\n').length > 7);
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown });
    expect(answers.map(({ id }) => id).slice(0, 4)).toEqual([null, null, null, 5]);
    expect(answers.filter((answer) => 'result' in answer).map(({ id }) => id)).toEqual([6, 7, 8]);
    input.end();
    await ended;
  });
});
