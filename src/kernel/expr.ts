import { LevelTable, type Level, type Levels } from './level.ts';
import { Names, type KernelName } from './name.ts';
import { decline } from './outcome.ts';

/**
 * Expressions, hash-consed: equal expressions are the same object, so alpha-equivalence is `===`. Binder names and kinds mean nothing to
 * a kernel and are not kept.
 *
 * Bound variables are de Bruijn indices. A binder is opened by putting a free variable in its place. A free variable is named by a
 * number and its type; the number must be at least `free` of every expression it has to be fresh for (`free` is one more than
 * the largest number in the expression). So no context is needed: an expression knows the types of its variables, and results
 * about it can be cached for good.
 *
 * All kinds have one shape in memory (see `Terms.node`), which keeps property access fast.
 */
export const BOUND = 0;
export const SORT = 1;
export const CONSTANT = 2;
export const APPLY = 3;
export const LAMBDA = 4;
export const PI = 5;
export const LET = 6;
export const NUMBER = 7;
export const TEXT = 8;
export const PROJECTION = 9;
export const FREE = 10;

interface Base {
  readonly id: number;
  /** one more than the largest loose bound variable; 0: closed */
  readonly loose: number;
  /** one more than the largest free variable; 0: none */
  readonly free: number;
  /** whether it contains universe parameters */
  readonly polymorphic: boolean;
  /** the nesting depth of the term */
  readonly depth: number;
}
interface Bound extends Base {
  readonly kind: typeof BOUND;
  readonly index: number;
}
interface Sort extends Base {
  readonly kind: typeof SORT;
  readonly value: Level;
}
export interface KernelConstant extends Base {
  readonly kind: typeof CONSTANT;
  readonly name: KernelName;
  readonly value: Levels;
}
/** `left` applied to `right` */
export interface Apply extends Base {
  readonly kind: typeof APPLY;
  readonly left: Expr;
  readonly right: Expr;
}
/** a binder with the domain `left` and the body `right` */
export interface Binder extends Base {
  readonly kind: typeof LAMBDA | typeof PI;
  readonly left: Expr;
  readonly right: Expr;
}
/** `let : left := right; third` */
interface Let extends Base {
  readonly kind: typeof LET;
  readonly left: Expr;
  readonly right: Expr;
  readonly third: Expr;
}
interface NumberLiteral extends Base {
  readonly kind: typeof NUMBER;
  readonly value: bigint;
}
interface TextLiteral extends Base {
  readonly kind: typeof TEXT;
  readonly value: string;
}
/** field `index` of `left`, which is a `name` */
export interface Projection extends Base {
  readonly kind: typeof PROJECTION;
  readonly name: KernelName;
  readonly index: number;
  readonly left: Expr;
}
/** variable number `index` of type `left` */
export interface Free extends Base {
  readonly kind: typeof FREE;
  readonly index: number;
  readonly left: Expr;
}
export type Expr =
  | Bound
  | Sort
  | KernelConstant
  | Apply
  | Binder
  | Let
  | NumberLiteral
  | TextLiteral
  | Projection
  | Free;

interface Node extends Base {
  readonly kind: number;
  readonly left: Expr | null;
  readonly right: Expr | null;
  readonly third: Expr | null;
  readonly name: KernelName | null;
  readonly value: unknown;
  readonly index: number;
  readonly hash: number;
}

/** Past this many nodes the kernel declines: about 1 GB. */
export const MAX_NODES = 6_000_000;

/** Deeper terms are declined before the JavaScript stack overflows. The caller provides a stack for this depth. */
const MAX_DEPTH = 100_000;

/** Closing binders takes quadratic time in their number. */
const MAX_VARIABLES = 10_000;

/** Names, levels and expressions of one check. */
export class Terms {
  readonly names = new Names();
  readonly levels = new LevelTable();
  readonly maxNodes: number;
  private readonly nodes: Node[] = [];
  private slots = new Int32Array(1 << 14);
  private readonly values = new Map<unknown, number>();
  readonly prop: Expr;

  constructor(maxNodes = MAX_NODES) {
    this.maxNodes = maxNodes;
    this.prop = this.sort(this.levels.zero);
  }

  get size(): number {
    return this.nodes.length;
  }

  /** Drops every node made after the first `size` ones. Nothing may refer to them. */
  truncate(size: number): void {
    // linear probing without tombstones: removing nodes in reverse order of insertion restores the earlier table
    for (let id = this.nodes.length - 1; id >= size; id--) {
      const node = this.nodes.pop();
      if (node === undefined) break;
      let slot = node.hash & (this.slots.length - 1);
      while (this.slots[slot] !== id + 1) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = 0;
      this.values.delete(node.value);
    }
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (const node of this.nodes) {
      let slot = node.hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = node.id + 1;
    }
    this.slots = slots;
  }

