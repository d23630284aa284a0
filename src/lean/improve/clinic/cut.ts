import type { Message } from '../../base/protocol.ts';

/** A text cut where a proof breaks, with a `sorry` for the broken part. */
export interface Cut {
  readonly text: string;
  /** The text of the removed step; empty if steps were only missing. */
  readonly step: string;
}

/** The part of a line before its first tactic: indentation, bullets, a case pattern, `by`. */
const beforeSteps =
  /^\s*(?:(?:·|\.)\s+|(?:\||case\b|next\b)[^=]*=>\s*|(?:have|show|suffices|theorem|lemma|example)\b.*?\bby\s+)*/;
/** A step may begin a few lines above Lean's error. */
const linesAbove = 4;

/**
 * Possible cuts at an error, starting with the one that keeps the most. Layout shows where a step ends: at the
 * next line indented no deeper than its block. Only Lean can say which cut works.
 */
export function cutsAt(
  text: string,
  { start: [line, column], text: message }: Pick<Message, 'start' | 'text'>,
): Cut[] {
  const lines = text.split('\n');
  const ways = message.startsWith('unsolved goals') ? [withMissing(lines, line - 1, column)] : [];
  for (let above = 0; above <= linesAbove && line - 1 - above >= 0; above++)
    ways.push(withoutStep(lines, line - 1 - above));
  return ways.filter((cut) => cut !== undefined);
}

/** Everything from the line's first tactic to the end of its block. */
function withoutStep(lines: readonly string[], at: number): Cut | undefined {
  const line = lines[at] ?? '';
  const kept = beforeSteps.exec(line)?.[0] ?? '';
  if (line.slice(kept.length).trim() === '') return undefined;
  const column = Array.from(kept).length;
  const end = endOfBlock(lines, at, column);
  const step = [line.slice(kept.length), ...lines.slice(at + 1, end)].join('\n').trimEnd();
  return { text: [...lines.slice(0, at), `${kept}sorry`, ...lines.slice(end)].join('\n'), step };
}

/** A `sorry` after the last step of the block that begins here. */
function withMissing(lines: readonly string[], at: number, column: number): Cut | undefined {
  const line = Array.from(lines[at] ?? '');
  const opened = /^(?:by\b|·|\.(?=\s)|.*?=>)\s*/.exec(line.slice(column).join(''))?.[0] ?? '';
  const isBelow = line.slice(column).join('').trim() === opened.trim();
  const next = lines.findIndex((text, index) => index > at && text.trim() !== '');
  const inner = isBelow ? indentation(lines[next] ?? '') : column + Array.from(opened).length;
  if (opened === '' || inner <= indentation(lines[at] ?? '')) return undefined;
  const end = endOfBlock(lines, at, inner);
  return {
    text: [...lines.slice(0, end), `${' '.repeat(inner)}sorry`, ...lines.slice(end)].join('\n'),
    step: '',
  };
}

/** The first line below that does not belong to a block of this column; empty lines at its end do not either. */
function endOfBlock(lines: readonly string[], at: number, column: number): number {
  let end = at + 1;
  for (let next = end; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    if (indentation(line) < Math.max(1, column)) break;
    end = next + 1;
  }
  return end;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
