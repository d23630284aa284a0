import path from 'node:path';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { markProved } from '../../lean/blueprint/sync-file.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import { bareGoal, type LeanGoal } from '../../lean/goals/goal.ts';
import { fillFile, writeFilled } from '../../lean/writing/writer.ts';
import type { GoalClosed } from '../../shared/events.ts';
import { declarationsIn } from './declarations.ts';
import { postLemma } from '../../lean/market/post.ts';
import { marketOf } from './project-tools.ts';
import { goalAt, mustBeGoal, sorryAt } from './goal-at.ts';
import { column, filePath, line, secondsSchema, textContent, tool, type Call, type Tool } from './tool.ts';
import * as answers from './answers.ts';
import { costOf } from '../../shared/cost.ts';

const count = z.int().min(1).max(200).default(16);

/** Tools that search for proofs and write them into files. */
export const searchTools: readonly Tool[] = [
  tool({
    name: 'lean_prove',
    output: answers.proved,
    title: 'Search for a proof',
    description:
      'Let the strategies race for a proof of the goal at a position, or of a statement, within CPU-seconds. A solved goal has been accepted by the gate; nothing is written.',
    input: z.object({
      file_path: filePath.optional(),
      line: line.optional(),
      column,
      statement: textContent.optional().describe('theorem name binders : type'),
      preamble: z.string().max(1_000_000).optional(),
      cpu_seconds: secondsSchema.default(30).describe('CPU limit of the search, in seconds'),
      timeout_s: secondsSchema.default(120).describe('Wall-clock seconds'),
      request_lemma: z.boolean().default(false).describe('Unsolved: ask others for it on the market'),
    }),
    changes: true,
    async run(args, call) {
      const goal = await wantedGoal(args, call);
      const { goal: _, ...closed } = await search(goal, args.cpu_seconds, args.timeout_s, call);
      const isOpen = args.request_lemma && !closed.solved && goal.holes.kind === 'statement';
      const ticket = isOpen ? await askOthers(goal, call) : undefined;
      return { statement: goal.statement, ...closed, ...(ticket !== undefined && { ticket }) };
    },
  }),
  tool({
    name: 'lean_submit',
    output: answers.submitted,
    title: 'Write a proof into a file',
    description:
      'Replace a sorry with a proof. The gate judges the whole file first, against the file as it is; only what it accepts is written. The blueprint of the project is updated.',
    input: z.object({
      file_path: filePath,
      line,
      column,
      proof: textContent.describe('by …, or a term: a proof of the goal at this sorry'),
      version: z.string().optional().describe('Refuse if the file is no longer this version'),
    }),
    changes: true,
    run: async (args, call) => await call.desk.write(async () => await submit(args, call)),
  }),
  tool({
    name: 'lean_premises',
    output: answers.premises,
    title: 'Premises',
    description: 'Theorems and definitions that a proof may need, for a statement, a goal’s name, or words.',
    input: z.object({ query: textContent, num_results: count }),
    async run({ query, num_results }, { desk, budget }) {
      const pay = (cpuSeconds: number): void => budget.charge(cpuSeconds);
      return { premises: await desk.orch.premises(query, num_results, pay) };
    },
  }),
  tool({
    name: 'lean_hammer_premise',
    output: answers.premises,
    title: 'Premises for a position',
    description: 'Theorems and definitions that the goal at a position may need.',
    input: z.object({ file_path: filePath, line, column, num_results: count }),
    async run({ file_path, num_results, ...place }, call) {
      const view = call.desk.files.read(file_path);
      const { goal } = mustBeGoal(await goalAt(call, view, place), view, place);
      const pay = (cpuSeconds: number): void => call.budget.charge(cpuSeconds);
      return { premises: await call.desk.orch.premises(goal.statement, num_results, pay) };
    },
  }),
  tool({
    name: 'lean_local_search',
    output: answers.declarations,
    title: 'Declarations of the project',
    description: 'Declarations of the project’s own files whose names contain a text.',
    input: z.object({
      query: textContent,
      limit: z.int().min(1).max(200).default(20),
      offset: z.int().min(0).default(0),
    }),
    async run({ query, limit, offset }, { desk }) {
      const wanted = query.toLowerCase();
      const found = desk.files
        .all()
        .flatMap(declarationsIn)
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .map(({ name, kind, file, line: at }) => ({ name, kind, file, line: at }));
      return await Promise.resolve({ items: found.slice(offset, offset + limit), total: found.length });
    },
  }),
];

