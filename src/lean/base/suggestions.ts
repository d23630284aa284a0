import type { Message } from './protocol.ts';

/**
 * The tactics that Lean itself proposes (`exact?`, `simp?`, `apply?`, `rw?`, `try?`), as scripts that can be run, in Lean's
 * order and each once. Lean writes them in three forms:
 *
 *     Try this: TACTIC             Try this:                  Try these:
 *                                    [apply] TACTIC             [apply] TACTIC
 *                                    -- a comment               [apply] TACTIC
 *
 * A tactic may span several lines, indented deeper than its first. Comments about remaining goals are dropped.
 */
export function suggestionsOf(messages: readonly Message[]): string[] {
  const found = messages
    .filter(({ severity }) => severity === 'info')
    .flatMap(({ text }) => suggestionsIn(text));
  return [...new Set(found)];
}

/**
 * Lean's searches of its library. `apply?` admits the goal that it is asked about, and a step with a hole is refused, so it gets a
 * copy.
 */
export const librarySearches = ['exact?', 'rw?', '(refine and_self_iff.mp ⟨?_, ?_⟩; apply?)'] as const;

const opening = /^Try (?:this|these):[ \t]*/;
const item = /^\s*(?:\[[^\]\s]+\]|•)\s+/;

function suggestionsIn(text: string): string[] {
  const start = opening.exec(text);
  if (!start) return [];
  const groups: string[][] = [];
  for (const line of text.slice(start[0].length).split('\n')) {
    const mark = item.exec(line);
    if (mark) groups.push([line.slice(mark[0].length)]);
    else if (groups.length === 0) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups.map(script).filter((tactic) => tactic !== '');
}

/** One tactic without its comments; the lines after the first keep their indentation relative to each other. */
function script([first = '', ...rest]: readonly string[]): string {
  const lines = rest.filter((line) => line.trim() !== '' && !line.trim().startsWith('--'));
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return [first.trim(), ...lines.map((line) => `  ${line.slice(margin).trimEnd()}`)]
    .filter((line) => line.trim() !== '')
    .join('\n');
}
