interface Declaration {
  readonly name: string;
  readonly isDefinition: boolean;
  readonly isPredicate: boolean;
  /** The operations among a structure's fields, with their number of arguments. */
  readonly operations: ReadonlyMap<string, number>;
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

/** The preamble's declarations as text: their order, and the words of their bodies. */
export class PremiseDeclarations {
  readonly #declarations: readonly Declaration[];

  constructor(preamble: string) {
    const head =
      /^[ \t]*(?:@\[[^\]]*\]\s*)*(?:(?:private|protected|noncomputable|partial|scoped|local)\s+)*(def|abbrev|theorem|lemma|instance|axiom|opaque|inductive|structure|class)\b[ \t]*([^\s:({[⦃]*)/gm;
    const heads = [...preamble.matchAll(head)];
    this.#declarations = heads.map(({ 1: keyword, 2: name = '', index }, place) => {
      const body = preamble.slice(index, heads[place + 1]?.index);
      return {
        name,
        isDefinition: keyword === 'def' || keyword === 'abbrev',
        operations: keyword === 'class' || keyword === 'structure' ? operationsIn(body) : new Map(),
        isPredicate: keyword === 'inductive' && /^[^|]*:[^|]*\bProp\b/.test(body),
        words: new Set(body.match(/[\p{L}\p{N}_'!?₀-₉]+/gu) ?? []),
        text: body,
      };
    });
  }

  /** The number of arguments of a structure's operation; undefined for other fields. */
  arityOf(name: string): number | undefined {
    const at = name.lastIndexOf('.');
    return at < 0 ? undefined : this.#find(name.slice(0, at))?.operations.get(name.slice(at + 1));
  }

  isEliminator(name: string): boolean {
    return this.#find(name)?.words.has('motive') === true;
  }

  /** Later declarations are higher. */
  placeOf(name: string): number {
    return this.#declarations.findLastIndex((declaration) => isSame(name, declaration.name));
  }

  /** A declaration as written. */
  textOf(name: string): string | undefined {
    return this.#find(name)?.text;
  }

  /** The definitions reachable from some names, as written. */
  bodiesUnder(names: readonly string[]): string[] {
    const found = new Set(names.flatMap((name) => this.#find(name) ?? []).filter(isUnfolded));
    // iterating a set includes elements added meanwhile
    for (const { words } of found)
      for (const other of this.#declarations)
        if (isUnfolded(other) && words.has(lastPart(other.name))) found.add(other);
    return [...found].map(({ text }) => text);
  }

  #find(name: string): Declaration | undefined {
    return this.#declarations.find((declaration) => isSame(name, declaration.name));
  }
}

/** `op : α → α → α` takes two. */
function operationsIn(body: string): Map<string, number> {
  const found = body.matchAll(/^\s+([\p{L}\p{N}_']+) : (\p{L}+)((?: → \2)+)$/gmu);
  return new Map([...found].map(([, name = '', , rest = '']) => [name, rest.split('→').length - 1]));
}

function isSame(full: string, written: string): boolean {
  return written !== '' && (full === written || full.endsWith(`.${written}`));
}

function isUnfolded({ isDefinition, isPredicate }: Declaration): boolean {
  return isDefinition || isPredicate;
}

export function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}
