import { plainCode } from '../../lean/base/plain-code.ts';
import { UserError } from '../../core/errors.ts';
import type { FileView, ProjectFiles } from './project-files.ts';

/** A declaration of the project's files, found by its text. Lines count from 1. */
export interface ProjectDeclaration {
  /** With its namespaces. */
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  /** With its doc comment. */
  readonly source: string;
}

const declaration =
  /^\s*(?:@\[[^\]]*\]\s*)?(?:(?:private|protected|noncomputable|scoped|partial|unsafe)\s+)*(theorem|lemma|def|abbrev|structure|class|inductive|instance|axiom|opaque)\s+([^\s:({[]+)/;
/** Words that can begin a command at the start of a line. */
const command =
  /^(?:@\[|\/-|--|#|(?:private|protected|noncomputable|scoped|partial|unsafe|theorem|lemma|def|abbrev|structure|class|inductive|instance|axiom|opaque|example|namespace|section|end|open|variable|universe|mutual|attribute|set_option|notation|infix\w*|prefix|postfix|macro\w*|syntax|elab\w*|import)\b)/;

/** The line that opens a scope; a namespace has a name, a section may have one. */
const opening = /^(namespace|(?:(?:public|noncomputable|meta)\s+)*section|mutual)\b[ \t]*([^\s-]*)/;
const closing = /^end\b[ \t]*([^\s-]*)/;

export function declarationsIn({ name: file, text }: FileView): ProjectDeclaration[] {
  const lines = text.split('\n');
  const scopes: Scope[] = [];
  return plainCode(text, 'blank')
    .split('\n')
    .flatMap((written, index) => {
      followScopes(scopes, written);
      const [, kind = '', short = ''] = declaration.exec(written) ?? [];
      if (short === '') return [];
      const end = nextCommand(lines, index + 1);
      const begin = docCommentBefore(lines, index);
      const name = fullName(scopes, short);
      return [{ name, kind, file, line: index + 1, endLine: end, source: trimmed(lines.slice(begin, end)) }];
    });
}

interface Scope {
  readonly isNamespace: boolean;
  readonly name: string;
}

function followScopes(scopes: Scope[], written: string): void {
  const [, word, name = ''] = opening.exec(written) ?? [];
  if (word !== undefined) scopes.push({ isNamespace: word === 'namespace', name });
  const [, closed] = closing.exec(written) ?? [];
  if (closed === undefined) return;
  // `end A.B` can close two scopes
  let left = closed.split('.').length;
  do left -= (scopes.pop()?.name ?? '').split('.').length;
  while (left > 0 && scopes.length > 0);
}

function fullName(scopes: readonly Scope[], short: string): string {
  if (short.startsWith('_root_.')) return short.slice('_root_.'.length);
  return [...scopes.filter(({ isNamespace }) => isNamespace).map(({ name }) => name), short].join('.');
}

/** A name, and what is left of it in each of its namespaces. */
export function shorterNames(name: string): string[] {
  const parts = name.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}

/** The text up to the end of the command that a line (from 1) belongs to. */
export function throughCommandAt({ text }: FileView, line: number): string {
  const lines = text.split('\n');
  return `${lines.slice(0, nextCommand(lines, line)).join('\n')}\n`;
}

/** The declarations of a name: the whole name, or its last parts. */
export function declarationsNamed(files: ProjectFiles, name: string): ProjectDeclaration[] {
  return files
    .all()
    .flatMap(declarationsIn)
    .filter((one) => shorterNames(one.name).includes(name));
}

/** The text of a declaration between two lines, with the doc comment before it. */
export function sourceOfLines({ text }: FileView, line: number, endLine: number): string {
  const lines = text.split('\n');
  return trimmed(lines.slice(docCommentBefore(lines, line - 1), endLine));
}

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const identifier = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*/gu;

/** The identifier that a position touches. */
export function nameAt(view: FileView, place: TextPlace): string {
  const { written, at } = lineUpTo(view, place);
  for (const found of written.matchAll(identifier))
    if (found.index <= at && at <= found.index + found[0].length) return found[0];
  throw new UserError(
    'no-name',
    `${view.name}:${place.line}:${place.column}: there is no identifier at this position`,
  );
}

/** The part of an identifier before a position; empty if there is none. */
export function typedBefore(view: FileView, place: TextPlace): string {
  const { written, at } = lineUpTo(view, place);
  return /[\p{L}_][\p{L}\p{N}_'!?₀-₉.]*$/u.exec(written.slice(0, at))?.[0] ?? '';
}

/** Where a name occurs as a whole identifier, outside comments and strings. */
export function occurrencesOf(
  view: FileView,
  name: string,
): { readonly file: string; readonly line: number; readonly column: number; readonly text: string }[] {
  const lines = view.text.split('\n');
  return plainCode(view.text, 'blank')
    .split('\n')
    .flatMap((written, index) =>
      [...written.matchAll(identifier)]
        .filter(([found]) => found === name || found.endsWith(`.${name}`) || name.endsWith(`.${found}`))
        .map(({ index: at }) => ({
          file: view.name,
          line: index + 1,
          column: Array.from(written.slice(0, at)).length + 1,
          text: (lines[index] ?? '').trim(),
        })),
    );
}

/** A line, and the offset of a column in it. */
function lineUpTo({ name, text }: FileView, { line, column }: TextPlace): { written: string; at: number } {
  const written = text.split('\n')[line - 1];
  if (written === undefined)
    throw new UserError('no-line', `${name} has ${text.split('\n').length} lines, not ${line}`);
  return {
    written,
    at: Array.from(written)
      .slice(0, column - 1)
      .join('').length,
  };
}

/** The index of the first line from here on that begins a command, or the number of lines. */
function nextCommand(lines: readonly string[], from: number): number {
  const found = lines.findIndex((written, index) => index >= from && command.test(written));
  return found < 0 ? lines.length : found;
}

function docCommentBefore(lines: readonly string[], index: number): number {
  if (!lines[index - 1]?.trimEnd().endsWith('-/')) return index;
  const begin = lines.findLastIndex((written, at) => at < index && written.trimStart().startsWith('/--'));
  return begin < 0 ? index : begin;
}

function trimmed(lines: readonly string[]): string {
  return lines.join('\n').trimEnd();
}
