import { expect, test } from 'vitest';
import {
  Completion,
  type Equation,
  type RewriteStep,
} from '../../../../src/lean/search/equations/completion.ts';
import { pathOrder } from '../../../../src/lean/search/equations/order.ts';
import {
  isSame,
  replaceAt,
  substitute,
  subterm,
  type Term,
} from '../../../../src/lean/search/equations/term.ts';

let variables = 0;

/** The sides of `∀ (a b : G), Eq (op a b) (op b a)`. */
function sidesOf(text: string): [Term, Term] {
  const [, binders = '', sort, body = text] = /^∀ \(([^:]+) : (\w+)\), (.*)$/.exec(text) ?? [];
  const names = new Map(
    (binders.match(/\S+/g) ?? []).map((name): [string, Term] => [name, { variable: variables++, sort }]),
  );
  const words = (body.match(/[()]|[^\s()]+/g) ?? []).reverse();
  const atom = (): Term => {
    const word = words.pop() ?? '';
    if (word !== '(') return names.get(word) ?? { head: word, args: [], sort: undefined };
    const term = application();
    words.pop();
    return term;
  };
  const application = (): Extract<Term, { head: string }> => {
    const head = words.pop() ?? '';
    const args: Term[] = [];
    while (words.length > 0 && words.at(-1) !== ')') args.push(atom());
    return { head, args, sort: undefined };
  };
  const [left, right] = application().args;
  if (!left || !right) throw new Error(`no terms: ${text}`);
  return [left, right];
}

const given = (texts: readonly string[]): Equation[] =>
  texts.map((text, id) => {
    const [left, right] = sidesOf(text);
    return { id, left, right, steps: undefined };
  });

function search(
  laws: readonly string[],
  goal: string,
): { steps?: readonly RewriteStep[]; sides: [Term, Term] } {
  const equations = given(laws);
  const sides = sidesOf(goal);
  const order = pathOrder([sides, ...equations.map(({ left, right }) => [left, right] as const)]);
  const completion = new Completion(equations, sides, order, { looks: 800, waiting: 8000, size: 44 });
  while (!completion.found && !completion.isOver) completion.advance();
  const { found } = completion;
  return { sides, ...(found && { steps: found }) };
}

/** Where steps lead to, each looked at: the place holds one side of the equation, and gets the other. */
function follow(start: Term, steps: readonly RewriteStep[]): Term {
  return steps.reduce((term, { equation, values, at, isBack }) => {
    const [from, to] = isBack ? [equation.right, equation.left] : [equation.left, equation.right];
    expect(isSame(subterm(term, at), substitute(from, values))).toBe(true);
    if (equation.steps) expect(isSame(follow(equation.left, equation.steps), equation.right)).toBe(true);
    return replaceAt(term, at, substitute(to, values));
  }, start);
}

const group = [
  '∀ (a b c : G), Eq (op (op a b) c) (op a (op b c))',
  '∀ (a : G), Eq (op e a) a',
  '∀ (a : G), Eq (op (inv a) a) e',
];
const ring = [
  '∀ (a b c : R), Eq (add (add a b) c) (add a (add b c))',
  '∀ (a b : R), Eq (add a b) (add b a)',
  '∀ (a : R), Eq (add zero a) a',
  '∀ (a : R), Eq (add (neg a) a) zero',
  '∀ (a b c : R), Eq (mul a (add b c)) (add (mul a b) (mul a c))',
  '∀ (a b c : R), Eq (mul (add a b) c) (add (mul a c) (mul b c))',
];

test.each<[what: string, laws: readonly string[], goal: string]>([
  ['a right inverse', group, 'Eq (op x (inv x)) e'],
  ['the inverse of a product', group, 'Eq (inv (op x y)) (op (inv y) (inv x))'],
  ['cancelling', [...group, 'Eq (op x y) (op x z)'], 'Eq y z'],
  ['own inverses commute', [...group, '∀ (a : G), Eq (op a a) e'], 'Eq (op x y) (op y x)'],
  ['nothing times anything', ring, 'Eq (mul zero x) zero'],
])('%s is derived, and Lean accepts every step', (_, laws, goal) => {
  const { steps = [], sides } = search(laws, goal);
  expect(isSame(follow(sides[0], steps), sides[1])).toBe(true);
});

test('an equation that does not follow is not found', () => {
  expect(
    search(['∀ (a b : G), Eq (op a b) (op b a)'], 'Eq (op x (op y z)) (op (op x y) z)').steps,
  ).toBeUndefined();
});

test('a law that doubles a term at every step stops at the work limit', () => {
  const deep = Array.from({ length: 40 }).reduce<string>((term) => `(s ${term})`, 'z');
  const laws = ['∀ (a : N), Eq (f (s a)) (g (f a) (f a))'];
  expect(search(laws, `Eq (f ${deep}) w`).steps).toBeUndefined();
});

/** `op (op (op a x) y) y`, and so on. */
function comb(last: string): string {
  return Array.from({ length: 200 }).reduce<string>(
    (term) => `(op ${term} ${term === last ? 'x' : 'y'})`,
    last,
  );
}

test('deep terms are compared in time', () => {
  const [first, second] = sidesOf(`Eq ${comb('a')} ${comb('b')}`);
  const order = pathOrder([[first, second]]);
  expect([order.isGreater(first, second), order.isGreater(second, first)].filter(Boolean)).toHaveLength(1);
});

test('a variable is never replaced by a term of another type', () => {
  const laws = ['∀ (a : G), Eq (f a) e', 'Eq (f x) y'];
  const [law, fact] = given(laws);
  if (!law || !fact || 'variable' in fact.left) throw new Error('two equations');
  const x = { head: 'x', args: [], sort: 'H' };
  const sorted = { ...fact, left: { ...fact.left, args: [x] } };
  const goal = [fact.right, law.right] as const;
  const completion = new Completion([law, sorted], goal, pathOrder([]), { looks: 9, waiting: 9, size: 9 });
  while (!completion.isOver) completion.advance();
  expect(completion.found).toBeUndefined();
});
