import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const zero = (w: ExportWorld): Expr => w.c('Nat.zero');
const number = (w: ExportWorld, value: number): Expr => w.terms.number(BigInt(value));
const proj = (w: ExportWorld, structure: string, index: number, of: Expr): Expr =>
  w.terms.projection(w.name(structure), index, of);

/** `∀ x : type, left x = right x`, by `rfl`. */
function pointwise(
  w: ExportWorld,
  type: Expr,
  result: Expr,
  left: (x: Expr) => Expr,
  right: (x: Expr) => Expr,
  level = w.one,
): unknown {
  return w.theorem(
    'a',
    w.pi(type, (x) => w.eq(result, left(x), right(x), level)),
    w.fun(type, (x) => w.refl(result, left(x), level)),
  );
}
/** `∀ x y : type, x = y`, by `rfl`. */
const allEqual = (w: ExportWorld, type: Expr): unknown =>
  w.theorem(
    'a',
    w.pi(type, (x) => w.pi(type, (y) => w.eq(type, x, y))),
    w.fun(type, (x) => w.fun(type, () => w.refl(type, x))),
  );

/** `Prod.rec (fun x y => …) p` for a variable pair `p`, against something about its fields. */
function pairRecursor(w: ExportWorld, right: (f: Expr, p: Expr) => Expr): unknown {
  const pair = w.app(w.c('Prod'), nat(w), nat(w));
  w.axiom('f', w.arrow(nat(w), nat(w), nat(w)));
  const motive = w.fun(pair, () => nat(w));
  return pointwise(
    w,
    pair,
    nat(w),
    (p) => w.app(w.c('Prod.rec', w.one), nat(w), nat(w), motive, w.c('f'), p),
    (p) => right(w.c('f'), p),
  );
}

/** A proposition with one constructor, and `T.rec zero` at a variable proof of it. */
function proofRecursor(w: ExportWorld, fields: readonly Expr[]): unknown {
  const type = w.c('P');
  w.inductive('P', w.prop, 0, { 'P.mk': w.arrow(...fields, type) });
  const minor = fields.reduceRight<Expr>((body, field) => w.fun(field, () => body), zero(w));
  return pointwise(
    w,
    type,
    nat(w),
    (h) =>
      w.app(
        w.c('P.rec', w.one),
        w.fun(type, () => nat(w)),
        minor,
        h,
      ),
    () => zero(w),
  );
}

/** `Acc.rec` with a step that drops its hypotheses, at a proof. */
function accessible(w: ExportWorld, proof: (h: Expr, acc: (x: Expr) => Expr) => Expr): unknown {
  const relation = w.fun(nat(w), () => w.fun(nat(w), () => w.c('False')));
  const acc = (x: Expr): Expr => w.app(w.c('Acc', w.one), nat(w), relation, x);
  const below = (x: Expr): Expr => w.pi(nat(w), (y) => w.arrow(w.app(relation, y, x), acc(y)));
  const motive = w.fun(nat(w), (x) => w.fun(acc(x), () => nat(w)));
  const hypotheses = (x: Expr): Expr => w.pi(nat(w), (y) => w.arrow(w.app(relation, y, x), nat(w)));
  const step = w.fun(nat(w), (x) => w.fun(below(x), () => w.fun(hypotheses(x), () => zero(w))));
  return pointwise(
    w,
    w.pi(nat(w), acc),
    nat(w),
    (h) =>
      w.app(
        w.c('Acc.rec', w.one, w.one),
        nat(w),
        relation,
        motive,
        step,
        zero(w),
        proof(h, (x) =>
          w.app(
            w.c('Acc.intro', w.one),
            nat(w),
            relation,
            x,
            w.fun(nat(w), (y) => w.fun(w.app(relation, y, x), () => w.app(h, y))),
          ),
        ),
      ),
    () => zero(w),
  );
}

