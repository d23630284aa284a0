import type { Definition } from './environment.ts';
import {
  APPLY,
  CONSTANT,
  LAMBDA,
  NUMBER,
  PI,
  PROJECTION,
  SORT,
  TEXT,
  argumentsOf,
  headFunction,
  type Binder,
  type Expr,
} from './expr.ts';
import { levelListsEqual, levelsEqual } from './level.ts';
import type { Literals } from './literals.ts';
import type { Machine } from './machine.ts';
import type { KernelName } from './name.ts';
import type { Reduction } from './reduce.ts';
import { instantiate } from './substitute.ts';

const pair = (a: Expr, b: Expr): number => (a.id < b.id ? a.id * 0x4000000 + b.id : b.id * 0x4000000 + a.id);

/**
 * Definitional equality. Answers are cached by pair. They are never merged into equivalence classes: definitional
 * equality is not transitive in practice, so with classes an answer would depend on earlier questions.
 */
export class Equality {
  private readonly machine: Machine;
  private readonly reduction: Reduction;
  private readonly literals: Literals;
  private readonly yes: KernelName;
  private proved = new Set<number>();
  private failed = new Set<number>();

  constructor(machine: Machine, reduction: Reduction, literals: Literals) {
    this.machine = machine;
    this.reduction = reduction;
    this.literals = literals;
    this.yes = machine.terms.names.of('Bool', 'true');
  }

  forget(): void {
    this.proved = new Set();
    this.failed = new Set();
  }

  equal(a: Expr, b: Expr): boolean {
    if (a === b) return true;
    const quick = this.quick(a, b);
    if (quick !== null) return quick;
    const key = pair(a, b);
    if (this.proved.has(key)) return true;
    if (this.failed.has(key)) return false;
    this.machine.enter();
    const result = this.compare(a, b);
    this.machine.leave();
    (result ? this.proved : this.failed).add(key);
    return result;
  }

  /** Decides by the outermost nodes, if they suffice. */
  private quick(a: Expr, b: Expr): boolean | null {
    if (a === b) return true;
    if (a.kind === SORT && b.kind === SORT) return levelsEqual(a.value, b.value);
    if ((a.kind === LAMBDA && b.kind === LAMBDA) || (a.kind === PI && b.kind === PI))
      return this.binders(a, b);
    if ((a.kind === NUMBER && b.kind === NUMBER) || (a.kind === TEXT && b.kind === TEXT)) return false;
    return null;
  }

  private binders(a: Binder, b: Binder): boolean {
    const { terms } = this.machine;
    const key = pair(a, b);
    if (this.proved.has(key)) return true;
    if (this.failed.has(key)) return false;
    this.machine.enter();
    const opened: Expr[] = [];
    let index = Math.max(a.free, b.free);
    let result = true;
    let [left, right]: [Expr, Expr] = [a, b];
    while (left.kind === a.kind && right.kind === a.kind) {
      const domain = instantiate(terms, left.left, opened);
      if (left.left !== right.left && !this.equal(domain, instantiate(terms, right.left, opened))) {
        result = false;
        break;
      }
      opened.push(terms.free(index++, domain));
      [left, right] = [left.right, right.right];
    }
    result &&= this.equal(instantiate(terms, left, opened), instantiate(terms, right, opened));
    this.machine.leave();
    (result ? this.proved : this.failed).add(key);
    return result;
  }

  private isYes(e: Expr): boolean {
    return e.kind === CONSTANT && e.name === this.yes;
  }

  private compare(a: Expr, b: Expr): boolean {
    // for a decision procedure, evaluate it instead of unfolding it in step with a constant
    if (a.free === 0 && this.isYes(b) && this.machine.whnf(a) === b) return true;
    if (b.free === 0 && this.isYes(a) && this.machine.whnf(b) === a) return true;
    const x = this.machine.whnfCore(a, true);
    const y = this.machine.whnfCore(b, true);
    if (x !== a || y !== b) {
      const quick = this.quick(x, y);
      if (quick !== null) return quick;
    }
    return this.sameProof(x, y) ?? this.unfoldInStep(x, y);
  }

  /** Two proofs of one proposition are equal. */
  private sameProof(x: Expr, y: Expr): boolean | null {
    const type = this.machine.infer(x);
    if (!this.machine.isProposition(type)) return null;
    return this.equal(type, this.machine.infer(y));
  }

  /** Unfolds definitions, the one with the greater height first, until the heads decide. */
  private unfoldInStep(first: Expr, second: Expr): boolean {
    let [x, y] = [first, second];
    for (;;) {
      const numbers = this.numbers(x, y);
      if (numbers !== null) return numbers;
      const next = this.unfoldOne(x, y);
      if (next === null) break;
      if (typeof next === 'boolean') return next;
      this.machine.enter();
      this.machine.leave();
      [x, y] = next;
      const quick = this.quick(x, y);
      if (quick !== null) return quick;
    }
    return this.stuck(x, y);
  }

