/** Comments, attributes and modifiers say nothing about what is stated. */
const head =
  /^(?:\s|--[^\n]*\n|\/-[\s\S]*?-\/|@\[[^\]]*\]|(?:private|protected|public|noncomputable|unsafe|nonrec)\s)*(?:theorem|lemma)\s+[^\s:.({[⦃]+(?:\.[^\s:.({[⦃]+)*(?:\.\{[^}]*\})?/u;
const opening = new Set('([{⟨⦃');
const closing = new Set(')]}⟩⦄');

/** `theorem t (a : Nat) : a = 0` as `have NAME : ∀ (a : Nat), a = 0`; undefined where the text is not of this form. */
export function asHave(statement: string, name: string): string | undefined {
  const found = head.exec(statement);
  if (!found) return undefined;
  const rest = statement.slice(found[0].length);
  const colon = outerColon(rest);
  if (colon === undefined) return undefined;
  const binders = rest.slice(0, colon).trim();
  const type = rest.slice(colon + 1).trim();
  return `have ${name} : ${binders === '' ? type : `∀ ${binders}, ${type}`}`;
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