/** The ticket for a goal that the search left open; undefined if work on it is useless, such as for a false goal. */
async function askOthers(goal: LeanGoal, { desk, budget, signal }: Call): Promise<string | undefined> {
  const { preamble, environment = desk.orch.environmentOf(preamble), statement } = goal;
  const wish = { goal: statement, name: 'helper', preamble, environment, requester: 'lean_prove' };
  const details = { constraints: [], priority: 0.5, dependencies: [] };
  const posted = await postLemma(
    await desk.orch.leanFor(environment),
    marketOf(desk, await desk.orch.ledger()),
    { ...wish, ...details },
    { signal, charge: (cpuSeconds) => budget.charge(cpuSeconds) },
  );
  return posted.ok ? posted.value.ticket.ticket_id : undefined;
}

interface ProveArgs {
  readonly file_path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly statement?: string | undefined;
  readonly preamble?: string | undefined;
}

async function wantedGoal(args: ProveArgs, call: Call): Promise<LeanGoal> {
  const { desk } = call;
  const { file_path, line: at, column: exact, statement, preamble = '' } = args;
  if (file_path !== undefined && at !== undefined) {
    const view = desk.files.read(file_path);
    const place = { line: at, column: exact };
    return mustBeGoal(await goalAt(call, view, place), view, place).goal;
  }
  if (statement === undefined) throw new UserError('usage', 'required: file_path and line, or a statement');
  return {
    id: 'statement',
    preamble,
    environment: desk.orch.environmentOf(preamble),
    statement,
    ...bareGoal,
  };
}

async function search(
  goal: LeanGoal,
  cpuSeconds: number,
  timeout: number,
  { desk, budget, signal, progress }: Call,
): Promise<GoalClosed | { goal: string; solved: false; reason: string }> {
  const { orch } = desk;
  const lean = await orch.leanFor(goal.environment ?? orch.environmentOf(goal.preamble));
  const goalCpu = Math.min(cpuSeconds, budget.left);
  const choice = { command: 'mcp', sources: [goal.source ?? 'mcp'], seed: 1, timeout };
  let reason = 'cancelled';
  let spent = 0;
  const read = { goals: [goal], unreadable: [] };
  for await (const event of orch.runGoals(lean, read, choice, { goalCpu, signal })) {
    const cost = costOf(event)?.cpu_seconds ?? 0;
    spent += cost;
    budget.charge(cost);
    if (event.type === 'attempt-finished')
      progress(Math.min(spent, goalCpu), goalCpu, `${event.arm}: ${event.outcome}`);
    if (event.type === 'goal-closed' && event.goal === goal.id) return event;
    if (event.type === 'run-finished' && event.reason === 'timeout') reason = 'timeout';
  }
  return { goal: goal.id, solved: false, reason };
}

interface SubmitArgs {
  readonly file_path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly proof: string;
  readonly version?: string | undefined;
}

async function submit({ file_path, proof, version, ...place }: SubmitArgs, call: Call): Promise<object> {
  const { orch, files } = call.desk;
  const view = files.read(file_path);
  if (version !== undefined && version !== view.version)
    throw new UserError('stale', `${view.name} is at version ${view.version} now; nothing was written`);
  const { goal } = mustBeGoal(await sorryAt(call, view, place), view, place);
  const lean = await orch.leanFor(environmentOfFile(view.file, view.text));
  const filled = await fillFile(view.file, [{ goal, proof }], lean);
  for (const { cpu_seconds } of filled.verdicts) call.budget.charge(cpu_seconds);
  if (filled.placed.length === 0)
    return {
      written: false,
      file: view.name,
      why: filled.refused[0]?.why ?? 'the goal no longer exists in this file',
    };
  if (!(await writeFilled(filled, lean)))
    throw new UserError(
      'stale',
      `${view.name} or a module below it has changed meanwhile; nothing was written`,
    );
  markProved(files.folder, filled.verdicts);
  const patch = filled.patch.replaceAll(view.file, view.name);
  return { written: true, file: path.normalize(view.name), version: files.read(view.file).version, patch };
}