  private numbers(x: Expr, y: Expr): boolean | null {
    const before = this.literals.predecessor(x);
    if (before !== null) {
      const other = this.literals.predecessor(y);
      if (other !== null) return this.equal(before, other);
    }
    const value = this.literals.asNumber(x);
    if (value !== null && value === this.literals.asNumber(y)) return true;
    // with free variables, evaluating one side would lose the shape that both share
    if (x.free > 0 || y.free > 0) return null;
    const left = this.literals.arithmetic(x);
    if (left !== null) return this.equal(left, y);
    const right = this.literals.arithmetic(y);
    return right === null ? null : this.equal(x, right);
  }

  private unfolded(e: Expr): Expr {
    return this.machine.whnfCore(this.machine.unfold(e) ?? e, true);
  }

  /** One round of unfolding: an answer if the result decides, null if neither side can be unfolded. */
  private unfoldOne(x: Expr, y: Expr): [Expr, Expr] | boolean | null {
    const left = this.reduction.definition(x);
    const right = this.reduction.definition(y);
    if (left === null && right === null) return null;
    if (right === null) {
      const projected = this.reduction.unfoldProjection(y);
      return projected === null ? [this.unfolded(x), y] : [x, projected];
    }
    if (left === null) {
      const projected = this.reduction.unfoldProjection(x);
      return projected === null ? [x, this.unfolded(y)] : [projected, y];
    }
    if (left.height > right.height) return [this.unfolded(x), y];
    if (left.height < right.height) return [x, this.unfolded(y)];
    if (left === right && this.sameArguments(left, x, y)) return true;
    return [this.unfolded(x), this.unfolded(y)];
  }

  /** Two applications of one definition are equal if the arguments are. */
  private sameArguments(definition: Definition, x: Expr, y: Expr): boolean {
    if (definition.value === null) return false;
    const [f, g] = [headFunction(x), headFunction(y)];
    if (f.kind !== CONSTANT || g.kind !== CONSTANT || !levelListsEqual(f.value, g.value)) return false;
    return this.allEqual(argumentsOf(x), argumentsOf(y));
  }

  private allEqual(xs: readonly Expr[], ys: readonly Expr[]): boolean {
    return xs.length === ys.length && xs.every((x, i) => this.equal(x, ys[i] ?? x));
  }

  /** Compares terms that cannot be unfolded further. */
  private stuck(x: Expr, y: Expr): boolean {
    if (x.kind === CONSTANT && y.kind === CONSTANT && x.name === y.name && levelListsEqual(x.value, y.value))
      return true;
    if (
      x.kind === PROJECTION &&
      y.kind === PROJECTION &&
      x.index === y.index &&
      x.name === y.name &&
      this.equal(x.left, y.left)
    )
      return true;
    const left = this.machine.whnfCore(x, false);
    const right = this.machine.whnfCore(y, false);
    if (left !== x || right !== y) return this.equal(left, right);
    return (
      this.sameApplication(x, y) ||
      this.etaFunction(x, y) ||
      this.etaFunction(y, x) ||
      this.etaStructure(x, y) ||
      this.etaStructure(y, x) ||
      this.sameText(x, y) ||
      this.sameText(y, x) ||
      this.withoutFields(x, y)
    );
  }

  private sameApplication(x: Expr, y: Expr): boolean {
    if (x.kind !== APPLY || y.kind !== APPLY) return false;
    const [xs, ys] = [argumentsOf(x), argumentsOf(y)];
    return xs.length === ys.length && this.equal(headFunction(x), headFunction(y)) && this.allEqual(xs, ys);
  }

  /** `fun a => b` against something that is not a lambda: `fun a => y a`. */
  private etaFunction(x: Expr, y: Expr): boolean {
    if (x.kind !== LAMBDA || y.kind === LAMBDA) return false;
    const { terms } = this.machine;
    const type = this.machine.whnf(this.machine.infer(y));
    if (type.kind !== PI) return false;
    return this.equal(x, terms.lambda(type.left, terms.apply(y, terms.bound(0))));
  }

  /** A constructor application of a structure against any value of it: field by field. */
  private etaStructure(x: Expr, y: Expr): boolean {
    const { terms, environment } = this.machine;
    const head = headFunction(x);
    if (head.kind !== CONSTANT) return false;
    const info = environment.find(head.name);
    if (info?.kind !== 'constructor') return false;
    const args = argumentsOf(x);
    if (args.length !== info.paramCount + info.fieldCount) return false;
    if (environment.etaStructure(info.inductive) === null) return false;
    if (!this.equal(this.machine.infer(x), this.machine.infer(y))) return false;
    return args
      .slice(info.paramCount)
      .every((field, i) => this.equal(field, terms.projection(info.inductive, i, y)));
  }

  private sameText(x: Expr, y: Expr): boolean {
    if (x.kind !== TEXT || y.kind !== APPLY || y.left.kind !== CONSTANT) return false;
    return y.left.name === this.literals.textMaker() && this.equal(this.literals.textAsTerm(x.value), y);
  }

  /** Two values of a structure without fields are equal. */
  private withoutFields(x: Expr, y: Expr): boolean {
    const type = this.machine.whnf(this.machine.infer(x));
    const head = headFunction(type);
    if (head.kind !== CONSTANT) return false;
    const structure = this.machine.environment.etaStructure(head.name);
    if (structure === null || structure.constructor.fieldCount !== 0) return false;
    return this.equal(type, this.machine.infer(y));
  }
}
