/** A statement and what it would mean that it is false, as texts that Lean reads. */
export interface Negation {
  /** The statement again, with everything that it says of its variables in its type. */
  readonly closed: string;
  readonly statement: string;
}

/** Comments, attributes and modifiers say nothing about what is stated. */
const head =
  /^(?:\s|--[^\n]*\n|\/-[\s\S]*?-\/|@\[[^\]]*\]|(?:private|protected|public|noncomputable|unsafe|nonrec)\s)*(?:theorem|lemma)\s+[^\s:.({[⦃]+(?:\.[^\s:.({[⦃]+)*(?<universes>\.\{[^}]*\})?/u;
const opening = new Set('([{⟨⦃');
const closing = new Set(')]}⟩⦄');

/**
 * `theorem t (a : Nat) : a = 0` as `theorem NAME : ∀ (a : Nat), a = 0`, and the same negated. Undefined where the text is not
 * of this form; a caller that uses it asks Lean whether `closed` says the same as the statement.
 */
export function negationOf(statement: string, name: string): Negation | undefined {
  const found = head.exec(statement);
  if (!found) return undefined;
  const rest = statement.slice(found[0].length);
  const colon = outerColon(rest);
  if (colon === undefined) return undefined;
  const binders = rest.slice(0, colon).trim();
  const type = rest.slice(colon + 1).trim();
  const closed = binders === '' ? type : `∀ ${binders}, ${type}`;
  const named = `theorem ${name}${found.groups?.['universes'] ?? ''}`;
  return { closed: `${named} : ${closed}`, statement: `${named} : ¬ (${closed})` };
}

/** The colon outside all brackets: before it are the variables, after it is the type. */
function outerColon(text: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (opening.has(character)) depth++;
    if (closing.has(character)) depth--;
    if (depth === 0 && character === ':') return index;
  }
  return undefined;
}

/** Shows that an instance is false: Lean decides it, or sees two different constructors where an equation would have them equal. */
export const falsify = 'first | decide | nofun';

/** A proof of the negation from one instance that is false: the statement would have to hold there too. */
export function proofFrom(instance: string): string {
  return `by
  intro holds
  have fails : ¬ (${instance}) := by ${falsify}
  exact fails (by intros; apply holds <;> assumption)`;
}
