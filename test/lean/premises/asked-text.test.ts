import { expect, test } from 'vitest';
import { isName, lemmaWords, readings } from '../../../src/lean/premises/asked-text.ts';

test.each([
  ['dvd_add', true],
  ['Nat.dvd_add', true],
  ['reverse', false],
  ['a ∣ b', false],
  ['xs.length = 0', false],
])('%s is a name: %s', (text, is) => {
  expect(isName(text)).toBe(is);
});

test('a statement without binders is read with the usual types of its variables', () => {
  const statements = readings('(xs.map f).length = n').map(({ statement }) => statement);
  expect(statements[0]).toBe('theorem asked : (xs.map f).length = n');
  expect(statements).toContain(
    'theorem asked (xs : List Nat) (f : Nat → Nat) (n : Nat) : (xs.map f).length = n',
  );
  expect(statements).toContain(
    'theorem asked {α : Type} (xs : List α) (f : α → α) (n : α) : (xs.map f).length = n',
  );
  expect(readings('theorem t : 1 = 1')).toEqual([{ statement: 'theorem t : 1 = 1', kind: 'statement' }]);
});

test('a term is read as a side of an equation', () => {
  expect(readings('n % 2')).toContainEqual({
    statement: 'theorem asked (n : Nat) : ∀ same, n % 2 = same',
    kind: 'term',
  });
});

test.each([
  ['sum of even numbers is even', 'add dvd two dvd two'],
  ['length of a concatenated list', 'length append list'],
  ['less than or equal is transitive', 'le trans'],
  ['n + 1', undefined],
  ['p q', undefined],
])('“%s” is %s in names of lemmas', (text, words) => {
  expect(lemmaWords(text)).toBe(words);
});
