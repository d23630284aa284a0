import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { ExportWorld, type Row } from '../../helpers/ndjson.ts';

const basics = (): ExportWorld => new ExportWorld().withBasics();

test('a declaration that mentions an unsafe definition is refused', () => {
  const world = basics();
  world.define('evil', world.c('False'), world.c('evil'));
  world.last('def')['safety'] = 'unsafe';
  expect(world.judge()).toEqual({ answer: 'accept' });
  world.theorem('boom', world.c('False'), world.c('evil'));
  expect(world.judge()).toMatchObject({ answer: 'refuse', kind: 'unsafe' });
});

test.each(['partial', 'unsafe'])('a %s definition does not hide a safe one of the same name', (safety) => {
  const world = basics();
  world.define('a', world.c('Nat'), world.c('Nat.zero'));
  const [row] = world.rows.slice(-1);
  world.rows.push({ def: { ...world.last('def'), safety } });
  expect(world.judge()).toMatchObject({ answer: 'refuse' });
  expect(row).toBeDefined();
});

test('definitions that mention themselves or each other are refused', () => {
  const world = basics();
  world.define('a', world.c('False'), world.c('a'));
  expect(world.judge()).toMatchObject({ answer: 'refuse' });
  const circle = basics();
  circle.theorem('a', circle.c('False'), circle.c('b'));
  circle.theorem('b', circle.c('False'), circle.c('a'));
  expect(circle.judge()).toMatchObject({ answer: 'refuse' });
});

test.each(['sorryAx', 'Lean.trustCompiler', 'Lean.ofReduceBool'])(
  'a proof that depends on %s is declined',
  (axiomName) => {
    const world = basics();
    world.axiom(
      axiomName,
      world.pi(world.prop, (p) => p),
    );
    expect(world.judge()).toEqual({ answer: 'accept' });
    world.theorem('lemma', world.c('False'), world.app(world.c(axiomName), world.c('False')));
    world.theorem('boom', world.c('False'), world.c('lemma'));
    expect(world.judge()).toMatchObject({ answer: 'decline', kind: 'sorry' });
  },
);

/** Constants in the standard axioms, besides the basic ones. */
function withLogic(world: ExportWorld): ExportWorld {
  const { prop } = world;
  const u = world.u('u');
  const iff = (a: Expr, b: Expr): Expr => world.app(world.c('Iff'), a, b);
  const intro = world.pi(prop, (a) =>
    world.pi(prop, (b) => world.arrow(world.arrow(a, b), world.arrow(b, a), iff(a, b))),
  );
  world.inductive('Iff', world.arrow(prop, prop, prop), 2, { 'Iff.intro': intro });
  const nonempty = world.pi(world.sort(u), (a) => world.arrow(a, world.app(world.c('Nonempty', u), a)));
  world.inductive('Nonempty', world.arrow(world.sort(u), prop), 1, { 'Nonempty.intro': nonempty }, ['u']);
  world.add({ kind: 'quotient' });
  return world;
}

const standard: Readonly<Record<string, (w: ExportWorld, as: 'honest' | 'forged') => [Expr, string[]]>> = {
  propext: (w, as) => {
    const iff = (a: Expr, b: Expr): Expr => w.app(w.c('Iff'), a, b);
    const type = w.pi(w.prop, (a) =>
      w.pi(w.prop, (b) => w.arrow(as === 'honest' ? iff(a, b) : iff(a, a), w.eq(w.prop, a, b))),
    );
    return [type, []];
  },
  'Classical.choice': (w, as) => {
    const u = w.u('u');
    const type = w.pi(w.sort(u), (a) =>
      as === 'honest' ? w.arrow(w.app(w.c('Nonempty', u), a), a) : w.arrow(w.prop, a),
    );
    return [type, ['u']];
  },
  'Quot.sound': (w, as) => {
    const u = w.u('u');
    const type = w.pi(w.sort(u), (a) =>
      w.pi(w.arrow(a, a, w.prop), (r) =>
        w.pi(a, (x) =>
          w.pi(a, (y) => {
            const of = (e: Expr): Expr => w.app(w.c('Quot.mk', u), a, r, e);
            const same = w.eq(w.app(w.c('Quot', u), a, r), of(x), of(y), u);
            return w.arrow(as === 'honest' ? w.app(r, x, y) : w.c('True'), same);
          }),
        ),
      ),
    );
    return [type, ['u']];
  },
};

test.each(Object.entries(standard))('%s must have the type of the standard axiom', (name, build) => {
  for (const as of ['honest', 'forged'] as const) {
    const world = withLogic(basics());
    const [type, params] = build(world, as);
    world.axiom(name, type, params);
    expect(world.judge()).toMatchObject(
      as === 'honest' ? { answer: 'accept' } : { answer: 'refuse', kind: 'axiom' },
    );
  }
});

test('propext over another Iff is refused', () => {
  const world = basics();
  const { prop } = world;
  const iff = (a: Expr, b: Expr): Expr => world.app(world.c('Iff'), a, b);
  const intro = world.pi(prop, (a) => world.pi(prop, (b) => iff(a, b)));
  world.inductive('Iff', world.arrow(prop, prop, prop), 2, { 'Iff.intro': intro });
  const [type] = standard['propext']?.(world, 'honest') ?? [world.prop];
  world.axiom('propext', type);
  expect(world.judge()).toMatchObject({ answer: 'refuse', kind: 'axiom' });
});

/**
 * Quotients of `Bool` in which nothing is related, and their two lifted values. If `Quot` is a definition that forgets the
 * type, both classes are equal although their values are not.
 */
function quotientOfBool(isForged: boolean): ExportWorld {
  const world = basics();
  const u = world.u('u');
  const bool = world.c('Bool');
  world.inductive('PUnit', world.sort(u), 0, { 'PUnit.unit': world.c('PUnit', u) }, ['u']);
  world.add({ kind: 'quotient' });
  if (isForged) {
    const row = world.rows.find((one) => (one['quot'] as Row | undefined)?.['kind'] === 'type') ?? {};
    const { name, levelParams, type } = row['quot'] as Row;
    const value = world.exprId(
      world.fun(world.sort(u), (a) => world.fun(world.arrow(a, a, world.prop), () => world.c('PUnit', u))),
    );
    delete row['quot'];
    row['def'] = { name, levelParams, type, value, hints: { regular: 1 }, safety: 'safe', all: [name] };
  }
  const related = world.fun(bool, () => world.fun(bool, () => world.c('False')));
  const respects = world.fun(bool, (x) =>
    world.fun(bool, (y) => {
      const absurd = world.fun(world.c('False'), () => world.eq(bool, x, y));
      return world.fun(world.c('False'), (no) => world.app(world.c('False.rec', world.zero), absurd, no));
    }),
  );
  const same = world.fun(bool, (x) => x);
  for (const element of ['Bool.true', 'Bool.false']) {
    const made = world.app(world.c('Quot.mk', world.one), bool, related, world.c(element));
    const lift = world.c('Quot.lift', world.one, world.one);
    const lifted = world.app(lift, bool, related, bool, same, respects, made);
    const type = world.eq(bool, lifted, world.c(element));
    world.theorem(`lift.${element}`, type, world.refl(bool, world.c(element)));
  }
  return world;
}

test('a constant of quotients over a definition of Quot is refused', () => {
  expect(quotientOfBool(false).judge()).toEqual({ answer: 'accept' });
  expect(quotientOfBool(true).judge()).toMatchObject({
    answer: 'refuse',
    message: 'Quot is not a constant of quotients',
  });
});
