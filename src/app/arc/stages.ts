import { text } from 'node:stream/consumers';
import { compare } from '../../arc/verify/comparator.ts';
import { errorType } from '../../arc/verify/error-type.ts';
import { describe, factsText } from '../../arc/grid/facts/describe.ts';
import { gridToRows } from '../../arc/grid/grid.ts';
import { teach, type TeachLimits } from '../../arc/search/teacher.ts';
import { checkProgram } from '../../arc/language/program.ts';
import { rowFor } from '../../arc/solve/row.ts';
import { parseTask } from '../../arc/grid/tasks.ts';
import { verify } from '../../arc/verify/verify.ts';
import { UserError, messageOf } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';

export type StageOptions = Omit<TeachLimits, 'maxNodes'> & Partial<Pick<TeachLimits, 'maxNodes'>>;

/** One stage alone: JSON on stdin, JSON on stdout. */
export async function stage(name: 'describe' | 'rule' | 'verify', options: StageOptions): Promise<void> {
  const value = await readStandardInput();
  switch (name) {
    case 'describe':
      process.stdout.write(factsText(describe(parseTask(value, 'task', 'stdin'))));
      return;
    case 'rule': {
      const task = parseTask(value, 'task', 'stdin');
      const limits = { ...options, maxNodes: options.maxNodes ?? Infinity };
      const row = rowFor(task, teach({ ...task, answers: [] }, limits));
      process.stdout.write(`${JSON.stringify(row)}\n`);
      process.exitCode = row.fits ? ExitCode.done : ExitCode.notAll;
      return;
    }
    case 'verify':
      verifyStage(value);
  }
}

function verifyStage(value: unknown): void {
  const { task: taskValue, program } = value as { task?: unknown; program?: unknown };
  const task = parseTask(taskValue, 'task', 'stdin "task"');
  const parsed = checkProgram(program);
  if (!parsed.ok) {
    print({ solved: false, error_type: parsed.error.kind, message: parsed.error.message, verifier_score: 0 });
    process.exitCode = ExitCode.notAll;
    return;
  }
  const verdict = verify(parsed.value, task);
  const comparison = compare(parsed.value, task, verdict);
  print({
    solved: verdict.solved,
    exact: verdict.exact,
    error_type: errorType(task.train, verdict, comparison.feature_vec),
    ...comparison,
    answers: verdict.answers.map((outcome) => (outcome.kind === 'grid' ? gridToRows(outcome.grid) : null)),
  });
  process.exitCode = verdict.solved ? ExitCode.done : ExitCode.notAll;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function readStandardInput(): Promise<unknown> {
  const input = await text(process.stdin);
  try {
    return JSON.parse(input);
  } catch (error) {
    throw new UserError(
      'ARC_NOT_JSON',
      `stdin is not JSON: ${messageOf(error)}`,
      'Pipe a task in: orch arc describe < task.json',
      { cause: error },
    );
  }
}
