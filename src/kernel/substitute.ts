import {
  APPLY,
  BOUND,
  CONSTANT,
  FREE,
  LAMBDA,
  LET,
  NUMBER,
  PI,
  PROJECTION,
  SORT,
  TEXT,
  type Expr,
  type Free,
  type Terms,
} from './expr.ts';
import type { Level } from './level.ts';
import type { KernelName } from './name.ts';

/** Below this number of steps, a memo table costs more than it saves. */
const SMALL = 24;

/**
 * One pass over an expression that rebuilds the changed parts. For each node, `leaf` returns a replacement, the node
 * itself to keep it, or null to descend. `offset` is the number of binders passed.
 */
class Rewrite {
  private readonly terms: Terms;
  private readonly leaf: (e: Expr, offset: number) => Expr | null;
  /** 1 if the offset matters, 0 if a node has the same result below any number of binders */
  private readonly binder: 0 | 1;
  private steps = 0;
  private memo: Map<number, Expr> | null = null;

  constructor(terms: Terms, binder: 0 | 1, leaf: (e: Expr, offset: number) => Expr | null) {
    this.terms = terms;
    this.binder = binder;
    this.leaf = leaf;
  }

  run(e: Expr, offset: number): Expr {
    const leaf = this.leaf(e, offset);
    if (leaf !== null) return leaf;
    const key = e.id * 0x200000 + offset;
    if (this.memo !== null) {
      const known = this.memo.get(key);
      if (known !== undefined) return known;
    } else if (++this.steps > SMALL) this.memo = new Map();
    const result = this.rebuild(e, offset);
    this.memo?.set(key, result);
    return result;
  }

  private rebuild(e: Expr, offset: number): Expr {
    const { terms } = this;
    switch (e.kind) {
      case APPLY: {
        const left = this.run(e.left, offset);
        const right = this.run(e.right, offset);
        return left === e.left && right === e.right ? e : terms.apply(left, right);
      }
      case LAMBDA:
      case PI: {
        const left = this.run(e.left, offset);
        const right = this.run(e.right, offset + this.binder);
        return left === e.left && right === e.right ? e : terms.binder(e.kind, left, right);
      }
      case LET: {
        const left = this.run(e.left, offset);
        const right = this.run(e.right, offset);
        const third = this.run(e.third, offset + this.binder);
        return left === e.left && right === e.right && third === e.third ? e : terms.let(left, right, third);
      }
      case PROJECTION: {
        const left = this.run(e.left, offset);
        return left === e.left ? e : terms.projection(e.name, e.index, left);
      }
      case BOUND:
      case SORT:
      case CONSTANT:
      case NUMBER:
      case TEXT:
      case FREE:
        return e;
    }
  }
}

/**
 * Substitutes closed expressions for the innermost loose bound variables, the last one for variable 0. Substituted
 * terms have no loose variables, so nothing needs lifting.
 */
export function instantiate(terms: Terms, e: Expr, values: readonly Expr[]): Expr {
  const count = values.length;
  if (e.loose === 0 || count === 0) return e;
  const pass = new Rewrite(terms, 1, (node, offset) => {
    if (node.loose <= offset) return node;
    if (node.kind !== BOUND) return null;
    const at = node.index - offset;
    return at < count ? (values[count - 1 - at] ?? node) : terms.bound(node.index - count);
  });
  return pass.run(e, 0);
}

/** Turns free variables into bound ones, the last one into variable 0. */
export function abstract(terms: Terms, e: Expr, variables: readonly Free[]): Expr {
  const count = variables.length;
  let least = Infinity;
  for (const variable of variables) least = Math.min(least, variable.index);
  if (count === 0 || e.free <= least) return e;
  const pass = new Rewrite(terms, 1, (node, offset) => {
    if (node.free <= least) return node;
    if (node.kind !== FREE) return null;
    for (let i = count - 1; i >= 0; i--)
      if (variables[i] === node) return terms.bound(offset + count - 1 - i);
    return node;
  });
  return pass.run(e, 0);
}

/** `∀ variables, e` or `fun variables => e`. */
export function close(
  terms: Terms,
  kind: typeof LAMBDA | typeof PI,
  variables: readonly Free[],
  e: Expr,
): Expr {
  let result = abstract(terms, e, variables);
  let least = Infinity;
  for (const { index } of variables) least = Math.min(least, index);
  for (let i = variables.length - 1; i >= 0; i--) {
    const variable = variables[i];
    if (variable === undefined) break;
    // most domains do not mention the variables
    const domain =
      variable.left.free <= least ? variable.left : abstract(terms, variable.left, variables.slice(0, i));
    result = terms.binder(kind, domain, result);
  }
  return result;
}

/** Replaces universe parameters. */
export function instantiateLevels(
  terms: Terms,
  e: Expr,
  params: readonly KernelName[],
  levels: readonly Level[],
): Expr {
  if (!e.polymorphic || params.length === 0) return e;
  const values = new Map(params.map((name, i) => [name, levels[i] ?? terms.levels.zero]));
  const pass = new Rewrite(terms, 0, (node) => {
    if (!node.polymorphic) return node;
    if (node.kind === SORT) return terms.sort(terms.levels.instantiate(node.value, values));
    if (node.kind === CONSTANT)
      return terms.constant(node.name, terms.levels.instantiateList(node.value, values));
    return null;
  });
  return pass.run(e, 0);
}

/** Replaces constants by `rename`. */
export function replaceConstants(terms: Terms, e: Expr, rename: (name: KernelName) => KernelName): Expr {
  const pass = new Rewrite(terms, 0, (node) => {
    if (node.kind === CONSTANT) return terms.constant(rename(node.name), node.value);
    return null;
  });
  return pass.run(e, 0);
}

/** Visits every distinct node of an expression, parents first; `visit` returns false to skip a node's children. Not recursive. */
export function walk(e: Expr, visit: (node: Expr) => boolean): void {
  const seen = new Set<Expr>([e]);
  const stack: Expr[] = [e];
  const push = (node: Expr): void => {
    if (seen.has(node)) return;
    seen.add(node);
    stack.push(node);
  };
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!visit(node)) continue;
    switch (node.kind) {
      case LET:
        push(node.third);
        push(node.right);
        push(node.left);
        break;
      case APPLY:
      case LAMBDA:
      case PI:
        push(node.right);
        push(node.left);
        break;
      case PROJECTION:
        push(node.left);
        break;
      case BOUND:
      case SORT:
      case CONSTANT:
      case NUMBER:
      case TEXT:
      case FREE:
        break;
    }
  }
}
