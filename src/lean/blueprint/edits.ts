/** A text edit: replaces the part between two offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits that do not overlap, applied from the last to the first so that offsets stay right. New lines end as the file's do. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return edits
    .toSorted((first, second) => second.start - first.start)
    .reduce(
      (whole, { start, end, text: part }) =>
        whole.slice(0, start) + part.replaceAll(/\r?\n/g, lineEnd) + whole.slice(end),
      text,
    );
}

/** A macro at the place where a body begins: on a line of its own if the rest of the line is free. */
export function insertMacro(text: string, at: number, macro: string): Edit {
  const rest = /^[^\n]*/.exec(text.slice(at))?.[0] ?? '';
  if (rest.trim() === '') return { start: at, end: at, text: `\n${indentAfter(text, at)}${macro}` };
  const gap = /^[A-Za-z@]/.test(rest) ? ' ' : '';
  return { start: at, end: at, text: `${macro}${gap}` };
}

/** Removes a macro, with its line if nothing else is on it, else with the blanks before it. */
export function removeMacro(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline;
  if ((text.slice(lineStart, start) + text.slice(end, lineEnd)).trim() === '' && lineStart > 0)
    return { start: lineStart - 1, end: lineEnd, text: '' };
  const blanks = /[ \t]*$/.exec(text.slice(lineStart, start))?.[0].length ?? 0;
  const glues = /^[A-Za-z@]/.test(text.slice(end)) ? ' ' : '';
  return { start: start - blanks, end, text: glues };
}

/** The indentation of the next non-empty line; two blanks if there is none. */
function indentAfter(text: string, at: number): string {
  const next = /\n([ \t]*)(?=[^\s])/.exec(text.slice(at));
  const isEnd = next && text.slice(at + next.index + next[0].length).startsWith(String.raw`\end`);
  return next && !isEnd ? (next[1] ?? '') : '  ';
}