  // Positional: an object per term would double what the checker allocates.
  // oxlint-disable-next-line max-params
  private node(
    kind: number,
    left: Expr | null,
    right: Expr | null,
    third: Expr | null,
    name: KernelName | null,
    value: unknown,
    valueId: number,
    index: number,
  ): Expr {
    let hash = Math.imul(kind + 1, 0x9e3779b1);
    hash = Math.imul(hash ^ (left === null ? 0 : left.id + 1), 0x85ebca6b);
    hash = Math.imul((hash ^ (hash >>> 15)) + (right === null ? 0 : right.id + 1), 0xc2b2ae35);
    hash = Math.imul((hash ^ (hash >>> 13)) + (third === null ? 0 : third.id + 1), 0x27d4eb2f);
    hash = Math.imul((hash ^ (hash >>> 16)) + (name === null ? 0 : name.id), 0x165667b1);
    hash = Math.imul((hash ^ (hash >>> 14)) + valueId * 31 + index, 0x9e3779b1);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const taken = this.slots[slot] ?? 0;
      if (taken === 0) break;
      const other = this.nodes[taken - 1];
      if (
        other !== undefined &&
        other.hash === hash &&
        other.left === left &&
        other.right === right &&
        other.kind === kind &&
        other.name === name &&
        other.index === index &&
        other.value === value &&
        other.third === third
      )
        return other as Expr;
      slot = (slot + 1) & mask;
    }
    const id = this.nodes.length;
    if (id >= this.maxNodes) decline(`out of memory: more than ${this.maxNodes} terms`);
    const binds = kind === LAMBDA || kind === PI;
    let loose = left === null || kind === FREE ? 0 : left.loose;
    let free = left === null ? 0 : left.free;
    let polymorphic = left === null ? false : left.polymorphic;
    let depth = left === null ? 0 : left.depth;
    if (right !== null) {
      loose = Math.max(loose, binds ? right.loose - 1 : right.loose);
      free = Math.max(free, right.free);
      polymorphic ||= right.polymorphic;
      depth = Math.max(depth, right.depth);
    }
    if (third !== null) {
      loose = Math.max(loose, third.loose - 1);
      free = Math.max(free, third.free);
      polymorphic ||= third.polymorphic;
      depth = Math.max(depth, third.depth);
    }
    if (++depth > MAX_DEPTH) decline(`more than ${MAX_DEPTH} nested terms`);
    if (kind === BOUND) loose = index + 1;
    if (kind === FREE) free = index + 1;
    if (kind === SORT) polymorphic = (value as Level).hasParam;
    if (kind === CONSTANT) polymorphic = (value as Levels).hasParam;
    const node: Node = {
      kind,
      id,
      loose,
      free,
      polymorphic,
      depth,
      left,
      right,
      third,
      name,
      value,
      index,
      hash,
    };
    this.nodes.push(node);
    this.slots[slot] = id + 1;
    if (this.nodes.length * 2 > this.slots.length) this.grow();
    return node as Expr;
  }

  bound(index: number): Expr {
    return this.node(BOUND, null, null, null, null, null, 0, index);
  }
  sort(level: Level): Expr {
    return this.node(SORT, null, null, null, null, level, level.id, 0);
  }
  constant(name: KernelName, levels: Levels): Expr {
    return this.node(CONSTANT, null, null, null, name, levels, levels.id, 0);
  }
  apply(left: Expr, right: Expr): Expr {
    return this.node(APPLY, left, right, null, null, null, 0, 0);
  }
  lambda(domain: Expr, body: Expr): Expr {
    return this.node(LAMBDA, domain, body, null, null, null, 0, 0);
  }
  pi(domain: Expr, body: Expr): Expr {
    return this.node(PI, domain, body, null, null, null, 0, 0);
  }
  binder(kind: typeof LAMBDA | typeof PI, domain: Expr, body: Expr): Expr {
    return this.node(kind, domain, body, null, null, null, 0, 0);
  }
  let(type: Expr, value: Expr, body: Expr): Expr {
    return this.node(LET, type, value, body, null, null, 0, 0);
  }
  number(value: bigint): Expr {
    return this.node(NUMBER, null, null, null, null, value, this.valueId(value), 0);
  }
  text(value: string): Expr {
    return this.node(TEXT, null, null, null, null, value, this.valueId(value), 0);
  }
  projection(name: KernelName, index: number, value: Expr): Expr {
    return this.node(PROJECTION, value, null, null, name, null, 0, index);
  }
  /** Variable number `index`; it is fresh for every expression whose `free` is at most `index`. */
  free(index: number, type: Expr): Free {
    if (index > MAX_VARIABLES) decline(`more than ${MAX_VARIABLES} binders are open at a time`);
    return this.node(FREE, type, null, null, null, null, 0, index) as Free;
  }

  private valueId(value: bigint | string): number {
    const known = this.values.get(value);
    if (known !== undefined) return known;
    // unique among the nodes that exist: a hash needs no more
    const id = this.nodes.length;
    this.values.set(value, id);
    return id;
  }

  applyAll(head: Expr, args: readonly Expr[]): Expr {
    let result = head;
    for (const arg of args) result = this.apply(result, arg);
    return result;
  }
}

export function headFunction(e: Expr): Expr {
  let head = e;
  while (head.kind === APPLY) head = head.left;
  return head;
}

export function argumentsOf(e: Expr): Expr[] {
  const args: Expr[] = [];
  for (let at = e; at.kind === APPLY; at = at.left) args.push(at.right);
  return args.reverse();
}
