/** A Lean name in the protocol, as its parts: `a.«b.c»` is `["a", "b.c"]` and differs from `a.b.c`. */
export type Name = readonly (string | number)[];

const part = /«((?:[^»]|»»)*)»|[^.«»]+/y;

/** Parses a name as Lean does; inside `«…»` a `»` is doubled. Undefined if the text is not a name. */
export function parseName(text: string): Name | undefined {
  const parts: (string | number)[] = [];
  part.lastIndex = 0;
  for (;;) {
    const match = part.exec(text);
    if (!match) return undefined;
    const [plain, quoted] = match;
    if (quoted !== undefined) parts.push(quoted.replaceAll('»»', '»'));
    else parts.push(/^\d+$/.test(plain) ? Number(plain) : plain);
    const end = match.index + plain.length;
    if (end === text.length) return parts;
    if (text[end] !== '.') return undefined;
    part.lastIndex = end + 1;
  }
}

/** Names that a user or a tactic wrote. Text that is not a name is ignored. */
export function parseNames(texts: readonly string[]): Name[] {
  return texts.flatMap((text) => {
    const name = parseName(text.trim().replace(/^_root_\./, ''));
    return name ? [name] : [];
  });
}

/**
 * A declaration's name without what only Lean or its file adds: the prefix of private ones, with the module if there is one, and the
 * namespaces before `_root_`.
 */
export function sourceName(name: string): string {
  return name.replace(/^_private\.(?:.*?\.)?\d+\./, '').replace(/^(?:.*\.)?_root_\./, '');
}

/** Whether a name occurs in a text as a word. */
export function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_'!?₀-₉✝]+/u).includes(name);
}
