import { decline } from './outcome.ts';

/** Hierarchical names, one object per name: equal names are the same object. */
export interface KernelName {
  readonly id: number;
  readonly parent: KernelName | null;
  readonly part: string | bigint;
  /** number of parts */
  readonly depth: number;
  readonly children: Map<string | bigint, KernelName>;
}

/** The cost of work on a name is its number of parts. */
const MAX_PARTS = 1000;

/** A part that needs no `«»` in Lean. */
const plain = /^[\p{L}_][\p{L}\p{N}_!?'₀-₉]*$/u;

export class Names {
  readonly anonymous: KernelName = { id: 0, parent: null, part: '', depth: 0, children: new Map() };
  private count = 1;

  child(parent: KernelName, part: string | bigint): KernelName {
    const known = parent.children.get(part);
    if (known !== undefined) return known;
    const depth = parent.depth + 1;
    if (depth > MAX_PARTS) decline(`a name has more than ${MAX_PARTS} parts`);
    const name: KernelName = { id: this.count++, parent, part, depth, children: new Map() };
    parent.children.set(part, name);
    return name;
  }

  /** A name from plain parts: `of('Nat', 'add')`. */
  of(...parts: string[]): KernelName {
    return parts.reduce((name, part) => this.child(name, part), this.anonymous);
  }
}

/** The parts of a name, outermost first. */
export function nameParts(name: KernelName): (string | bigint)[] {
  const parts: (string | bigint)[] = [];
  for (let at: KernelName = name; at.parent !== null; at = at.parent) parts.push(at.part);
  return parts.reverse();
}

const partText = (part: string | bigint): string =>
  typeof part === 'bigint' ? String(part) : plain.test(part) ? part : `«${part.replaceAll('»', '»»')}»`;

/** Different names have different texts. */
export function nameText(name: KernelName): string {
  return name.parent === null ? '[anonymous]' : nameParts(name).map(partText).join('.');
}
