import type { Message, Position } from './protocol.ts';

/** For display: lines and columns count from 1, as in editors. */
export function describePosition([line, column]: Position): string {
  return `line ${line}, column ${column + 1}`;
}

/** Lean saw `statement := proof` as one text, but the user gave two: maps the first error to theirs. */
export function placeIn(messages: readonly Message[], statement: string): string | undefined {
  const first = messages.find((message) => message.severity === 'error');
  if (!first) return undefined;
  const lines = statement.split('\n');
  const proofColumn = Array.from(lines.at(-1) ?? '').length + ' := '.length;
  const [line, column] = first.start;
  if (line < lines.length || (line === lines.length && column < proofColumn))
    return `the statement, ${describePosition(first.start)}`;
  const inProof: Position = [line - lines.length + 1, line === lines.length ? column - proofColumn : column];
  return `the proof, ${describePosition(inProof)}`;
}

/** Where a text ends that begins at a position. */
export function positionAfter([line, column]: Position, text: string): Position {
  const lines = text.split('\n');
  const last = Array.from(lines.at(-1) ?? '').length;
  return lines.length === 1 ? [line, column + last] : [line + lines.length - 1, last];
}
