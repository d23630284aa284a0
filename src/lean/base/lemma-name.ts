import { readSignature } from './signature.ts';
import { conclusionOf, readTerm, type ReadTerm } from './read-term.ts';

/** Names with more words are hard to remember. */
const mostWords = 8;

/**
 * A name for a statement by Mathlib's conventions: an equation by its left side (`length_append`), `_comm` and
 * `_assoc` for such laws, `_iff` for an equivalence, a relation between both sides (`le_total`), hypotheses
 * after `of`. Undefined if
 * nothing in the statement has a name.
 */
export function lemmaName(statement: string): string | undefined {
  const signature = readSignature(statement);
  if (!signature) return undefined;
  const bound = new Set(signature.binders.flatMap(({ names }) => names));
  const { hypotheses, conclusion } = conclusionOf(signature.type, bound);
  const given = signature.binders
    .filter(({ open, names, type }) => open === '(' && type !== undefined && names.every(isProofName))
    .map(({ type = '' }) => conclusionOf(type, new Set(bound)).conclusion);
  const words = wordsOfClaim(readTerm(conclusion, bound));
  if (words.length === 0) return undefined;
  const conditions = [...given, ...hypotheses]
    .map((text) => readTerm(text, bound))
    // `Nat` is not a condition
    .map((term) => (term && term.args.length > 0 ? wordsOfClaim(term) : []))
    .filter((one) => one.length > 0);
  for (const condition of conditions)
    if (words.length + condition.length < mostWords) words.push('of', ...condition);
  return words.slice(0, mostWords).join('_');
}

const isProofName = (name: string): boolean => /^i?h[a-z]{0,2}[0-9_'₀-₉]*$/.test(name);

const relations = new Set(['eq', 'ne', 'le', 'lt', 'ge', 'gt', 'iff', 'and', 'or', 'dvd', 'subset']);

function wordsOfClaim(term: ReadTerm | undefined): string[] {
  if (!term) return [];
  const [left, right] = term.args;
  if (term.head === 'exists' && left) return ['exists', ...wordsOfClaim(left)];
  if (!relations.has(term.head) || !left || !right) return wordsOf(term);
  if (term.head === 'eq') {
    const law = lawOf(left, right);
    if (law !== undefined) return [...headOf(left), law];
    const [words, others] = [wordsOf(left), wordsOf(right)];
    // `twice n = 2 * n` is a lemma about `twice` only
    if (words.length > 1 || others.length === 0) return words;
    return [...words, 'eq', ...others];
  }
  if (term.head === 'iff') return [...wordsOfClaim(left), 'iff'];
  return [...wordsOf(left), term.head, ...wordsOf(right)];
}

/** `f a b = f b a` and `f (f a b) c = f a (f b c)`. */
function lawOf(left: ReadTerm, right: ReadTerm): 'comm' | 'assoc' | undefined {
  if (left.head === '' || left.head !== right.head) return undefined;
  const [a, b] = left.args.slice(-2);
  const [c, d] = right.args.slice(-2);
  if (!a || !b || !c || !d) return undefined;
  const areVariables = [a, b].every(({ head, args }) => head === '' && args.length === 0);
  if (areVariables && a.text === d.text && b.text === c.text && a.text !== b.text) return 'comm';
  const isNested = a.head === left.head && d.head === left.head;
  const [inner, other] = [a.args.at(-2)?.text, d.args.at(-1)?.text];
  return isNested && inner === c.text && other === b.text ? 'assoc' : undefined;
}

function headOf({ head }: ReadTerm): string[] {
  return head === '' ? [] : [head];
}

/** The head, then the arguments from left to right, an operator between its sides; variables have no words. */
function wordsOf(term: ReadTerm): string[] {
  const [left, ...others] = term.args;
  if (term.isInfix && left) return [...wordsOf(left), term.head, ...others.flatMap(wordsOf)];
  return [...headOf(term), ...term.args.flatMap(wordsOf)];
}
