/** Hierarchical names, one object per name: equal names are the same object. */
export interface Name {
  readonly id: number;
  readonly parent: Name | null;
  readonly part: string | bigint;
  readonly children: Map<string | bigint, Name>;
}

/** A part that Lean reads back without `«»`. */
const plain = /^[\p{L}_][\p{L}\p{N}_!?'₀-₉]*$/u;

export class Names {
  readonly anonymous: Name = { id: 0, parent: null, part: '', children: new Map() };
  private count = 1;

  child(parent: Name, part: string | bigint): Name {
    const known = parent.children.get(part);
    if (known !== undefined) return known;
    const name: Name = { id: this.count++, parent, part, children: new Map() };
    parent.children.set(part, name);
    return name;
  }

  /** A name from plain parts: `of('Nat', 'add')`. */
  of(...parts: string[]): Name {
    return parts.reduce((name, part) => this.child(name, part), this.anonymous);
  }
}

/** The parts of a name, outermost first. */
export function nameParts(name: Name): (string | bigint)[] {
  const parts: (string | bigint)[] = [];
  for (let at: Name = name; at.parent !== null; at = at.parent) parts.push(at.part);
  return parts.reverse();
}

const partText = (part: string | bigint): string =>
  typeof part === 'bigint' ? String(part) : plain.test(part) ? part : `«${part.replaceAll('»', '»»')}»`;

/** Different names have different texts. */
export function nameText(name: Name): string {
  return name.parent === null ? '[anonymous]' : nameParts(name).map(partText).join('.');
}
