import { expect, test } from 'vitest';
import type { Goal } from '../../../src/lean/base/protocol.ts';
import { scriptOf, Tree, type TreeNode } from '../../../src/lean/search/tree.ts';
import type { WorkState } from '../../../src/lean/workbench/workbench.ts';

const goal = (target: string): Goal => ({ hypotheses: [{ name: 'n', type: 'Nat' }], target });

const stateOf = (...targets: string[]): WorkState => ({
  hole: 0,
  goals: targets.map(goal),
  closed: targets.length === 0,
  messages: [],
  tactics: [],
});

/** Nothing is left to propose for it. */
function giveUp(tree: Tree, node: TreeNode): void {
  node.stage = -1;
  tree.exhaust(node);
}

test('goals that a step creates are solved separately, and their scripts keep the order', () => {
  const tree = new Tree(stateOf('a ∧ b', 'behind'));
  const {
    fresh: [left, right],
  } = tree.grow(tree.root, 'constructor', stateOf('a', 'b', 'behind'), 1);
  if (!left || !right) throw new Error('two goals');
  expect([left.before, left.others, right.before, right.others]).toEqual([0, 2, 1, 2]);
  // `b` is solved first, from a state in which it was rotated to the front
  tree.grow(right, 'exact hb', stateOf('behind', 'a'), 1);
  expect(tree.root.status).toBe('open');
  const {
    fresh: [after],
  } = tree.grow(left, 'symm', stateOf('a′', 'b', 'behind'), 1);
  if (!after) throw new Error('one goal');
  tree.grow(after, 'assumption', stateOf('b', 'behind'), 1);
  expect(tree.root.status).toBe('solved');
  expect(scriptOf(tree.root)).toEqual(['constructor', 'symm', 'assumption', 'exact hb']);
});

test('equal goals share one node, however they were reached', () => {
  const tree = new Tree(stateOf('a'));
  const {
    fresh: [first],
  } = tree.grow(tree.root, 'simp', stateOf('b'), 1);
  expect(tree.grow(tree.root, 'unfold f', stateOf('b'), 1).fresh).toEqual([]);
  expect(tree.size).toBe(2);
  if (!first) throw new Error('a goal');
  tree.grow(first, 'rfl', stateOf(), 1);
  expect(scriptOf(tree.root)).toEqual(['simp', 'rfl']);
});

test('a step back to an earlier goal solves nothing', () => {
  const tree = new Tree(stateOf('a'));
  const {
    fresh: [other],
  } = tree.grow(tree.root, 'symm', stateOf('b'), 1);
  if (!other) throw new Error('a goal');
  expect(tree.grow(other, 'symm', stateOf('a'), 1).fresh).toEqual([]);
  expect(tree.root.status).toBe('open');
  // it is not a reason to wait for it either
  giveUp(tree, other);
  giveUp(tree, tree.root);
  expect(tree.root.status).toBe('exhausted');
});

test('if one of two goals is hopeless, the other is dropped', () => {
  const tree = new Tree(stateOf('a ∧ b'));
  const {
    fresh: [left, right],
  } = tree.grow(tree.root, 'constructor', stateOf('a', 'b'), 1);
  const {
    fresh: [elsewhere],
  } = tree.grow(tree.root, 'exfalso', stateOf('False'), 1);
  if (!left || !right || !elsewhere) throw new Error('three goals');
  giveUp(tree, left);
  expect([right, elsewhere].map((node) => tree.isWanted(node))).toEqual([false, true]);
  giveUp(tree, tree.root);
  expect(tree.root.status).toBe('open');
  giveUp(tree, elsewhere);
  expect(tree.root.status).toBe('exhausted');
});

test('goals that share a metavariable are solved together', () => {
  const tree = new Tree(stateOf('a = c'));
  const shared = ['a = ?b', '?b = c'].map((target) => ({ ...goal(target), target_unknown: true }));
  const { fresh: nodes } = tree.grow(
    tree.root,
    'apply Eq.trans',
    { ...stateOf(), goals: shared, closed: false },
    1,
  );
  expect(nodes.map(({ goals }) => goals.length)).toEqual([2]);
  const [both] = nodes;
  if (!both) throw new Error('a node');
  const {
    fresh: [left],
  } = tree.grow(both, 'exact h', stateOf('b = c'), 1);
  expect(left?.goals).toEqual([goal('b = c')]);
});

test('a question mark in printed text is not a metavariable', () => {
  const tree = new Tree(stateOf('p ∧ q'));
  const { fresh: nodes } = tree.grow(tree.root, 'constructor', stateOf('xs[0]?x', '«?b» = c'), 1);
  expect(nodes.map(({ goals }) => goals.length)).toEqual([1, 1]);
});
