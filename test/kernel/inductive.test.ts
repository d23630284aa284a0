import { expect, test } from 'vitest';
import { World } from '../helpers/kernel.ts';

type Case = [what: string, answer: 'accept' | 'refuse', declare: (w: World) => ReturnType<World['add']>];

const cases: readonly Case[] = [
  [
    'a negative occurrence',
    'refuse',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(w.c('T'), w.c('T')), w.c('T')) }),
  ],
  [
    'a negative occurrence behind an arrow',
    'refuse',
    (w) =>
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(w.c('Nat'), w.c('T'), w.c('Nat')), w.c('T')) }),
  ],
  [
    'a reflexive type',
    'accept',
    (w) =>
      w.inductive('T', w.type, 0, {
        'T.leaf': w.c('T'),
        'T.mk': w.arrow(w.arrow(w.c('Nat'), w.c('T')), w.c('T')),
      }),
  ],
  [
    'a field of a higher universe',
    'refuse',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
  ],
  [
    'a field of a higher universe in a proposition',
    'accept',
    (w) => w.inductive('T', w.prop, 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
  ],
  [
    'the type in its own index',
    'refuse',
    (w) =>
      w.inductive('T', w.arrow(w.type, w.type), 0, { 'T.mk': w.app(w.c('T'), w.app(w.c('T'), w.c('Nat'))) }),
  ],
  ['a constructor of another type', 'refuse', (w) => w.inductive('T', w.type, 0, { 'T.mk': w.c('Nat') })],
  [
    'a constructor with swapped parameters',
    'refuse',
    (w) =>
      w.inductive('T', w.arrow(w.type, w.type, w.type), 2, {
        'T.mk': w.pi(w.type, (a) => w.pi(w.type, (b) => w.app(w.c('T'), b, a))),
      }),
  ],
  ['a type that does not end in a universe', 'refuse', (w) => w.inductive('T', w.c('Nat'), 0, {})],
  ['more parameters than arguments', 'refuse', (w) => w.inductive('T', w.arrow(w.prop, w.prop), 2, {})],
  [
    'two constructors of one name',
    'refuse',
    (w) =>
      w.block(0, {
        T: { type: w.type, constructors: { 'T.mk': w.c('T') } },
        S: { type: w.type, constructors: { 'T.mk': w.c('S') } },
      }),
  ],
  [
    'a constructor named like the recursor',
    'refuse',
    (w) => w.inductive('T', w.type, 0, { 'T.rec': w.c('T') }),
  ],
  [
    'mutual types',
    'accept',
    (w) =>
      w.block(0, {
        Even: {
          type: w.type,
          constructors: { 'Even.zero': w.c('Even'), 'Even.next': w.arrow(w.c('Odd'), w.c('Even')) },
        },
        Odd: { type: w.type, constructors: { 'Odd.next': w.arrow(w.c('Even'), w.c('Odd')) } },
      }),
  ],
  [
    'mutual types in different universes',
    'refuse',
    (w) => w.block(0, { A: { type: w.type, constructors: {} }, B: { type: w.prop, constructors: {} } }),
  ],
  [
    'a type nested in a list',
    'accept',
    (w) =>
      w.inductive('Tree', w.type, 0, {
        'Tree.node': w.arrow(w.app(w.c('List', w.zero), w.c('Tree')), w.c('Tree')),
      }),
  ],
  [
    'a type nested twice',
    'accept',
    (w) =>
      w.inductive('Tree', w.type, 0, {
        'Tree.node': w.arrow(
          w.app(w.c('List', w.zero), w.app(w.c('List', w.zero), w.c('Tree'))),
          w.c('Tree'),
        ),
      }),
  ],
  [
    'a type nested where it is negative',
    'refuse',
    (w) => {
      w.inductive('Neg', w.arrow(w.type, w.type), 1, {
        'Neg.mk': w.pi(w.type, (a) => w.arrow(w.arrow(a, w.c('Nat')), w.app(w.c('Neg'), a))),
      });
      return w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.app(w.c('Neg'), w.c('T')), w.c('T')) });
    },
  ],
  [
    'a nested parameter of a wrong type that nothing uses',
    'refuse',
    (w) => {
      w.inductive('Phantom', w.arrow(w.type, w.c('Nat'), w.type), 2, {
        'Phantom.mk': w.pi(w.type, (a) => w.pi(w.c('Nat'), (n) => w.app(w.c('Phantom'), a, n))),
      });
      return w.inductive('T', w.type, 0, {
        'T.mk': w.arrow(w.app(w.c('Phantom'), w.c('T'), w.c('Bool.true')), w.c('T')),
      });
    },
  ],
  [
    'an occurrence that reduces away in a negative position',
    'refuse',
    (w) => {
      w.define(
        'first',
        w.arrow(w.type, w.type, w.type),
        w.fun(w.type, (a) => w.fun(w.type, () => a)),
      );
      return w.inductive('T', w.type, 0, {
        'T.mk': w.arrow(w.arrow(w.app(w.c('first'), w.c('Nat'), w.c('T')), w.c('T')), w.c('T')),
      });
    },
  ],
  [
    'an occurrence with another parameter that a reduction drops',
    'refuse',
    (w) =>
      w.inductive('T', w.arrow(w.c('Bool'), w.type), 1, {
        'T.mk': w.pi(w.c('Bool'), (b) =>
          w.arrow(
            w.app(
              w.fun(w.type, () => w.c('Bool')),
              w.app(w.c('T'), w.c('Bool.true')),
            ),
            w.app(w.c('T'), b),
          ),
        ),
      }),
  ],
  ['a reserved name', 'refuse', (w) => w.inductive('_nested.List_1', w.type, 0, {})],
  [
    'a constructor type that only reduces to the type',
    'refuse',
    (w) => {
      w.define(
        'same',
        w.arrow(w.type, w.type),
        w.fun(w.type, (a) => a),
      );
      return w.inductive('T', w.type, 0, { 'T.mk': w.app(w.c('same'), w.c('T')) });
    },
  ],
  [
    'a field that reduces to the type',
    'accept',
    (w) => {
      w.define(
        'same',
        w.arrow(w.type, w.type),
        w.fun(w.type, (a) => a),
      );
      return w.inductive('T', w.type, 0, {
        'T.leaf': w.c('T'),
        'T.mk': w.arrow(w.app(w.c('same'), w.c('T')), w.c('T')),
      });
    },
  ],
];

