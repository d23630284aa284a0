import { expect, test } from 'vitest';
import { bareGoal, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { FoundProofs } from '../../../src/lean/writing/found-proofs.ts';

const above = 'theorem base : 2 + 2 = 4 := by\n  sorry\n\n';
const text = `${above}theorem next : 3 + 3 = 6 := sorry\n\n`;

const base: LeanGoal = {
  ...bareGoal,
  id: 'base',
  preamble: '',
  statement: 'theorem base : 2 + 2 = 4',
  place: { file: 'A.lean', start: [2, 2], end: [2, 7], form: 'tactic' },
};
const next: LeanGoal = {
  ...base,
  id: 'next',
  preamble: above,
  statement: 'theorem next : 3 + 3 = 6',
  place: { file: 'A.lean', start: [4, 28], end: [4, 33], form: 'term' },
};

test('proofs are put in place of the sorrys above a goal', () => {
  const found = new FoundProofs([{ goal: base, proof: 'by decide' }]);
  expect(found.filledIn(text, 'A.lean')).toBe(text.replace('sorry', 'decide'));
  found.add(next, 'rfl');
  expect(found.filledIn(text, 'A.lean')).toBe(text.replace('sorry', 'decide').replace('sorry', 'rfl'));
  // a goal proved twice counts once, and none above itself
  found.add(next, 'rfl');
  expect(found.filledIn(above, 'A.lean')).toBe(above.replace('sorry', 'decide'));
});

test('nothing is put into another file, another text, or where no sorry stands', () => {
  const found = new FoundProofs([{ goal: next, proof: 'rfl' }]);
  expect(found.filledIn(text, 'B.lean')).toBeUndefined();
  expect(found.filledIn(text, undefined)).toBeUndefined();
  expect(found.filledIn(text.replace('2 + 2', '1 + 3'), 'A.lean')).toBeUndefined();
  expect(found.filledIn(text.replace(':= sorry', ':=  rfl '), 'A.lean')).toBeUndefined();
  expect(found.filledIn(above, 'A.lean')).toBeUndefined();
});
