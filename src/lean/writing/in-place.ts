import type { Place } from '../goals/goal.ts';
import { SourceText } from '../base/source-text.ts';

/** A proof and its position in a file. */
export interface PlacedProof {
  readonly place: Place;
  /** `by …` or a term. */
  readonly proof: string;
}

/**
 * A file with proofs in their places. Each replaces exactly its `sorry`: all other bytes stay the same,
 * including line ends. Lean decides whether the result compiles.
 */
export function withProofs(raw: string, proofs: readonly PlacedProof[]): string {
  const lastFirst = proofs.toSorted(({ place: { start: first } }, { place: { start: second } }) =>
    first[0] === second[0] ? second[1] - first[1] : second[0] - first[0],
  );
  return lastFirst.reduce((text, { place, proof }) => {
    const source = new SourceText(text);
    const [line] = place.start;
    const before = source.between([line, 0], place.start);
    const { replacement, spaces } = inPlace(place, proof, before);
    return source.replace([line, place.start[1] - spaces], place.end, replacement);
  }, raw);
}

interface Replacement {
  readonly replacement: string;
  /**
   * Number of spaces before the `sorry` that are replaced with it: those after a `by` whose tactics begin on
   * the next line.
   */
  readonly spaces: number;
}

function inPlace({ form }: Place, proof: string, before: string): Replacement {
  switch (form) {
    case 'value':
      return asIs(proof);
    case 'equations':
      // the proof of `theorem t : T | 0 => …` was searched for as `fun | 0 => …`
      return asIs(proof.replace(/^fun\s+/, ''));
    case 'term':
      return asIs(asTerm(proof, before));
    case 'tactic':
      return asTactics(proof, before);
    default:
      return form satisfies never;
  }
}

const asIs = (replacement: string): Replacement => ({ replacement, spaces: 0 });

/** After these words, a term extends to the end of its line or block. */
const opensTerm = /(?:^|\s)(?::=|=>|↦|from|exact|<\||\$|return|then|else)\s*$/;

function asTerm(proof: string, before: string): string {
  const script = tacticsOf(proof);
  const isOpen = opensTerm.test(before) || before.trim() === '';
  const column = indentation(before);
  const text = script
    ? script.length === 1
      ? `by ${script[0]}`
      : ['by', ...script.map((line) => indent(line, column + 2))].join('\n')
    : continued(proof, column + 2);
  return isOpen || /^[\p{L}\p{N}_.'«»]+$/u.test(text) ? text : `(${text})`;
}

/** A line that begins with a declaration or a tactic: its block may continue two columns to the right. */
const plainLine = /^\s*(?!\.\s)[\p{L}@_][^;⟨(<>|·]*?:=\s*by $/u;

function asTactics(proof: string, before: string): Replacement {
  const script = tacticsOf(proof) ?? [`exact ${continued(proof, 2)}`];
  if (script.length === 1) return asIs(inOneLine(script[0] ?? '', before));
  if (isPlainLine(before)) {
    const column = indentation(before) + 2;
    return { replacement: ['', ...script.map((line) => indent(line, column))].join('\n'), spaces: 1 };
  }
  const isOpen = startsBlock(before);
  const column = Array.from(before).length + (isOpen ? 0 : 1);
  const lines = script.map((line, index) => (index === 0 ? line : indent(line, column))).join('\n');
  return asIs(isOpen ? lines : `(${lines})`);
}

function isPlainLine(before: string): boolean {
  return plainLine.test(before) || /^\s*(?:theorem|lemma|example|def|instance)\b.*:=\s*by $/.test(before);
}

/** Whether a block of tactics begins here; elsewhere, several tactics are put in parentheses. */
function startsBlock(before: string): boolean {
  return before.trim() === '' || /(?:\bby|=>|·|^\s*\.)\s*$/.test(before);
}

function inOneLine(tactic: string, before: string): string {
  const hangsTogether = !/;|<;>|\n/.test(tactic);
  return hangsTogether || startsBlock(before) ? tactic : `(${tactic})`;
}

/** The tactics of `by …`, line by line, the first in column 0; undefined if the proof is a term. */
export function tacticsOf(proof: string): string[] | undefined {
  const found = /^by(?=\s)([ \t]*\n)?/.exec(proof);
  if (!found) return undefined;
  const lines = proof.slice(found[0].length).trimEnd().split('\n');
  if (found[1] === undefined) {
    // `by first⏎ second`: the first tactic has the column of the others
    const column = Math.min(...lines.slice(1).filter(isFull).map(indentation), proof.length);
    return lines.map((line, index) =>
      index === 0 ? line.trimStart() : line.slice(Math.min(column, indentation(line))),
    );
  }
  const column = Math.min(...lines.filter(isFull).map(indentation));
  return lines.map((line) => line.slice(column));
}

const isFull = (line: string): boolean => line.trim() !== '';

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

function indent(line: string, column: number): string {
  return isFull(line) ? ' '.repeat(column) + line : '';
}

/** A term over several lines keeps its shape, with a larger indentation. */
function continued(term: string, column: number): string {
  const [first = '', ...rest] = term.trim().split('\n');
  const least = Math.min(...rest.filter(isFull).map(indentation), term.length);
  return [first, ...rest.map((line) => indent(line.slice(Math.min(least, indentation(line))), column))].join(
    '\n',
  );
}
