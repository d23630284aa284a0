import { existsSync, readFileSync } from 'node:fs';
import { explanationText, taskText } from '../../arc/render/task.ts';
import type { Look } from '../../arc/render/terminal.ts';
import type { Attempt } from '../../arc/search/choose.ts';
import { teach } from '../../arc/search/teacher.ts';
import type { Task } from '../../arc/grid/task.ts';
import { parseProgram, type Program } from '../../arc/language/program.ts';
import { readProgram } from '../../arc/language/text.ts';
import { verify } from '../../arc/verify/verify.ts';
import { UserError } from '../../core/errors.ts';
import { wantsColours } from '../../reporters/colour.ts';
import { loadOneTask } from './tasks.ts';

export interface ShowOptions {
  readonly data?: string;
  readonly rule?: string;
  readonly compact: boolean;
}

/** Shows a task and explains the given rule, or the one that the search chooses. */
export function show(name: string, options: ShowOptions): void {
  const task = loadOneTask(name, options.data);
  const attempts = options.rule === undefined ? searched(task) : [];
  const program = options.rule === undefined ? attempts[0]?.candidate.program : readRule(options.rule);
  const rule = program === undefined ? undefined : { program, verdict: verify(program, task) };
  const seen = look(options.compact);
  const explained = rule === undefined ? 'no rule found\n' : explanationText(task, attempts, seen);
  process.stdout.write(`${taskText(task, seen, rule)}\n${explained}`);
}

/** The same attempts as those of `arc solve` with its defaults. */
function searched(task: Task): readonly Attempt[] {
  return teach({ ...task, answers: [] }, { maxNodes: Infinity }).attempts;
}

/** Colour only on a terminal that wants it. */
function look(compact: boolean): Look {
  if (!wantsColours(process.stdout, process.env)) return 'digits';
  return compact ? 'half-blocks' : 'blocks';
}

/** A rule on the command line: a file, JSON, or rule text. */
function readRule(text: string): Program {
  const source = existsSync(text) ? readFileSync(text, 'utf8') : text;
  const parsed = source.trim().startsWith('[') ? parseProgram(source) : readProgram(source);
  if (parsed.ok) return parsed.value;
  throw new UserError(
    `ARC_RULE_${parsed.error.kind}`,
    `the rule is not a program: ${parsed.error.message}`,
    'docs/ARC.md describes the rule language.',
  );
}
