import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, ExportWorld, judgeRows, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const n = (w: ExportWorld, value: bigint | number): Expr => w.terms.number(BigInt(value));
const succ = (w: ExportWorld, of: Expr): Expr => w.app(w.c('Nat.succ'), of);
const call = (w: ExportWorld, name: string, ...args: (bigint | number)[]): Expr =>
  w.app(w.c(`Nat.${name}`), ...args.map((arg) => n(w, arg)));
const equal = (w: ExportWorld, a: Expr, b: Expr, type = nat(w)): unknown =>
  w.theorem('a', w.eq(type, a, b), w.refl(type, b));

/** An operation on numbers by recursion on its second argument. */
function operation(
  w: ExportWorld,
  name: string,
  start: (x: Expr) => Expr,
  step: (x: Expr, before: Expr) => Expr,
): void {
  const value = w.fun(nat(w), (x) =>
    w.fun(nat(w), (y) =>
      w.app(
        w.c('Nat.rec', w.one),
        w.fun(nat(w), () => nat(w)),
        start(x),
        w.fun(nat(w), () => w.fun(nat(w), (before) => step(x, before))),
        y,
      ),
    ),
  );
  w.define(`Nat.${name}`, w.arrow(nat(w), nat(w), nat(w)), value);
}
function arithmetic(w: ExportWorld): void {
  operation(
    w,
    'add',
    (x) => x,
    (_, before) => succ(w, before),
  );
  operation(
    w,
    'mul',
    () => w.c('Nat.zero'),
    (x, before) => w.app(w.c('Nat.add'), before, x),
  );
  operation(
    w,
    'pow',
    () => succ(w, w.c('Nat.zero')),
    (x, before) => w.app(w.c('Nat.mul'), before, x),
  );
}
/** `Nat.add x y := x` */
const lied = (w: ExportWorld): void =>
  operation(
    w,
    'add',
    (x) => x,
    (_, before) => before,
  );

/** Texts over numbers as characters; `ofList` turns a list into a text. */
function texts(w: ExportWorld): void {
  w.inductive('Char', w.type, 0, { 'Char.ofNat': w.arrow(nat(w), w.c('Char')) });
  const chars = w.app(w.c('List', w.zero), w.c('Char'));
  w.inductive('String', w.type, 0, { 'String.ofList': w.arrow(chars, w.c('String')) });
}
const text = (w: ExportWorld, value: string): Expr => w.terms.text(value);
const spelled = (w: ExportWorld, value: string, maker = 'String.ofList'): Expr =>
  w.app(
    w.c(maker),
    Array.from(value).reduceRight(
      (rest, c) =>
        w.app(
          w.c('List.cons', w.zero),
          w.c('Char'),
          w.app(w.c('Char.ofNat'), n(w, c.codePointAt(0) ?? 0)),
          rest,
        ),
      w.app(w.c('List.nil', w.zero), w.c('Char')),
    ),
  );

/** A text is read while `String.mk` is the only maker; then comes an `ofList` that makes something else. */
function laterTexts(w: ExportWorld): void {
  w.inductive('Char', w.type, 0, { 'Char.ofNat': w.arrow(nat(w), w.c('Char')) });
  const chars = w.app(w.c('List', w.zero), w.c('Char'));
  w.inductive('String', w.type, 0, { 'String.mk': w.arrow(chars, w.c('String')) });
  w.define('first', w.c('String'), text(w, 'a'));
  const empty = w.app(w.c('List.nil', w.zero), w.c('Char'));
  w.define(
    'String.ofList',
    w.arrow(chars, w.c('String')),
    w.fun(chars, () => w.app(w.c('String.mk'), empty)),
  );
}

/** As `laterTexts`, with a declaration in between that has to wait for a later one. */
function textsAround(w: ExportWorld, maker: string): void {
  w.inductive('Char', w.type, 0, { 'Char.ofNat': w.arrow(nat(w), w.c('Char')) });
  const chars = w.app(w.c('List', w.zero), w.c('Char'));
  w.inductive('String', w.type, 0, { 'String.mk': w.arrow(chars, w.c('String')) });
  w.theorem(
    'first',
    w.eq(w.c('String'), text(w, 'a'), spelled(w, 'a', 'String.mk')),
    w.refl(w.c('String'), text(w, 'a')),
  );
  w.theorem('waits', w.c('True'), w.c('later'));
  const empty = w.app(w.c('List.nil', w.zero), w.c('Char'));
  w.define(
    'String.ofList',
    w.arrow(chars, w.c('String')),
    w.fun(chars, () => w.app(w.c('String.mk'), empty)),
  );
  w.theorem(
    'second',
    w.eq(w.c('String'), text(w, 'a'), spelled(w, 'a', maker)),
    w.refl(w.c('String'), text(w, 'a')),
  );
  w.theorem('later', w.c('True'), w.c('True.intro'));
}

