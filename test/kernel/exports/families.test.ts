import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import type { Level } from '../../../src/kernel/level.ts';
import { answersTo, type ExportWorld, type Pitfall, type Row } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const zero = (w: ExportWorld): Expr => w.c('Nat.zero');
const list = (w: ExportWorld, of: Expr): Expr => w.app(w.c('List', w.zero), of);
const recs = (w: ExportWorld): Row[] => w.part('recs');
const universesOf = (rec: Row | undefined): number[] => (rec?.['levelParams'] ?? []) as number[];

/** `T` with one constructor of one field. */
const field = (w: ExportWorld, make: (t: Expr) => Expr): unknown =>
  w.inductive('T', w.type, 0, { 'T.mk': w.arrow(make(w.c('T')), w.c('T')) });

/** `inductive W (f : Type → Type) | mk : f Nat → W f`, and a type nested in it. */
function nestedInFunction(w: ExportWorld, of: (x: Expr, t: Expr) => Expr): unknown {
  const functions = w.arrow(w.type, w.type);
  w.inductive('W', w.arrow(functions, w.type), 1, {
    'W.mk': w.pi(functions, (f) => w.arrow(w.app(f, nat(w)), w.app(w.c('W'), f))),
  });
  return field(w, (t) =>
    w.app(
      w.c('W'),
      w.fun(w.type, (x) => of(x, t)),
    ),
  );
}

/** `A α` and `B α` declared together, `B` with a field made of `α`; `T` is nested in `A T`. */
function nestedInMutual(w: ExportWorld, make: (a: Expr) => Expr): unknown {
  const [a, b] = [(x: Expr): Expr => w.app(w.c('A'), x), (x: Expr): Expr => w.app(w.c('B'), x)];
  const type = w.arrow(w.type, w.type);
  w.block(1, {
    A: { type, constructors: { 'A.mk': w.pi(w.type, (x) => w.arrow(b(x), a(x))) } },
    B: {
      type,
      constructors: {
        'B.nil': w.pi(w.type, b),
        'B.mk': w.pi(w.type, (x) => w.arrow(make(x), a(x), b(x))),
      },
    },
  });
  return field(w, a);
}

/** `inductive V (α : Type) : Nat → Type`, with the parameters of the result of `V.cons` as given. */
function vectors(w: ExportWorld, paramCount: number): unknown {
  const v = (a: Expr, n: Expr): Expr => w.app(w.c('V'), a, n);
  return w.inductive('V', w.arrow(w.type, nat(w), w.type), paramCount, {
    'V.nil': w.pi(w.type, (a) => v(a, zero(w))),
    'V.cons': w.pi(w.type, (a) => w.pi(nat(w), (n) => w.arrow(a, v(a, n), v(a, w.app(w.c('Nat.succ'), n))))),
  });
}

/** A number out of any proof of `P`. */
function numberOf(w: ExportWorld, minors: readonly Expr[]): unknown {
  return w.define(
    'a',
    w.arrow(w.c('P'), nat(w)),
    w.fun(w.c('P'), (h) =>
      w.app(
        w.c('P.rec', w.one),
        w.fun(w.c('P'), () => nat(w)),
        ...minors,
        h,
      ),
    ),
  );
}

/** `P`, nested in a conjunction. */
function nestedProposition(w: ExportWorld): void {
  const both = w.app(w.c('And'), w.c('P'), w.c('True'));
  w.inductive('P', w.prop, 0, { 'P.base': w.c('P'), 'P.mk': w.arrow(both, w.c('P')) });
}

/** `P` and `Q`, each without a value. */
const mutualPropositions = (w: ExportWorld): unknown =>
  w.block(0, {
    P: { type: w.prop, constructors: { 'P.mk': w.arrow(w.c('Q'), w.c('P')) } },
    Q: { type: w.prop, constructors: { 'Q.mk': w.arrow(w.c('P'), w.c('Q')) } },
  });

