import { expect, test } from 'vitest';
import { singleChoices } from '../../../../src/lean/improve/polish/minimise.ts';

test('of several closers behind a step each is offered alone', () => {
  expect(
    singleChoices('(induction n <;> (first | grind [f] | (simp_all [f]; done) | (simp_all; omega)))'),
  ).toEqual([
    'induction n <;> grind [f]',
    'induction n <;> simp_all [f]',
    'induction n <;> (simp_all; omega)',
  ]);
  expect(singleChoices('(generalize h : f = i; cases i <;> (first | rfl | omega))')).toEqual([
    '(generalize h : f = i; cases i <;> rfl)',
    '(generalize h : f = i; cases i <;> omega)',
  ]);
  expect(singleChoices('induction n')).toEqual([]);
});