/** `Quot.lift f _ (Quot.mk r a) = right` for variables `a` and `b`. */
function lifted(w: ExportWorld, right: (fn: Expr, a: Expr, b: Expr) => Expr): unknown {
  w.add({ kind: 'quotient' });
  const relation = w.fun(nat(w), () => w.fun(nat(w), () => w.c('False')));
  w.axiom('f', w.arrow(nat(w), nat(w)));
  const respects = w.fun(nat(w), (x) =>
    w.fun(nat(w), (y) =>
      w.fun(w.c('False'), (h) =>
        w.app(
          w.c('False.rec', w.zero),
          w.fun(w.c('False'), () => w.eq(nat(w), w.app(w.c('f'), x), w.app(w.c('f'), y))),
          h,
        ),
      ),
    ),
  );
  const lift = (a: Expr): Expr =>
    w.app(
      w.c('Quot.lift', w.one, w.one),
      nat(w),
      relation,
      nat(w),
      w.c('f'),
      respects,
      w.app(w.c('Quot.mk', w.one), nat(w), relation, a),
    );
  return w.theorem(
    'a',
    w.pi(nat(w), (a) => w.pi(nat(w), (b) => w.eq(nat(w), lift(a), right(w.c('f'), a, b)))),
    w.fun(nat(w), (a) => w.fun(nat(w), () => w.refl(nat(w), lift(a)))),
  );
}

/** Two classes of a relation that always holds, equal by `Quot.sound` or by `rfl`. */
function sound(w: ExportWorld, by: 'Quot.sound' | 'rfl'): unknown {
  w.add({ kind: 'quotient' });
  const u = w.u('u');
  const [relations, universe] = [(of: Expr) => w.arrow(of, of, w.prop), w.sort(u)];
  w.axiom(
    'Quot.sound',
    w.pi(universe, (of) =>
      w.pi(relations(of), (r) =>
        w.pi(of, (x) =>
          w.pi(of, (y) =>
            w.arrow(
              w.app(r, x, y),
              w.eq(
                w.app(w.c('Quot', u), of, r),
                w.app(w.c('Quot.mk', u), of, r, x),
                w.app(w.c('Quot.mk', u), of, r, y),
                u,
              ),
            ),
          ),
        ),
      ),
    ),
    ['u'],
  );
  const relation = w.fun(nat(w), () => w.fun(nat(w), () => w.c('True')));
  const [type, of] = [
    w.app(w.c('Quot', w.one), nat(w), relation),
    (x: Expr): Expr => w.app(w.c('Quot.mk', w.one), nat(w), relation, x),
  ];
  const proof =
    by === 'rfl'
      ? w.refl(type, of(number(w, 0)))
      : w.app(w.c('Quot.sound', w.one), nat(w), relation, number(w, 0), number(w, 1), w.c('True.intro'));
  return w.theorem('a', w.eq(type, of(number(w, 0)), of(number(w, 1))), proof);
}

/** `∀ x y : field, S.mk x = S.mk y`, by `rfl`. */
function single(w: ExportWorld, field: Expr): unknown {
  w.inductive('S', w.type, 0, { 'S.mk': w.arrow(field, w.c('S')) });
  const value = (x: Expr): Expr => w.app(w.c('S.mk'), x);
  return w.theorem(
    'a',
    w.pi(field, (x) => w.pi(field, (y) => w.eq(w.c('S'), value(x), value(y)))),
    w.fun(field, (x) => w.fun(field, () => w.refl(w.c('S'), value(x)))),
  );
}

