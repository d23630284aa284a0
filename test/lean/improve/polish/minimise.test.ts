import { expect, test } from 'vitest';
import { singleChoices, withoutIdleNames } from '../../../../src/lean/improve/polish/minimise.ts';

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

test('names that are given and never used go, with their bullets kept', () => {
  expect(withoutIdleNames('induction n\n· rfl\n· rename_i m h\n  grind [f]')).toBe(
    'induction n\n· rfl\n· grind [f]',
  );
  const used = 'induction n\n· rename_i m h\n  exact h.symm';
  expect(withoutIdleNames(used)).toBe(used);
  expect(withoutIdleNames('rename_i x\nomega')).toBe('omega');
});
