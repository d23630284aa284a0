import { expect, test } from 'vitest';
import { describeTree } from '../../src/commands/why-tree.ts';

const state = (digit: string): string => digit.repeat(32);
const node = (name: string, tactics: readonly string[], target: string, score: number) => ({
  state: state(name),
  tactics,
  goals: [`n : Nat\n⊢ ${target}`],
  score,
});
const step = (name: string, outcome: 'advanced' | 'failed') => ({
  state: state(name),
  tactic: outcome,
  outcome,
  cpuSeconds: 0,
  heartbeats: 400,
  premises: [],
  next: [],
});

test('scripts that begin alike are one branch, and every open state says what was tried there', () => {
  const nodes = [
    node('a', ['intro n', 'cases n'], 'f 0 = 0', -1),
    node('b', ['intro n', 'cases n', 'rotate_left 1'], 'f (n + 1) = 0', -2),
    node('c', [], '∀ n, f n = 0', -3.25),
  ];
  expect(describeTree(nodes, [step('a', 'failed'), step('a', 'advanced')])).toEqual([
    'the search stopped with 3 open states, higher scores first in line:',
    '○ ⊢ ∀ n, f n = 0  (score -3.3, not tried)',
    'intro n',
    '  cases n',
    '    ○ ⊢ f 0 = 0  (score -1.0, 2 steps tried, 1 led on)',
    '    rotate_left 1',
    '      ○ ⊢ f (n + 1) = 0  (score -2.0, not tried)',
  ]);
});
