import { suggestionsOf } from '../base/suggestions.ts';
import type { Ground } from './ground.ts';

/** An existing theorem with the same statement, up to the order of hypotheses and the sides of an equation. */
export interface KnownTheorem {
  readonly name: string;
  /** A proof of the statement by that theorem. */
  readonly proof: string;
}

/** `exact?` tries every theorem, which takes longer than a search step on a large library. */
const heartbeats = 20_000;

/**
 * Searches library and project for a statement. A theorem that must be combined with another, or instantiated with more than
 * the statement's variables, is a different one.
 */
export async function knownTheorem(ground: Ground, statement: string): Promise<KnownTheorem | undefined> {
  for (const ask of ['exact?', 'intros; exact?', 'intros; symm; exact?']) {
    const messages = await ground.prove(statement, `by ${ask}`, heartbeats);
    for (const script of suggestionsOf(messages ?? [])) {
      const name = onlyTheoremIn(script);
      if (name === undefined) continue;
      // a theorem that says the same only once definitions are unfolded is a different one
      const [proof, plain] = [script, `with_reducible ${script}`].map(
        (text) => `by ${ask.replace('exact?', text)}`,
      );
      if (proof !== undefined && plain !== undefined && (await ground.holds(statement, plain)))
        return { name, proof };
    }
  }
  return undefined;
}

const atom = /^(?:@?[\p{L}_][\p{L}\p{N}_.'!?₀-₉]*|\d+|_|\[\]|rfl)$/u;

/** `exact (Nat.add_comm a b).symm` gives `Nat.add_comm`. Undefined if an argument is more than a variable. */
function onlyTheoremIn(script: string): string | undefined {
  const found = /^exact\s+([\s\S]+)$/.exec(script.trim());
  if (!found) return undefined;
  let term = (found[1] ?? '').trim().replace(/^fun\s+[^=]*=>\s*/u, '');
  for (let before = ''; before !== term;) {
    before = term;
    term = term
      .replace(/^\(([\s\S]*)\)(?:\.symm)?$/, (whole, inner: string) => (isBalanced(inner) ? inner : whole))
      .replace(/^(?:Eq|Iff|Ne|HEq)\.symm\s+(?=\()/, '')
      .trim();
  }
  const [head = '', ...args] = term.split(/\s+/);
  const name = head.replace(/^@/, '').replace(/\.symm$/, '');
  return name.includes('.') || /_/.test(name)
    ? atom.test(head) && args.every((argument) => atom.test(argument))
      ? name
      : undefined
    : undefined;
}

/** A bracket is not closed before it was opened: `a) (b` is not the inside of brackets. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