/** `Nat.pow` is used before `Nat.mul` is declared, which is always zero. */
function powerBeforeMultiplication(w: ExportWorld): void {
  operation(
    w,
    'pow',
    (x) => x,
    (_, before) => before,
  );
  w.theorem('first', w.eq(nat(w), call(w, 'pow', 2, 3), n(w, 2)), w.refl(nat(w), n(w, 2)));
  operation(
    w,
    'mul',
    () => w.c('Nat.zero'),
    (_, before) => before,
  );
}

const pitfalls: readonly Pitfall[] = [
  [
    'a literal equals that number of successors',
    (w) => equal(w, n(w, 3), succ(w, succ(w, succ(w, w.c('Nat.zero'))))),
    (w) => equal(w, n(w, 3), succ(w, succ(w, w.c('Nat.zero')))),
  ],
  [
    'literals that differ are not equal',
    (w) => equal(w, n(w, 10n ** 50n), n(w, 10n ** 50n)),
    (w) => equal(w, n(w, 10n ** 50n), n(w, 10n ** 50n + 1n)),
  ],
  ['0 is zero', (w) => equal(w, n(w, 0), w.c('Nat.zero')), (w) => equal(w, n(w, 1), w.c('Nat.zero'))],
  [
    'a literal is a number',
    (w) => w.define('a', nat(w), n(w, 7)),
    (w) => w.define('a', w.c('Bool'), n(w, 7)),
  ],
  [
    'addition is computed',
    (w) => (arithmetic(w), equal(w, call(w, 'add', 10n ** 30n, 5), n(w, 10n ** 30n + 5n))),
    (w) => (arithmetic(w), equal(w, call(w, 'add', 2, 2), n(w, 5))),
  ],
  [
    'multiplication is computed',
    (w) => (arithmetic(w), equal(w, call(w, 'mul', 10n ** 9n, 10n ** 9n), n(w, 10n ** 18n))),
    (w) => (arithmetic(w), equal(w, call(w, 'mul', 10n ** 9n, 10n ** 9n), n(w, 10n ** 18n + 1n))),
  ],
  [
    'powers are computed',
    (w) => (arithmetic(w), equal(w, call(w, 'pow', 2, 200), n(w, 2n ** 200n))),
    (w) => (arithmetic(w), equal(w, call(w, 'pow', 2, 200), n(w, 2n ** 201n))),
  ],
  [
    'a lied addition means what its definition says',
    (w) => (lied(w), equal(w, call(w, 'add', 2, 2), n(w, 2))),
    (w) => (lied(w), equal(w, call(w, 'add', 2, 2), n(w, 4))),
  ],
  [
    'an addition with swapped arguments is no addition of types',
    (w) => (
      w.define(
        'Nat.add',
        w.arrow(nat(w), nat(w)),
        w.fun(nat(w), (x) => x),
      ),
      equal(w, call(w, 'add', 4), n(w, 4))
    ),
    (w) => (
      w.define(
        'Nat.add',
        w.arrow(nat(w), nat(w), w.c('Bool')),
        w.fun(nat(w), () => w.fun(nat(w), () => w.c('Bool.true'))),
      ),
      equal(w, call(w, 'add', 2, 2), n(w, 4))
    ),
  ],
  [
    'a lied gcd is not computed',
    (w) => (
      operation(
        w,
        'gcd',
        () => w.c('Nat.zero'),
        (_, before) => before,
      ),
      equal(w, call(w, 'gcd', 4, 6), n(w, 0))
    ),
    (w) => (
      operation(
        w,
        'gcd',
        () => w.c('Nat.zero'),
        (_, before) => before,
      ),
      equal(w, call(w, 'gcd', 4, 6), n(w, 2))
    ),
    'decline',
  ],
  [
    'a lied division is not computed',
    (w) => (
      operation(
        w,
        'div',
        (x) => x,
        (_, before) => before,
      ),
      equal(w, call(w, 'div', 6, 3), n(w, 6))
    ),
    (w) => (
      operation(
        w,
        'div',
        (x) => x,
        (_, before) => before,
      ),
      equal(w, call(w, 'div', 6, 3), n(w, 2))
    ),
    'decline',
  ],
  [
    'an operation that is an axiom is computed as Lean does',
    (w) => (w.axiom('Nat.land', w.arrow(nat(w), nat(w), nat(w))), equal(w, call(w, 'land', 6, 3), n(w, 2))),
    (w) => (
      w.axiom('Nat.land', w.arrow(nat(w), nat(w), w.c('Bool'))),
      equal(w, call(w, 'land', 6, 3), n(w, 2))
    ),
  ],
  [
    'a comparison without booleans is not computed',
    (w) => (
      w.define(
        'Nat.ble',
        w.arrow(nat(w), nat(w), w.c('Unit')),
        w.fun(nat(w), () => w.fun(nat(w), () => w.c('Unit.mk'))),
      ),
      w.theorem(
        'a',
        w.eq(w.c('Unit'), call(w, 'ble', 1, 2), w.c('Unit.mk')),
        w.refl(w.c('Unit'), w.c('Unit.mk')),
      )
    ),
    (w) => (
      w.define(
        'Nat.ble',
        w.arrow(nat(w), nat(w), w.c('Bool')),
        w.fun(nat(w), () => w.fun(nat(w), () => w.c('Bool.false'))),
      ),
      w.theorem(
        'a',
        w.eq(w.c('Bool'), call(w, 'ble', 1, 2), w.c('Bool.true')),
        w.refl(w.c('Bool'), w.c('Bool.true')),
      )
    ),
  ],
  [
    'a power too large to compute is compared without computing it',
    (w) => (arithmetic(w), equal(w, call(w, 'pow', 2, 2n ** 70n), call(w, 'pow', 2, 2n ** 70n))),
    (w) => (arithmetic(w), equal(w, call(w, 'pow', 2, 2n ** 70n), n(w, 4))),
    'decline',
  ],
  [
    'a multiplication declared after a power means what its definition says',
    (w) => (powerBeforeMultiplication(w), equal(w, call(w, 'mul', 2, 3), n(w, 0))),
    (w) => (powerBeforeMultiplication(w), equal(w, call(w, 'mul', 2, 3), n(w, 6))),
  ],
  [
    'a text keeps its meaning when String.ofList is declared later',
    (w) => (laterTexts(w), equal(w, text(w, 'a'), spelled(w, 'a', 'String.mk'), w.c('String'))),
    (w) => (laterTexts(w), equal(w, text(w, 'a'), spelled(w, 'a', 'String.ofList'), w.c('String'))),
  ],
  [
    'a text keeps its meaning when a declaration had to wait in between',
    (w) => textsAround(w, 'String.mk'),
    (w) => textsAround(w, 'String.ofList'),
  ],
  [
    'a comparison that is an axiom is computed only into the usual Bool',
    (w) => (
      w.axiom('Nat.beq', w.arrow(nat(w), nat(w), w.c('Bool'))),
      w.theorem(
        'a',
        w.eq(w.c('Bool'), call(w, 'beq', 2, 2), w.c('Bool.true')),
        w.refl(w.c('Bool'), w.c('Bool.true')),
      )
    ),
    (w) => (
      w.axiom('Nat.beq', w.arrow(nat(w), nat(w), w.c('Bool'))),
      w.theorem(
        'a',
        w.eq(w.c('Bool'), call(w, 'beq', 2, 2), w.c('Bool.false')),
        w.refl(w.c('Bool'), w.c('Bool.false')),
      )
    ),
  ],
  [
    'a text stands for the list of its characters',
    (w) => (texts(w), equal(w, text(w, 'aλ💡'), spelled(w, 'aλ💡'), w.c('String'))),
    (w) => (texts(w), equal(w, text(w, 'ab'), spelled(w, 'ba'), w.c('String'))),
  ],
  [
    'texts that differ are not equal',
    (w) => (texts(w), equal(w, text(w, ''), text(w, ''), w.c('String'))),
    (w) => (texts(w), equal(w, text(w, 'a'), text(w, 'b'), w.c('String'))),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({
    honest: 'accepted',
    forged: row[3] === 'decline' ? 'declined' : 'refused',
  });
});

