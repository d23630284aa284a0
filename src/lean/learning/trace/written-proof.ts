import { tacticsOf } from '../../writing/in-place.ts';
import { outside } from '../../base/brackets.ts';
import { plainCode } from '../../base/plain-code.ts';

/** A theorem as in its source. */
export interface WrittenProof {
  readonly statement: string;
  /** The text after `:=`. */
  readonly proof: string;
  /** The steps of its outermost block; empty if the proof is a term. */
  readonly tactics: readonly string[];
}

/**
 * Splits the source of a theorem into its parts; undefined if it is proved by equations or by fields. Lean parses the
 * parts again: this only locates them.
 */
export function readWritten(text: string): WrittenProof | undefined {
  const at = valueStart(text);
  if (at === undefined) return undefined;
  const proof = text.slice(at + 2).trim();
  return { statement: text.slice(0, at).trimEnd(), proof, tactics: stepsOf(tacticsOf(proof) ?? []) };
}

/** Start of a proof without `:=`; the text after it belongs to a case or a field. */
const otherProof = /(?<=\s)where(?=\s)|(?<=\n\s*)\|(?=[^\n]*=>)/y;

/** The index of the first `:=` outside brackets, comments and strings. */
function valueStart(text: string): number | undefined {
  const plain = plainCode(text, 'blank');
  for (const at of outside(plain)) {
    if (plain.startsWith(':=', at)) return at;
    otherProof.lastIndex = at;
    if (otherProof.test(plain)) return undefined;
  }
  return undefined;
}

/**
 * A step starts in the first column; indented lines, the cases of an `induction` and text after `<;>` belong to the
 * step before.
 */
function stepsOf(lines: readonly string[]): string[] {
  const steps: string[] = [];
  for (const line of lines) {
    const continues = /^(?:\s|\||<;>|$)/.test(line);
    if (line.startsWith('--')) continue;
    if (continues && steps.length > 0) steps.push(`${steps.pop() ?? ''}\n${line}`);
    else if (line.trim() !== '') steps.push(line);
  }
  return steps.map((step) => step.trimEnd());
}
