import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Verdict } from '../../lean/gate/verdict.ts';
import { goalText } from '../../lean/base/goal-text.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import type { FileGoal } from '../../lean/goals/lean-file.ts';
import type { TacticAnswer } from '../../app/tactics.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { goalAfter, goalAt, goalsOf, mustBeGoal, sorryAt } from './goal-at.ts';
import { about, type FileView } from './project-files.ts';
import { column, filePath, line, secondsSchema, textContent, tool, type Tool } from './tool.ts';
import * as answers from './answers.ts';

const timeout = secondsSchema.default(60).describe('Wall-clock seconds');

/** Tools about files and texts; names and arguments are those of lean-lsp-mcp where the meaning is the same. */
export const leanTools: readonly Tool[] = [
  tool({
    name: 'lean_goals',
    output: answers.goals,
    title: 'Open goals',
    description: 'Every sorry of the project, or of one file, with its position and goal.',
    input: z.object({
      file_path: filePath.optional(),
      limit: z.int().min(1).max(1000).default(200),
      offset: z.int().min(0).default(0),
    }),
    async run({ file_path, limit, offset }, call) {
      const { desk } = call;
      const views = file_path === undefined ? desk.files.all() : [desk.files.read(file_path)];
      const goals: object[] = [];
      const unread: object[] = [];
      for (const view of views) {
        try {
          const found = await goalsOf(call, view);
          goals.push(...found.map((goal) => describeFound(goal, view)));
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          unread.push({ file: view.name, message: error.message });
        }
      }
      const stale = views.some((view) => desk.files.isStale(view));
      return { goals: goals.slice(offset, offset + limit), total: goals.length, unread, stale };
    },
  }),
  tool({
    name: 'lean_goal',
    output: answers.goalAtLine,
    title: 'Goal at a position',
    description: 'The first goal at a line: before and after it, or at a column. Works at a sorry too.',
    input: z.object({ file_path: filePath, line, column }),
    async run({ file_path, ...place }, call) {
      const { desk } = call;
      const view = desk.files.read(file_path);
      const here = await sorryAt(call, view, place);
      const before = here ?? (await goalAt(call, view, place));
      const after =
        here !== undefined || place.column !== undefined
          ? undefined
          : await goalAfter(call, view, place.line);
      return {
        ...about(view, desk.files.isStale(view)),
        line: place.line,
        declaration: before?.declaration ?? null,
        is_sorry: here !== undefined,
        goals_before: shown(before),
        goals_after: shown(after),
        status: before?.shown ? 'goal' : 'no_goal_at_position',
      };
    },
  }),
  tool({
    name: 'lean_multi_attempt',
    output: answers.attempts,
    title: 'Try tactics',
    description:
      'Try several tactics at a position, each separately: the goals it leaves, or Lean’s error. `closed` only if Lean accepts the whole proof.',
    input: z.object({
      file_path: filePath,
      line,
      column,
      snippets: z.array(textContent).min(1).max(64),
      timeout_s: timeout,
    }),
    async run({ file_path, snippets, timeout_s, ...place }, call) {
      const { desk, budget, signal } = call;
      const view = desk.files.read(file_path);
      const { goal } = mustBeGoal(await goalAt(call, view, place), view, place);
      const limits = { timeout: budget.clockSeconds(timeout_s), signal };
      const tried = await desk.orch.tacticsOn(goal, [], snippets, limits);
      budget.charge(tried.cpuSeconds);
      if (!tried.ok) throw new UserError(tried.kind, tried.message);
      return {
        ...about(view, desk.files.isStale(view)),
        goals: tried.goals.map(goalText),
        items: tried.answers.map(describeAttempt),
      };
    },
  }),
  tool({
    name: 'lean_run_code',
    output: answers.diagnostics,
    title: 'Run Lean code',
    description: 'Elaborate a whole text and return Lean’s messages. This is not a verdict: see lean_verify.',
    input: z.object({ code: z.string().max(1_000_000), timeout_s: timeout }),
    async run({ code, timeout_s }, call) {
      const environment = call.desk.orch.environmentOf(code);
      return await diagnosticsOf(call, code, environment, timeout_s);
    },
  }),
  tool({
    name: 'lean_diagnostic_messages',
    output: answers.fileDiagnostics,
    title: 'Diagnostics of a file',
    description: 'Lean’s messages for a file: errors, warnings, infos.',
    input: z.object({
      file_path: filePath,
      start_line: z.int().min(1).optional(),
      end_line: z.int().min(1).optional(),
      severity: z.enum(['error', 'warning', 'info']).optional(),
      timeout_s: timeout,
    }),
    async run({ file_path, start_line = 1, end_line = Infinity, severity, timeout_s }, call) {
      const view = call.desk.files.read(file_path);
      const environment = environmentOfFile(view.file, view.text);
      const said = await diagnosticsOf(call, view.text, environment, timeout_s);
      const diagnostics = said.diagnostics.filter(
        (one) =>
          one.line >= start_line &&
          one.line <= end_line &&
          (severity === undefined || one.severity === severity),
      );
      return { ...about(view, call.desk.files.isStale(view)), success: said.success, diagnostics };
    },
  }),
  tool({
    name: 'lean_verify',
    output: answers.verified,
    title: 'Verify a theorem',
    description:
      'The gate’s verdict on a theorem of a file, or on a statement with its proof: accepted, rejected or unknown, with the reason and the axioms.',
    input: z.object({
      file_path: filePath.optional(),
      theorem_name: textContent.optional().describe('Its full name'),
      statement: textContent.optional().describe('theorem name binders : type'),
      proof: textContent.optional().describe('by …, or a term'),
      preamble: z.string().max(1_000_000).optional(),
      timeout_s: timeout,
    }),
    async run({ file_path, theorem_name, statement, proof, preamble, timeout_s }, { desk, budget, signal }) {
      const limits = { timeout: budget.clockSeconds(timeout_s), signal };
      if (file_path === undefined) {
        if (statement === undefined || proof === undefined)
          throw new UserError('usage', 'required: file_path and theorem_name, or statement and proof');
        const verdict = await desk.orch.check(
          { statement, proof, ...(preamble !== undefined && { preamble }) },
          limits,
        );
        budget.charge(verdict.cpu_seconds);
        return verdict;
      }
      const view = desk.files.read(file_path);
      const verdicts = await desk.orch.checkFile({ file: view.file }, limits);
      for (const { cpu_seconds } of verdicts) budget.charge(cpu_seconds);
      const wanted =
        theorem_name === undefined ? verdicts : verdicts.filter(({ name }) => name === theorem_name);
      const stale = desk.files.isStale(view);
      const found = wanted.length > 0 ? wanted : verdicts.filter(({ name }) => name === undefined);
      if (found.length === 0)
        throw new UserError(
          'no-theorem',
          `${view.name} has no theorem ${theorem_name}`,
          'An example has no name: without theorem_name, the whole file is judged.',
        );
      return { ...about(view, stale), verdicts: found.map((verdict) => doubted(verdict, stale)) };
    },
  }),
];

