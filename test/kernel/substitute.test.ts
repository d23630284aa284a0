import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Terms, type Expr, type Free } from '../../src/kernel/expr.ts';
import { abstract, instantiate } from '../../src/kernel/substitute.ts';

const terms = new Terms();
const nat = terms.constant(terms.names.of('Nat'), terms.levels.none);
const variables: Free[] = [0, 1, 2].map((index) => terms.free(index, nat));

/** Closed terms over three free variables. */
function termsUnder(depth: number): fc.Arbitrary<Expr> {
  return fc
    .letrec<{ term: Expr }>((tie) => ({
      term: fc.oneof(
        { maxDepth: 6 },
        fc.constant(nat),
        fc.constantFrom(...variables),
        fc.nat({ max: depth }).map((index) => terms.bound(index)),
        fc.tuple(tie('term'), tie('term')).map(([a, b]) => terms.apply(a, b)),
        fc.tuple(tie('term'), tie('term')).map(([a, b]) => terms.lambda(a, b)),
        fc.tuple(tie('term'), tie('term')).map(([a, b]) => terms.pi(a, b)),
        fc.tuple(tie('term'), tie('term'), tie('term')).map(([a, b, c]) => terms.let(a, b, c)),
        tie('term').map((a) => terms.projection(terms.names.of('P'), 1, a)),
      ),
    }))
    .term.map(closeAll);
}

function closeAll(e: Expr): Expr {
  let result = e;
  while (result.loose > 0) result = terms.lambda(nat, result);
  return result;
}

const closed = termsUnder(3);

test('abstracting variables and putting them back changes nothing', () => {
  fc.assert(
    fc.property(closed, fc.subarray(variables), (e, some) => {
      const abstracted = abstract(terms, e, some);
      expect(abstracted.loose).toBeLessThanOrEqual(some.length);
      expect(instantiate(terms, abstracted, some)).toBe(e);
    }),
  );
});

test('equal terms are the same object, and a substitution is computed once', () => {
  fc.assert(
    fc.property(closed, closed, closed, (e, a, b) => {
      const [x, y] = variables;
      if (x === undefined || y === undefined) return;
      const together = instantiate(terms, abstract(terms, e, [x, y]), [a, b]);
      // one after the other, with a variable that does not occur in `a`
      const fresh = terms.free(9, nat);
      const step = instantiate(terms, abstract(terms, e, [x]), [fresh]);
      const second = instantiate(terms, abstract(terms, step, [y]), [b]);
      expect(instantiate(terms, abstract(terms, second, [fresh]), [a])).toBe(together);
    }),
  );
});

test('truncating removes only later entries', () => {
  const own = new Terms();
  const before = Array.from({ length: 500 }, (_, i) => own.apply(own.bound(i), own.bound(i + 1)));
  const size = own.size;
  for (let i = 0; i < 50_000; i++) own.apply(own.bound(i), own.prop);
  own.truncate(size);
  expect(own.size).toBe(size);
  for (const [i, e] of before.entries()) expect(own.apply(own.bound(i), own.bound(i + 1))).toBe(e);
  expect(own.size).toBe(size);
});

test('a term that doubles at every step is substituted without exponential work', () => {
  let e: Expr = terms.bound(0);
  for (let i = 0; i < 500; i++) e = terms.apply(e, e);
  expect(instantiate(terms, e, [nat]).loose).toBe(0);
});
