import path from 'node:path';
import * as z from 'zod';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { packageVersion } from '../../config/package.ts';
import type { Clock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Orch } from '../../app/orch.ts';
import { ClientBudget, type Allowance } from './budget.ts';
import { codeTools } from './code-tools.ts';
import { deskOf } from './desk-of.ts';
import { leanTools } from './lean-tools.ts';
import { ProjectFiles } from './project-files.ts';
import { CallProgress } from './progress.ts';
import { projectTools } from './project-tools.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { searchTools } from './search-tools.ts';
import { listTools, type CheckedTool } from './tool-list.ts';
import { filePath, type Desk, type Tool } from './tool.ts';

export const allTools: readonly Tool[] = [...leanTools, ...codeTools, ...searchTools, ...projectTools];

const instructions = `orch: Lean 4 proofs, judged by a gate that no proof can influence. Lines and columns count from 1.
lean_goals finds what is open; lean_goal shows a goal; lean_multi_attempt tries tactics; lean_prove searches; lean_submit writes a proof
in place after the gate has judged the whole file; only a verdict of lean_verify counts. Unknown is never success.`;

/** A project, shared by all clients of a server. */
export function deskFor(orch: Orch, folder: string, clock: Clock, name = path.basename(folder)): Desk {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    name,
    orch,
    clock,
    files: new ProjectFiles(folder),
    write: async (work) => {
      const mine = writing.then(work, work);
      writing = mine.catch(() => undefined);
      return await mine;
    },
  };
}

/** A server for one client with its own budget, for one project or several. */
export function mcpServer(desks: readonly Desk[], cpuSeconds: number): McpServer {
  const server = new McpServer({ name: 'orch', version: packageVersion() }, { instructions });
  const budget = new ClientBudget(cpuSeconds);
  const hasSeveral = desks.length > 1;
  const described = allTools.map((tool) => ({ tool, checked: checkedTool(tool, desks) }));
  for (const { tool, checked } of described)
    server.registerTool(
      tool.name,
      checked,
      async (args: unknown, extra: Extra) => await callTool(tool, args as Asked, extra, desks, budget),
    );
  listTools(
    server,
    described.map(({ checked }) => checked),
  );
  for (const desk of desks)
    addResources(server, desk, hasSeveral ? `?project=${encodeURIComponent(desk.name)}` : '');
  addPrompts(server);
  return server;
}

/** In a server with several projects a call says which one it means, and its answer repeats that. */
function checkedTool(
  { name, title, description, changes, input, output }: Tool,
  desks: readonly Desk[],
): CheckedTool {
  const names = desks.map((desk) => desk.name).join(', ');
  const project = z.string().optional().describe(`One of ${names}; not needed if file_path says it`);
  const hints = { file_path: filePath.optional(), ...input.shape, project };
  const hasSeveral = desks.length > 1;
  return {
    name,
    title,
    description,
    inputSchema: hasSeveral ? z.object(hints) : input,
    outputSchema: output.extend({ budget: budgetSchema, ...(hasSeveral && { project: z.string() }) }),
    annotations: { readOnlyHint: !changes, openWorldHint: false },
  };
}

/** Every answer includes the remaining budget. */
const budgetSchema = z.looseObject({ spent_cpu_seconds: z.number(), left_cpu_seconds: z.number() });

type Asked = Readonly<Record<string, unknown>>;
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

async function callTool(
  tool: Tool,
  { project, ...args }: Asked,
  extra: Extra,
  desks: readonly Desk[],
  budget: ClientBudget,
): Promise<CallToolResult> {
  const token = extra._meta?.progressToken;
  const progress = new CallProgress(`${tool.name} is running`, (step) => {
    if (token === undefined) return;
    const params = { progressToken: token, ...step };
    // the client has disconnected
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  let allowance: Allowance | undefined;
  try {
    const desk = deskOf(desks, { ...args, project });
    allowance = budget.reserve(wantedBy(args));
    // the client edits files with its own tools
    await desk.orch.refresh();
    const signal = signalOf(extra);
    const result = await tool.run(args as never, {
      desk,
      budget: allowance,
      signal,
      progress: progress.report,
    });
    allowance.release();
    const where = desks.length > 1 && { project: desk.name };
    return answer({ ...result, ...where, budget: budget.describe() });
  } catch (error) {
    allowance?.release();
    if (signalOf(extra).aborted) return refusal('cancelled', 'cancelled', undefined);
    if (!(error instanceof UserError)) throw error;
    return refusal(error.code, error.message, error.hint);
  } finally {
    progress.end();
  }
}

/** The CPU-seconds that a call requests. A call with only a time limit gets that time on one core. */
function wantedBy(args: Asked): number | undefined {
  const { cpu_seconds, timeout_s } = args as { readonly cpu_seconds?: number; readonly timeout_s?: number };
  return cpu_seconds ?? timeout_s;
}

/** Over HTTP a broken connection is reported in `authInfo`: a disconnected client gets no answer. */
function signalOf({ signal, authInfo }: Extra): AbortSignal {
  const gone = authInfo?.extra?.['gone'];
  return gone instanceof AbortSignal ? AbortSignal.any([signal, gone]) : signal;
}

/** Characters of one answer, which is sent twice: as text and as data. */
const largestAnswer = 4 << 20;

function answer(result: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(result);
  if (text.length > largestAnswer)
    return refusal('answer-too-large', `the answer has ${text.length} characters`, 'Ask for less at a time.');
  return { content: [{ type: 'text', text }], structuredContent: result };
}

function refusal(code: string, message: string, hint: string | undefined): CallToolResult {
  const error = { code, message, ...(hint !== undefined && { hint }) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] };
}
