import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as z from 'zod';
import { makeFolders } from '../../core/folders.ts';
import type { Orch } from '../../app/orch.ts';
import type { Clock } from '../../core/clock.ts';
import { deskFor, mcpServer } from './mcp.ts';

/** The CPU-seconds that the scripted agent may use. */
const selfTestCpu = 120;
/** A busy machine may take this long for one call. */
const patienceMs = 600_000;

/** `orch mcp --selftest`: an agent with a script proves the goal of a small project through MCP alone. Throws if a step fails. */
export async function scriptedAgent(
  open: (folder: string) => Promise<Orch>,
  clock: Clock,
): Promise<readonly Exchange[]> {
  using place = mkdtempDisposableSync(path.join(os.tmpdir(), 'orch-mcp-'));
  const folder = place.path;
  writeProject(folder);
  await using orch = await open(folder);
  const server = mcpServer([deskFor(orch, folder, clock)], selfTestCpu);
  const client = new Client({ name: 'orch selftest', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const exchanges = await proveThroughMcp(client);
  await client.close();
  return exchanges;
}

/** A project with one open goal and a blueprint that depends on it. */
export function writeProject(folder: string): void {
  makeFolders(path.join(folder, 'blueprint', 'src'));
  writeFileSync(path.join(folder, 'lakefile.toml'), 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n');
  writeFileSync(
    path.join(folder, 'Demo.lean'),
    'theorem one : 1 + 1 = 2 := rfl\n\ntheorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry\n',
  );
  writeFileSync(
    path.join(folder, 'blueprint', 'src', 'content.tex'),
    String.raw`\begin{lemma}\label{lem:swap}\lean{swap}\leanok
  A conjunction may be turned around.
\end{lemma}
\begin{proof} Clear. \end{proof}
`,
  );
}

/** One request of the agent, and its answer. */
export interface Exchange {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly answer: unknown;
}

const Goals = z.object({
  goals: z.array(z.object({ file: z.string(), line: z.number(), goal: z.string() })).min(1),
});
const Attempts = z.object({ items: z.array(z.object({ snippet: z.string(), ok: z.boolean() })) });
const Proved = z.object({ solved: z.boolean(), proof: z.string() });
const Status = z.object({ total: z.object({ proved: z.number() }) });

/**
 * The steps of an agent that uses only MCP: find a sorry, try tactics, let orch search, write the proof into the file, verify
 * the theorem, and check that the blueprint has advanced.
 */
export async function proveThroughMcp(client: Client): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const ask = async <Schema extends z.ZodType>(
    tool: string,
    args: Record<string, unknown>,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const { structuredContent, content, isError } = await client.callTool(
      { name: tool, arguments: args },
      undefined,
      { timeout: patienceMs },
    );
    exchanges.push({ tool, arguments: args, answer: structuredContent ?? content });
    if (isError) throw new Error(`${tool}: ${JSON.stringify(content)}`);
    return schema.parse(structuredContent);
  };
  const before = await ask('blueprint_status', {}, Status);
  const { goals } = await ask('lean_goals', {}, Goals);
  const [{ file, line } = { file: '', line: 0 }] = goals;
  const place = { file_path: file, line };
  await ask('lean_goal', place, z.looseObject({ status: z.literal('goal') }));
  const { items } = await ask(
    'lean_multi_attempt',
    { ...place, snippets: ['simp', 'exact h', 'constructor'] },
    Attempts,
  );
  if (!items.some(({ ok }) => ok)) throw new Error('no tactic helps');
  const { proof } = await ask('lean_prove', { ...place, cpu_seconds: 20 }, Proved);
  await ask('lean_submit', { ...place, proof }, z.looseObject({ written: z.literal(true) }));
  const name = { file_path: file, theorem_name: 'swap' };
  const accepted = z.array(z.looseObject({ verdict: z.literal('accepted') })).min(1);
  await ask('lean_verify', name, z.looseObject({ verdicts: accepted }));
  const after = await ask('blueprint_status', {}, Status);
  if (after.total.proved !== before.total.proved + 1) throw new Error('the blueprint has not advanced');
  return exchanges;
}
