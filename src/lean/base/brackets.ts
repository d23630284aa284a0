const opening: ReadonlySet<string> = new Set('([{⟨⦃⟦');
const closing: ReadonlySet<string> = new Set(')]}⟩⦄⟧');

/** The offsets of a text that are outside all brackets. */
export function* outside(text: string): Generator<number> {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (opening.has(character)) depth++;
    else if (closing.has(character)) depth--;
    else if (depth === 0) yield at;
  }
}

/** The first place of a word outside all brackets. */
export function findOutside(text: string, wanted: string): number | undefined {
  for (const at of outside(text)) if (text.startsWith(wanted, at)) return at;
  return undefined;
}

/** The position where the first bracket closes. */
export function closingOf(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (opening.has(text.charAt(at))) depth++;
    if (closing.has(text.charAt(at)) && --depth === 0) return at;
  }
  return undefined;
}
