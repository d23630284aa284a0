import { itemAt } from '../../core/item-at.ts';
import { sha256 } from '../../core/sha256.ts';

/** The shape of a goal, independent of the names and order of hypotheses and preamble constants. */
export interface GoalShape {
  /** Equal for goals that differ only in names and in the order of hypotheses. */
  readonly key: string;
  /** The leading binders in a canonical order, by their numbers in the goal. */
  readonly order: readonly number[];
  /** The preamble's constants that the goal mentions, in canonical order. */
  readonly own: readonly string[];
}

type Node = readonly string[];

/** A goal with more nodes than this has no shape. */
const maxNodes = 4000;
/** Refinement rounds: hypotheses soon differ by the others they mention. */
const rounds = 3;

/**
 * The shape of a canonical form (docs/PROTOCOL.md). The leading binders are coloured by their types and by how the
 * others mention them, until a round distinguishes no more of them; binders of equal colour are interchangeable.
 */
export function shapeOf(canonical: string, ownNames: ReadonlySet<string>): GoalShape | undefined {
  const lines = canonical.trimEnd().split('\n');
  if (lines.length > maxNodes) return undefined;
  const nodes = lines.slice(0, -1).map((line): Node => line.split(' '));
  const types: number[] = [];
  let body = Number(lines.at(-1));
  for (let node = nodes[body]; node?.[0] === 'p'; node = nodes[body]) {
    types.push(Number(node[1]));
    body = Number(node[2]);
  }
  const reading = new Reading(nodes, ownNames);
  let colours = types.map(() => '·');
  for (let round = 0; round < rounds; round++) {
    const known = colours;
    colours = known.map((colour, index) => {
      const marked = known.with(index, `${colour}!`);
      const about = types.map((type, other) => reading.hash(type, marked.slice(0, other)));
      const itself = about[index] ?? '';
      return sha256(
        JSON.stringify([itself, about.toSpliced(index, 1).sort(), reading.hash(body, marked)]),
      ).slice(0, 16);
    });
  }
  // binders mentioned by the target keep its order, which similar goals share
  const first = reading.binders(body, types.length);
  const placeOf = (binder: number): number => (first.includes(binder) ? first.indexOf(binder) : first.length);
  const order = [...types.keys()].sort(
    (one, two) => placeOf(one) - placeOf(two) || compare(colours[one] ?? '', colours[two] ?? '') || one - two,
  );
  const parts = order.map((index) => reading.hash(itemAt(types, index), colours.slice(0, index)));
  const key = sha256(JSON.stringify([parts, reading.hash(body, colours)])).slice(0, 32);
  return { key, order, own: reading.met([body, ...order.map((index) => itemAt(types, index))]) };
}

/** Reads nodes under binders that have colours instead of numbers. */
class Reading {
  readonly #nodes: readonly Node[];
  readonly #own: ReadonlySet<string>;

  constructor(nodes: readonly Node[], own: ReadonlySet<string>) {
    this.#nodes = nodes;
    this.#own = own;
  }

  hash(root: number, colours: readonly string[]): string {
    const known = new Map<string, string>();
    const walk = (index: number, depth: number): string => {
      const place = `${index} ${depth}`;
      const before = known.get(place);
      if (before !== undefined) return before;
      const text = this.#say(this.#nodes[index] ?? [], depth, colours, walk);
      const short = text.length > 40 ? sha256(text).slice(0, 32) : text;
      known.set(place, short);
      return short;
    };
    return walk(root, 0);
  }

  /** The leading binders that a node mentions, in order of first use; `depth` binders surround it. */
  binders(root: number, around: number): number[] {
    const seen = new Set<string>();
    const found = new Set<number>();
    const walk = (index: number, depth: number): void => {
      const place = `${index} ${depth}`;
      if (seen.has(place)) return;
      seen.add(place);
      const node = this.#nodes[index] ?? [];
      const [kind, number] = node;
      if (kind === 'b' && Number(number) >= depth) found.add(around - 1 - (Number(number) - depth));
      const children = childrenOf(node);
      // the last child of a binder is its body
      const binds = kind === 'l' || kind === 'p' || kind === 'd';
      for (const [at, child] of children.entries())
        walk(child, depth + Number(binds && at === children.length - 1));
    };
    walk(root, 0);
    return [...found];
  }

  /** The preamble's constants below these nodes, without duplicates, in traversal order. */
  met(roots: readonly number[]): string[] {
    const seen = new Set<number>();
    const found = new Set<string>();
    const walk = (index: number): void => {
      if (seen.has(index)) return;
      seen.add(index);
      const node = this.#nodes[index] ?? [];
      if (node[0] === 'c' && this.#own.has(node[1] ?? '')) found.add(node[1] ?? '');
      for (const child of childrenOf(node)) walk(child);
    };
    for (const root of roots) walk(root);
    return [...found];
  }

  #say(
    node: Node,
    depth: number,
    colours: readonly string[],
    walk: (index: number, depth: number) => string,
  ): string {
    const [kind = '', first = '', second = '', third = ''] = node;
    switch (kind) {
      case 'b': {
        const index = Number(first);
        return index < depth ? `b${index}` : `«${colours[colours.length - 1 - (index - depth)] ?? index}»`;
      }
      case 'c':
        return this.#own.has(first) ? 'own' : node.join(' ');
      case 'a':
        return `(${walk(Number(first), depth)} ${walk(Number(second), depth)})`;
      case 'l':
      case 'p':
        return `${kind}(${walk(Number(first), depth)} ${walk(Number(second), depth + 1)})`;
      case 'd':
        return `d(${walk(Number(first), depth)} ${walk(Number(second), depth)} ${walk(Number(third), depth + 1)})`;
      case 'j':
        return `j(${this.#own.has(first) ? 'own' : first} ${second} ${walk(Number(third), depth)})`;
      default:
        return node.join(' ');
    }
  }
}

function childrenOf([kind, first, second, third]: Node): number[] {
  if (kind === 'a' || kind === 'l' || kind === 'p') return [Number(first), Number(second)];
  if (kind === 'd') return [Number(first), Number(second), Number(third)];
  return kind === 'j' ? [Number(third)] : [];
}

function compare(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0;
}