test.each(cases)('%s: %s', (_what, answer, declare) => {
  expect(declare(new World().withBasics())).toMatchObject({ answer });
});

test('the recursor of a nested type recurses into the nesting', () => {
  const w = new World().withBasics();
  w.inductive('Tree', w.type, 0, {
    'Tree.node': w.arrow(w.app(w.c('List', w.zero), w.c('Tree')), w.c('Tree')),
  });
  const recursor = w.kernel.environment.find(w.name('Tree.rec'));
  const nested = w.kernel.environment.find(w.name('Tree.rec_1'));
  expect(recursor).toMatchObject({ kind: 'recursor', motiveCount: 2, minorCount: 3, k: false });
  expect(nested).toMatchObject({
    kind: 'recursor',
    inductive: w.name('List'),
    rules: [{ fieldCount: 0 }, { fieldCount: 2 }],
  });
});

test.each([
  ['Eq', true, 2],
  ['False', false, 1],
  ['And', false, 1],
  ['Exists', false, 1],
  ['Acc', false, 2],
  ['Nat', false, 1],
  ['True', true, 1],
])('%s: k is %s and the recursor has %d universe parameters', (type, k, universes) => {
  const w = new World().withBasics();
  const recursor = w.kernel.environment.get(w.name(`${type}.rec`));
  expect(recursor).toMatchObject({ kind: 'recursor', k });
  expect(recursor.params.length).toBe(universes);
});

test('accessibility has neither K nor structure eta', () => {
  const w = new World().withBasics();
  const nat = w.c('Nat');
  const relation = w.arrow(nat, nat, w.prop);
  const acc = (r: ReturnType<World['c']>, x: ReturnType<World['c']>) => w.app(w.c('Acc', w.one), nat, r, x);
  const statement = w.pi(relation, (r) =>
    w.pi(nat, (x) =>
      w.pi(acc(r, x), (h) => {
        const motive = w.fun(nat, (y) => w.fun(acc(r, y), () => nat));
        const minor = w.fun(nat, (y) =>
          w.fun(
            w.pi(nat, (z) => w.arrow(w.app(r, z, y), acc(r, z))),
            () =>
              w.fun(
                w.pi(nat, (z) => w.arrow(w.app(r, z, y), nat)),
                () => w.c('Nat.zero'),
              ),
          ),
        );
        return w.eq(nat, w.app(w.c('Acc.rec', w.one, w.one), nat, r, motive, minor, x, h), w.c('Nat.zero'));
      }),
    ),
  );
  const proof = w.fun(relation, (r) =>
    w.fun(nat, (x) => w.fun(acc(r, x), () => w.refl(nat, w.c('Nat.zero')))),
  );
  expect(w.theorem('a', statement, proof)).toMatchObject({ answer: 'refuse' });
});
