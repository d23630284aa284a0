import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { galleryPage } from '../../arc/render/html.ts';
import { taskText } from '../../arc/render/task.ts';
import type { Look } from '../../arc/render/terminal.ts';
import { parseProgram, type Program } from '../../arc/language/program.ts';
import { readProgram } from '../../arc/language/text.ts';
import { verify } from '../../arc/verify/verify.ts';
import { UserError } from '../../core/errors.ts';
import { loadOneTask } from './tasks.ts';

export interface ShowOptions {
  readonly data?: string;
  readonly rule?: string;
  readonly html?: string;
  readonly compact: boolean;
}

export function show(name: string, options: ShowOptions): void {
  const task = loadOneTask(name, options.data);
  const program = options.rule === undefined ? undefined : readRule(options.rule);
  const rule = program === undefined ? undefined : { program, verdict: verify(program, task) };
  if (options.html === undefined) {
    process.stdout.write(`${taskText(task, look(options.compact), rule)}\n`);
    return;
  }
  const exact = rule?.verdict.exact.filter(Boolean).length ?? 0;
  const note = rule === undefined ? '' : `${exact} of ${task.train.length} training pairs exact`;
  const rules = rule === undefined ? [] : [{ ...rule, title: 'the rule' }];
  writeFileSync(
    options.html,
    galleryPage(`ARC task ${task.id}`, note, [{ task, state: 'open', note, rules }]),
  );
}

/** Colour only where it is welcome. */
function look(compact: boolean): Look {
  if (process.env['NO_COLOR'] !== undefined && process.env['NO_COLOR'] !== '') return 'digits';
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