const pitfalls: readonly Pitfall[] = [
  [
    'a recursor of a structure reduces at a variable to its fields in order',
    (w) => pairRecursor(w, (f, p) => w.app(f, proj(w, 'Prod', 0, p), proj(w, 'Prod', 1, p))),
    (w) => pairRecursor(w, (f, p) => w.app(f, proj(w, 'Prod', 1, p), proj(w, 'Prod', 0, p))),
  ],
  [
    'K is for constructors without fields',
    (w) => proofRecursor(w, []),
    (w) => proofRecursor(w, [w.c('True')]),
  ],
  [
    'accessibility reduces at its constructor, not at a variable',
    (w) => accessible(w, (_h, intro) => intro(zero(w))),
    (w) => accessible(w, (h) => w.app(h, zero(w))),
  ],
  [
    'a lifted function sees the element of the class',
    (w) => lifted(w, (f, a) => w.app(f, a)),
    (w) => lifted(w, (f, _a, b) => w.app(f, b)),
  ],
  [
    'classes are equal by the axiom, not by computation',
    (w) => sound(w, 'Quot.sound'),
    (w) => sound(w, 'rfl'),
  ],
  [
    'structures that differ in a proof are equal, those that differ in data are not',
    (w) => single(w, w.c('True')),
    (w) => single(w, nat(w)),
  ],
  [
    'an index is no field: types with indices have no eta',
    (w) => {
      w.inductive('T', w.arrow(nat(w), w.type), 1, { 'T.mk': w.pi(nat(w), (n) => w.app(w.c('T'), n)) });
      return allEqual(w, w.app(w.c('T'), zero(w)));
    },
    (w) => {
      w.inductive('T', w.arrow(nat(w), w.type), 0, { 'T.mk': w.app(w.c('T'), zero(w)) });
      return allEqual(w, w.app(w.c('T'), zero(w)));
    },
  ],
  [
    'two constructors are not equal, also without fields',
    (w) => {
      w.inductive('T', w.type, 0, { 'T.a': w.c('T') });
      return w.theorem('a', w.eq(w.c('T'), w.c('T.a'), w.c('T.a')), w.refl(w.c('T'), w.c('T.a')));
    },
    (w) => {
      w.inductive('T', w.type, 0, { 'T.a': w.c('T'), 'T.b': w.c('T') });
      return w.theorem('a', w.eq(w.c('T'), w.c('T.a'), w.c('T.b')), w.refl(w.c('T'), w.c('T.a')));
    },
  ],
  [
    'a constructor as a function is not the identity',
    (w) =>
      w.theorem(
        'a',
        w.eq(
          w.arrow(nat(w), nat(w)),
          w.fun(nat(w), (x) => w.app(w.c('Nat.succ'), x)),
          w.c('Nat.succ'),
        ),
        w.refl(w.arrow(nat(w), nat(w)), w.c('Nat.succ')),
      ),
    (w) =>
      w.theorem(
        'a',
        w.eq(
          w.arrow(nat(w), nat(w)),
          w.fun(nat(w), (x) => x),
          w.c('Nat.succ'),
        ),
        w.refl(w.arrow(nat(w), nat(w)), w.c('Nat.succ')),
      ),
  ],
  [
    'a partly applied recursor is not the function that it unfolds to',
    (w) => {
      const motive = w.fun(w.c('Unit'), () => nat(w));
      const rec = w.app(w.c('Unit.rec', w.one), motive, zero(w));
      return pointwise(
        w,
        w.c('Unit'),
        nat(w),
        (x) => w.app(rec, x),
        () => zero(w),
      );
    },
    (w) => {
      const motive = w.fun(w.c('Bool'), () => nat(w));
      const rec = w.app(w.c('Bool.rec', w.one), motive, zero(w), zero(w));
      return pointwise(
        w,
        w.c('Bool'),
        nat(w),
        (x) => w.app(rec, x),
        () => zero(w),
      );
    },
  ],
  [
    'a projection sees through a definition, not through an opaque constant',
    (w) => {
      w.define('Pair', w.type, w.app(w.c('Prod'), nat(w), nat(w)));
      return w.define(
        'a',
        w.arrow(w.c('Pair'), nat(w)),
        w.fun(w.c('Pair'), (p) => proj(w, 'Prod', 0, p)),
      );
    },
    (w) => {
      const value = w.app(w.c('Prod'), nat(w), nat(w));
      w.add({ kind: 'opaque', name: w.name('Pair'), params: [], type: w.type, value, height: 0 });
      return w.define(
        'a',
        w.arrow(w.c('Pair'), nat(w)),
        w.fun(w.c('Pair'), (p) => proj(w, 'Prod', 0, p)),
      );
    },
  ],
  [
    'theorems that rest on each other',
    (w) => (w.axiom('b', w.c('True')), w.theorem('a', w.c('True'), w.c('b'))),
    (w) => (w.theorem('b', w.c('False'), w.c('a')), w.theorem('a', w.c('False'), w.c('b'))),
  ],
  [
    'an unsafe type is no help to a theorem',
    (w) => {
      w.inductive('T', w.type, 0, { 'T.mk': w.c('T') });
      for (const part of ['types', 'ctors', 'recs'] as const)
        for (const row of w.part(part)) row['isUnsafe'] = true;
      return w.theorem('a', w.c('True'), w.c('True.intro'));
    },
    (w) => {
      w.inductive('T', w.type, 0, { 'T.mk': w.c('T') });
      for (const part of ['types', 'ctors', 'recs'] as const)
        for (const row of w.part(part)) row['isUnsafe'] = true;
      return w.theorem('a', w.eq(w.c('T'), w.c('T.mk'), w.c('T.mk')), w.refl(w.c('T'), w.c('T.mk')));
    },
  ],
  [
    'one unsafe recursor makes its type unsafe',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.c('T') }),
    (w) => {
      w.inductive('T', w.type, 0, { 'T.mk': w.c('T') });
      Object.assign(w.part('recs')[0] ?? {}, { isUnsafe: true });
      return w.define('a', w.c('T'), w.c('T.mk'));
    },
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