/** `inductive B (α : Sort u) : Sort level | mk : α → B α`, and its value at a universe. */
function boxed(w: ExportWorld, level: (u: Level) => Level): unknown {
  const u = w.u('u');
  const box = (a: Expr): Expr => w.app(w.c('B', u), a);
  w.inductive(
    'B',
    w.pi(w.sort(u), () => w.sort(level(u))),
    1,
    { 'B.mk': w.pi(w.sort(u), (a) => w.arrow(a, box(a))) },
    ['u'],
  );
  return w.define(
    'a',
    w.pi(w.sort(u), (a) => w.arrow(box(a), a)),
    w.fun(w.sort(u), (a) =>
      w.fun(box(a), (x) =>
        w.app(
          w.c('B.rec', u, u),
          a,
          w.fun(box(a), () => a),
          w.fun(a, (y) => y),
          x,
        ),
      ),
    ),
    ['u'],
  );
}

const tree = (w: ExportWorld): unknown =>
  w.inductive('Tree', w.type, 0, { 'Tree.node': w.arrow(list(w, w.c('Tree')), w.c('Tree')) });

const pitfalls: readonly Pitfall[] = [
  [
    'positivity shows below a let in a field',
    (w) => field(w, (t) => w.terms.let(w.type, t, w.terms.pi(nat(w), w.terms.bound(1)))),
    (w) => field(w, (t) => w.terms.let(w.type, t, w.terms.pi(w.terms.bound(0), nat(w)))),
  ],
  [
    'positivity shows below an applied lambda in a field',
    (w) =>
      field(w, (t) =>
        w.app(
          w.fun(w.type, (x) => w.arrow(nat(w), x)),
          t,
        ),
      ),
    (w) =>
      field(w, (t) =>
        w.app(
          w.fun(w.type, (x) => w.arrow(x, nat(w))),
          t,
        ),
      ),
  ],
  [
    'positivity in a type nested in a function of types',
    (w) => nestedInFunction(w, (_x, t) => t),
    (w) => nestedInFunction(w, (x, t) => w.arrow(t, x)),
  ],
  [
    'positivity in a type nested in two types declared together',
    (w) => nestedInMutual(w, (a) => w.arrow(nat(w), a)),
    (w) => nestedInMutual(w, (a) => w.arrow(a, nat(w))),
  ],
  [
    'positivity in a type nested twice',
    (w) => field(w, (t) => list(w, list(w, w.arrow(nat(w), t)))),
    (w) => field(w, (t) => list(w, list(w, w.arrow(t, nat(w))))),
  ],
  [
    'positivity where an earlier type forgets its parameter',
    (w) => {
      w.inductive('F', w.arrow(w.type, w.type), 1, { 'F.mk': w.pi(w.type, (a) => w.app(w.c('F'), a)) });
      return field(w, (t) => w.app(w.c('F'), w.arrow(nat(w), t)));
    },
    (w) => {
      w.inductive('F', w.arrow(w.type, w.type), 1, {
        'F.mk': w.pi(w.type, (a) => w.arrow(w.arrow(a, w.c('Unit')), w.app(w.c('F'), a))),
      });
      return field(w, (t) => w.app(w.c('F'), w.arrow(nat(w), t)));
    },
  ],
  [
    'a constructor ends in ∀s that show, without a let',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.terms.let(w.type, nat(w), nat(w)), w.c('T')) }),
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.terms.let(w.type, nat(w), w.arrow(nat(w), w.c('T'))) }),
  ],
  [
    'parameters come in order in what a constructor makes',
    (w) =>
      w.inductive('T', w.arrow(w.type, w.type, w.type), 2, {
        'T.mk': w.pi(w.type, (a) => w.pi(w.type, (b) => w.app(w.c('T'), a, b))),
      }),
    (w) =>
      w.inductive('T', w.arrow(w.type, w.type, w.type), 2, {
        'T.mk': w.pi(w.type, (a) => w.pi(w.type, (b) => w.app(w.c('T'), b, a))),
      }),
  ],
  ['an index that varies is no parameter', (w) => vectors(w, 1), (w) => vectors(w, 2)],
  [
    'propositions hold data of any universe, types do not',
    (w) => w.inductive('T', w.prop, 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
  ],
  [
    'an empty proposition eliminates into data, one with two proofs does not',
    (w) => (w.inductive('P', w.prop, 0, {}), numberOf(w, [])),
    (w) => (
      w.inductive('P', w.prop, 0, { 'P.a': w.c('P'), 'P.b': w.c('P') }),
      numberOf(w, [zero(w), zero(w)])
    ),
  ],
  [
    'a proposition with a recursive proof eliminates into data, a nested one does not',
    (w) => {
      w.inductive('P', w.prop, 0, { 'P.mk': w.arrow(w.c('P'), w.c('P')) });
      return numberOf(w, [w.fun(w.c('P'), () => w.fun(nat(w), () => zero(w)))]);
    },
    (w) => {
      nestedProposition(w);
      return w.define('a', w.type, w.terms.let(w.type, nat(w), w.app(w.c('P.rec', w.one), w.c('P'))));
    },
  ],
  [
    'propositions declared together eliminate into propositions only',
    (w) => (mutualPropositions(w), w.theorem('a', w.c('True'), w.c('True.intro'))),
    (w) => (
      mutualPropositions(w),
      w.define(
        'a',
        w.prop,
        w.app(
          w.fun(w.prop, () => w.c('True')),
          w.app(w.c('P.rec', w.one), w.c('True')),
        ),
      )
    ),
  ],
  [
    'a type that may be a proposition eliminates into propositions only',
    (w) => boxed(w, (u) => w.terms.levels.max(w.one, u)),
    (w) => boxed(w, (u) => u),
  ],
  [
    'a type of level imax 1 u may be a proposition',
    (w) => boxed(w, (u) => w.terms.levels.max(u, w.one)),
    (w) => boxed(w, (u) => w.terms.levels.imax(w.one, u)),
  ],
  [
    'rules of a nested recursor are those of its own type',
    tree,
    (w) => {
      tree(w);
      const [own, nested] = recs(w);
      Object.assign(nested ?? {}, { rules: own?.['rules'] });
    },
  ],
  [
    'the recursors of a block are not each other',
    tree,
    (w) => {
      tree(w);
      const [own, nested] = recs(w);
      const name = own?.['name'];
      Object.assign(own ?? {}, { name: nested?.['name'] });
      Object.assign(nested ?? {}, { name });
    },
  ],
  [
    'an axiom does not stand where a nested recursor comes',
    (w) => (w.axiom('Tree.rec_2', w.c('True')), tree(w)),
    (w) => (w.axiom('Tree.rec_1', w.c('False')), tree(w)),
  ],
  [
    'a recursor has one rule per constructor',
    tree,
    (w) => {
      tree(w);
      const rules = recs(w)[1]?.['rules'] as Row[];
      rules.push({ ...rules[0] });
    },
  ],
  [
    'the universes of a recursor come in order',
    (w) => boxed(w, (u) => w.terms.levels.max(w.one, u)),
    (w) => {
      boxed(w, (u) => w.terms.levels.max(w.one, u));
      const [rec] = recs(w);
      Object.assign(rec ?? {}, { levelParams: universesOf(rec).toReversed() });
    },
  ],
  [
    'the universes of a recursor are declared once',
    (w) => boxed(w, (u) => w.terms.levels.max(w.one, u)),
    (w) => {
      boxed(w, (u) => w.terms.levels.max(w.one, u));
      const [rec] = recs(w);
      const [first] = universesOf(rec);
      Object.assign(rec ?? {}, { levelParams: [first, first] });
    },
  ],
  [
    'a nested type stands in a universe that fits',
    (w) => field(w, (t) => w.app(w.c('List', w.zero), t)),
    (w) => field(w, (t) => w.app(w.c('List', w.one), t)),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