test('a type called Nat with other constructors computes by its own declaration', () => {
  const world = new ExportWorld();
  const bits = world.c('Nat');
  world.inductive('Nat', world.type, 0, { 'Nat.zero': bits, 'Nat.double': world.arrow(bits, bits) });
  world.define(
    'Nat.succ',
    world.arrow(bits, bits),
    world.fun(bits, (x) => x),
  );
  world.axiom('P', world.arrow(bits, world.prop));
  const [at, after] = [world.c('Nat.zero'), world.app(world.c('Nat.succ'), world.c('Nat.zero'))];
  const statement = world.arrow(world.app(world.c('P'), after), world.app(world.c('P'), at));
  world.theorem(
    'a',
    statement,
    world.fun(world.app(world.c('P'), after), (h) => h),
  );
  expect(world.judge()).toEqual({ answer: 'accept' });
});

/** Only what these declare is in the export. */
const alone: readonly (readonly [what: string, build: (w: ExportWorld) => unknown])[] = [
  [
    'a number without Nat',
    (w) =>
      w.axiom(
        'a',
        w.app(
          w.fun(w.type, () => w.prop),
          n(w, 1),
        ),
      ),
  ],
  [
    'a number where Nat is an empty proposition',
    (w) => (w.inductive('Nat', w.prop, 0, {}), w.theorem('a', w.c('Nat'), n(w, 1))),
  ],
  [
    'a number where Nat has a third constructor',
    (w) => (
      w.inductive('Nat', w.type, 0, {
        'Nat.zero': w.c('Nat'),
        'Nat.succ': w.arrow(w.c('Nat'), w.c('Nat')),
        'Nat.more': w.c('Nat'),
      }),
      w.define('a', w.c('Nat'), n(w, 1))
    ),
  ],
  [
    'a number where the constructors of Nat are swapped',
    (w) => (
      w.inductive('Nat', w.type, 0, { 'Nat.succ': w.arrow(w.c('Nat'), w.c('Nat')), 'Nat.zero': w.c('Nat') }),
      w.define('a', w.c('Nat'), n(w, 1))
    ),
  ],
  [
    'a text where String is an empty proposition',
    (w) => (
      w.withBasics(),
      w.inductive('String', w.prop, 0, {}),
      w.theorem('a', w.c('String'), text(w, 'a'))
    ),
  ],
  ['a text without String', (w) => (w.withBasics(), w.theorem('a', w.c('False'), text(w, 'a')))],
  [
    'a text where String.ofList makes something else',
    (w) => {
      w.withBasics();
      w.axiom('String', w.type);
      w.axiom('Char', w.type);
      w.axiom('Char.ofNat', w.arrow(nat(w), w.c('Char')));
      w.axiom('String.ofList', w.arrow(w.app(w.c('List', w.zero), w.c('Char')), w.c('False')));
      w.define('a', w.c('String'), text(w, 'a'));
    },
  ],
];

test.each(alone)('%s is not accepted', (_what, build) => {
  const world = new ExportWorld();
  build(world);
  const { answer } = judgeRows(world.rows);
  expect(answer).not.toBe('accept');
});

test.each(['Nat.zero', 'Bool.true'])('%s with universe levels differs between levels', (name) => {
  const world = new ExportWorld();
  const u = world.u('u');
  const add = (kind: 'definition' | 'opaque'): unknown =>
    world.add({
      kind,
      name: world.name(name),
      params: world.names(['u']),
      type: world.sort(world.terms.levels.succ(u)),
      value: world.sort(u),
      height: 0,
    });
  add(name === 'Nat.zero' ? 'definition' : 'opaque');
  const [small, large] = [world.c(name, world.zero), world.c(name, world.one)];
  world.define(
    'same',
    world.arrow(large, large),
    world.fun(large, (x) => x),
  );
  expect(world.judge()).toEqual({ answer: 'accept' });
  world.define(
    'smaller',
    world.arrow(large, small),
    world.fun(large, (x) => x),
  );
  expect(world.judge()).toMatchObject({ answer: 'refuse' });
});