/** The file changed while it was judged, so there is no verdict on the current text. */
function doubted(verdict: Verdict, isStale: boolean): Verdict {
  return isStale
    ? {
        ...verdict,
        verdict: 'unknown',
        kind: 'stale',
        message: 'the file has changed meanwhile',
        assurance: null,
      }
    : verdict;
}

function describeFound(found: FileGoal, { name }: FileView): object {
  const [first] = found.sorries;
  return {
    id: found.id,
    file: name,
    line: first?.start[0] ?? null,
    column: first === undefined ? null : first.start[1] + 1,
    declaration: found.declaration,
    goal: found.shown ? goalText(found.shown) : null,
    statement: found.goal?.statement ?? null,
    reason: found.goal === undefined ? found.message : null,
  };
}

function describeAttempt(answer: TacticAnswer): object {
  if (!answer.ok) return { snippet: answer.tactic, ok: false, kind: answer.kind, error: answer.message };
  const { tactic, goals, closed, messages } = answer;
  return {
    snippet: tactic,
    ok: true,
    closed,
    goals: goals.map(goalText),
    ...(messages.length > 0 && { messages: messages.map(({ text: said }) => said) }),
  };
}

function shown(found: FileGoal | undefined): string[] {
  return found?.shown ? [goalText(found.shown)] : [];
}
