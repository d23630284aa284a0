import { expect, test } from 'vitest';
import { APPLY, LAMBDA, PI, type Expr } from '../../src/kernel/expr.ts';
import { World } from '../helpers/kernel.ts';
import { SeededRandom } from '../helpers/random.ts';
import { times } from '../helpers/tier.ts';

/** Random well-typed terms, with every kind of computation in them: functions, `let`, definitions, recursors, projections, quotients, numbers. */
class TypedTerms extends World {
  readonly nat = this.c('Nat');
  readonly bool = this.c('Bool');
  private readonly random: SeededRandom;

  constructor(seed: number) {
    super();
    this.random = new SeededRandom(seed);
    this.withBasics();
    const { nat, type } = this;
    const step = this.fun(nat, () => this.fun(nat, (before) => this.app(this.c('Nat.succ'), before)));
    const add = this.fun(nat, (x) => this.fun(nat, (y) => this.natRec(nat, x, step, y)));
    this.define('Nat.add', this.arrow(nat, nat, nat), add);
    const u = this.u('u');
    this.define(
      'same',
      this.pi(this.sort(u), (a) => this.arrow(a, a)),
      this.fun(this.sort(u), (a) => this.fun(a, (x) => x)),
      ['u'],
    );
    // a type that shows only after a recursor has computed
    const choice = this.fun(this.bool, (b) =>
      this.app(
        this.c('Bool.rec', this.terms.levels.succ(this.one)),
        this.fun(this.bool, () => type),
        nat,
        this.bool,
        b,
      ),
    );
    this.define('Choice', this.arrow(this.bool, type), choice);
    this.add({ kind: 'quotient' });
  }

  private natRec(type: Expr, zero: Expr, step: Expr, at: Expr): Expr {
    const motive = this.fun(this.nat, () => type);
    return this.app(this.c('Nat.rec', this.one), motive, zero, step, at);
  }

  private choose<T>(...choices: readonly (() => T)[]): T {
    return this.random.pick(choices)();
  }

  /** A type, and how it can be written in a roundabout way. */
  typeOfSize(size: number): Expr {
    if (size <= 0)
      return this.choose(
        () => this.nat,
        () => this.bool,
      );
    const inside = (): Expr => this.typeOfSize(size - 2);
    return this.choose(
      () => this.nat,
      () => this.bool,
      () => this.app(this.c('Prod'), inside(), inside()),
      () => this.app(this.c('List', this.zero), inside()),
      () => this.arrow(inside(), inside()),
    );
  }

  private roundabout(type: Expr): Expr {
    return this.choose(
      () => type,
      () => this.app(this.c('same', this.terms.levels.succ(this.one)), this.type, type),
      () =>
        this.app(
          this.fun(this.type, (x) => x),
          type,
        ),
      () => (type === this.nat ? this.app(this.c('Choice'), this.c('Bool.false')) : type),
    );
  }

  /** A term of a type; variables in scope may be used. */
  term(type: Expr, size: number, scope: readonly Expr[]): Expr {
    if (size <= 0) {
      const variable = scope.find((one) => this.kernel.checker.infer(one) === type);
      return variable !== undefined && this.random.below(2) === 0 ? variable : this.smallest(type);
    }
    const of = (other: Expr, ...more: Expr[]): Expr => this.term(other, size - 2, [...scope, ...more]);
    const other = this.typeOfSize(2);
    const { terms, nat, bool } = this;
    return this.choose(
      () => this.introduction(type, size, scope),
      () => this.introduction(type, size, scope),
      () =>
        this.app(
          this.fun(this.roundabout(other), (x) => of(type, x)),
          of(other),
        ),
      () => {
        const value = of(other);
        const fn = this.fun(other, (x) => of(type, x));
        return fn.kind === LAMBDA ? terms.let(other, value, fn.right) : fn;
      },
      () => this.app(this.c('same', this.one), this.roundabout(type), of(type)),
      () =>
        this.app(
          this.c('Bool.rec', this.one),
          this.fun(bool, () => type),
          of(type),
          of(type),
          of(bool),
        ),
      () =>
        this.natRec(
          type,
          of(type),
          this.fun(nat, (n) => this.fun(type, (before) => of(type, n, before))),
          of(nat),
        ),
      () => terms.projection(this.name('Prod'), 0, of(this.app(this.c('Prod'), type, other))),
      () => terms.projection(this.name('Prod'), 1, of(this.app(this.c('Prod'), other, type))),
      () => this.pairRec(type, other, of),
      () => this.cast(type, of(type), of(nat)),
      () => this.lifted(type, of),
    );
  }

