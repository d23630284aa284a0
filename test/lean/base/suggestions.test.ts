import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lean/base/protocol.ts';
import { suggestionsOf } from '../../../src/lean/base/suggestions.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

const said = (text: string, severity: Message['severity'] = 'info'): Message => ({
  severity,
  start: [1, 0],
  text,
});

async function suggestions(statement: string, proof: string): Promise<string[]> {
  const reply = await lean.ask('check', { session: lean.root, statement, proof });
  return suggestionsOf(reply.messages);
}

describe('suggestions of real Lean', () => {
  test.each([
    ['theorem t (a b : Nat) : a + b = b + a', 'by exact?', 'exact Nat.add_comm a b'],
    ['theorem t (xs : List Nat) : (xs ++ []).length = xs.length', 'by simp?', 'simp only [List.append_nil]'],
    ['theorem t (a b : Nat) : a + b = b + a', 'by rw?', 'rw [Nat.add_comm]'],
  ])('%s, %s', async (statement, proof, expected) => {
    const found = await suggestions(statement, proof);
    expect(found).toContain(expected);
    await lean.must('check', { session: lean.root, statement, proof: `by ${expected}` });
  });

  test('apply? on a goal it cannot close returns partial steps that run, without their comments', async () => {
    const statement = 'theorem t (n : Nat) : n < 10';
    const found = await suggestions(statement, 'by apply?');
    expect(found).toContain('refine Nat.lt_succ_of_le ?_');
    expect(found.join('\n')).not.toContain('--');
    const start = await lean.must('start', { session: lean.root, statement });
    await lean.must('step', { state: start.state, tactic: 'refine Nat.lt_succ_of_le ?_' });
  });

  test('every entry of try? proves the goal', async () => {
    const statement = 'theorem t (a b : Nat) (h : a = b) : b = a';
    const found = await suggestions(statement, 'by try?');
    expect(found.length).toBeGreaterThan(2);
    for (const tactic of found)
      await lean.must('check', { session: lean.root, statement, proof: `by ${tactic}` });
  });

  test('a step’s answer contains them too', async () => {
    const { state } = await lean.must('start', {
      session: lean.root,
      statement: 'theorem t (a : Nat) : a + 0 = a',
    });
    const step = await lean.must('step', { state, tactic: 'simp?' });
    expect(suggestionsOf(step.messages)).toEqual(['simp only [Nat.add_zero]']);
  });
});

describe('suggestionsOf', () => {
  test.each([
    ['one line', 'Try this: exact h', ['exact h']],
    ['a block', 'Try this:\n  [apply] exact h', ['exact h']],
    ['a block with a comment', 'Try this:\n  [apply] rw [h]\n  -- no goals', ['rw [h]']],
    ['a list', 'Try these:\n  [apply] simp\n  [apply] grind', ['simp', 'grind']],
    ['a list of points', 'Try these:\n• simp\n• grind', ['simp', 'grind']],
    [
      'a tactic over several lines',
      'Try this:\n  [apply] induction n with\n    | zero => simp\n    | succ n ih =>\n      simp [ih]',
      ['induction n with\n  | zero => simp\n  | succ n ih =>\n    simp [ih]'],
    ],
    ['something else', 'unused variable', []],
    ['nothing', 'Try this:', []],
  ])('%s', (_, text, expected) => {
    expect(suggestionsOf([said(text)])).toEqual(expected);
  });

  test('each once, in message order, and never from an error', () => {
    const messages = [
      said('Try this: simp'),
      said('Try this: omega'),
      said('Try this: simp'),
      said('Try this: rfl', 'error'),
    ];
    expect(suggestionsOf(messages)).toEqual(['simp', 'omega']);
  });
});