  private pairRec(type: Expr, other: Expr, of: (type: Expr, ...scope: Expr[]) => Expr): Expr {
    const pair = this.app(this.c('Prod'), type, other);
    const motive = this.fun(pair, () => type);
    const minor = this.fun(type, (x) => this.fun(other, (y) => of(type, x, y)));
    return this.app(this.c('Prod.rec', this.one), type, other, motive, minor, of(pair));
  }

  /** `Eq.rec` over a proof that is a variable: K makes it compute. */
  private cast(type: Expr, value: Expr, at: Expr): Expr {
    const equation = this.eq(this.nat, at, at);
    const motive = this.fun(this.nat, (b) => this.fun(this.eq(this.nat, at, b), () => type));
    const castBy = this.fun(equation, (proof) =>
      this.app(this.c('Eq.rec', this.one, this.one), this.nat, at, motive, value, at, proof),
    );
    return this.app(castBy, this.refl(this.nat, at));
  }

  /** `Quot.lift` over a relation that never holds. */
  private lifted(type: Expr, of: (type: Expr, ...scope: Expr[]) => Expr): Expr {
    const { nat } = this;
    const relation = this.fun(nat, () => this.fun(nat, () => this.c('False')));
    const fn = this.fun(nat, (x) => of(type, x));
    const respects = this.fun(nat, (a) =>
      this.fun(nat, (b) =>
        this.fun(this.app(relation, a, b), (never) => {
          const same = this.eq(type, this.app(fn, a), this.app(fn, b));
          return this.app(
            this.c('False.rec', this.zero),
            this.fun(this.c('False'), () => same),
            never,
          );
        }),
      ),
    );
    const element = this.app(this.c('Quot.mk', this.one), nat, relation, of(nat));
    return this.app(this.c('Quot.lift', this.one, this.one), nat, relation, type, fn, respects, element);
  }

  private introduction(type: Expr, size: number, scope: readonly Expr[]): Expr {
    const of = (other: Expr, ...more: Expr[]): Expr => this.term(other, size - 1, [...scope, ...more]);
    if (type.kind === PI) return this.fun(type.left, (x) => of(type.right, x));
    if (type === this.nat)
      return this.choose(
        () => this.app(this.c('Nat.succ'), of(type)),
        () => this.app(this.c('Nat.add'), of(type), of(type)),
        () => this.terms.number(BigInt(this.random.below(5))),
      );
    if (type.kind !== APPLY) return this.smallest(type);
    if (type.left.kind === APPLY)
      return this.app(this.c('Prod.mk'), type.left.right, type.right, of(type.left.right), of(type.right));
    return this.app(this.c('List.cons', this.zero), type.right, of(type.right), of(type));
  }

  private smallest(type: Expr): Expr {
    if (type === this.nat) return this.c('Nat.zero');
    if (type === this.bool) return this.c('Bool.true');
    if (type.kind === PI) return this.fun(type.left, () => this.smallest(type.right));
    if (type.kind !== APPLY) throw new Error('no smallest value');
    if (type.left.kind !== APPLY) return this.app(this.c('List.nil', this.zero), type.right);
    const [first, second] = [type.left.right, type.right];
    return this.app(this.c('Prod.mk'), first, second, this.smallest(first), this.smallest(second));
  }
}

test('a weak head normal form has the type of its term', () => {
  const world = new TypedTerms(7);
  const { checker } = world.kernel;
  let reduced = 0;
  for (let i = 0; i < times(150, 5000); i++) {
    const type = world.typeOfSize(3);
    const made = world.term(type, 5, []);
    checker.restart();
    expect(checker.equal(checker.check(made), type)).toBe(true);
    for (const normal of [checker.whnf(made), checker.whnfCore(made, false), checker.whnfCore(made, true)]) {
      expect(checker.equal(checker.check(normal), type)).toBe(true);
      expect(checker.equal(normal, made)).toBe(true);
      if (normal !== made) reduced++;
    }
    expect(checker.whnf(checker.whnf(made))).toBe(checker.whnf(made));
  }
  expect(reduced).toBeGreaterThan(100);
});
