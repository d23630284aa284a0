import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/lean/premises/facts.ts';
import type { Goal, Hypothesis } from '../../../src/lean/base/protocol.ts';
import { everyKind, generatorOf } from '../../../src/lean/search/generators.ts';
import { strengthened } from '../../../src/lean/search/strengthen.ts';
import { tidying } from '../../../src/lean/search/tidy.ts';
import { callsOf, partsOf, sidesOf } from '../../../src/lean/search/terms.ts';

const noFacts: Facts = {
  definitions: [],
  lemmas: [],
  allLemmas: [],
  allDefinitions: [],
  instances: [],
  operators: [],
  predicates: [],
  constructors: [],
  lemmaSymbols: new Map(),
};

type Typed = Omit<Hypothesis, 'name'>;

const nat: Typed = { type: 'Nat', kind: 'data', head: 'Nat', splits: true, recursive: true };
const equation = (type: string): Typed => ({ type, kind: 'equation', head: 'Eq' });

/** Hypotheses given only as printed text are values or claims without further data. */
const goalOf = (
  target: string,
  hypotheses: Readonly<Record<string, string | Typed>>,
  described: Partial<Goal> = {},
): Goal => ({
  target,
  ...described,
  hypotheses: Object.entries(hypotheses).map(([name, typed]) => ({
    name,
    ...(typeof typed === 'string' ? { type: typed } : typed),
  })),
});

const proposals = (goal: Goal, facts: Partial<Facts>): string[] =>
  generatorOf(everyKind)([goal], { ...noFacts, ...facts }, false).flatMap(({ tactics }) => tactics);

const evenAt = (index: string): Typed => ({
  type: `Even ${index}`,
  kind: 'predicate',
  head: 'Even',
  recursive: true,
  inverts: index !== 'n',
});

const even = {
  predicates: ['Even'],
  constructors: ['Even.zero', 'Even.step'],
};

describe('proposals per family of goals', () => {
  test.each<[family: string, tactic: string, Goal, Partial<Facts>]>([
    [
      'induction over an index that is a term, and over what it speaks of',
      '(generalize hi0 : (a + 1) = i0 at h; induction h generalizing a <;> (try clear i0))',
      goalOf('a < b', {
        a: nat,
        b: nat,
        h: { type: 'Path (a + 1) b', kind: 'predicate', head: 'Path', recursive: true, inverts: true },
      }),
      { predicates: ['Path'] },
    ],
    ['inversion', 'cases h', goalOf('Even n', { n: nat, h: evenAt('(n + 2)') }), even],
    [
      'a rule, backwards',
      'apply Even.step',
      goalOf('n + 2 is even', { n: nat }, { target_head: 'Even' }),
      even,
    ],
    [
      'a hypothesis rewritten by another',
      'rw [e] at h',
      goalOf('p m', { e: equation('f n = m'), h: { type: 'p (f n)', kind: 'claim' } }),
      {},
    ],
    [
      'a hypothesis put in place of another by a lemma',
      'replace h := step h',
      goalOf('q n', { n: nat, h: { type: 'p n', kind: 'claim', head: 'p' } }),
      { lemmas: ['step'], lemmaSymbols: new Map([['step', ['p', 'q']]]) },
    ],
    [
      'a lemma at local terms',
      'have hn := total a b',
      goalOf('lt a b', { a: nat, b: nat }),
      { lemmas: ['total'], lemmaSymbols: new Map([['total', ['lt']]]) },
    ],
    [
      'a hypothesis at a value',
      'specialize h a',
      goalOf('p a', { a: nat, h: { type: '∀ (x : Nat), p x', kind: 'quantifier', head: '∀' } }),
      {},
    ],
    [
      'a fact that is waited for',
      'have hn := h ?_',
      goalOf('q', { h: { type: 'p → q ∧ r', kind: 'quantifier', head: '→' } }),
      {},
    ],
    [
      'a question that an implication asks',
      'by_cases hc : p',
      goalOf('q', { h: { type: 'p → q', kind: 'quantifier', head: '→' } }),
      {},
    ],
    ['whether two values are one', 'by_cases hc : a = b', goalOf('q a b', { a: nat, b: nat }), {}],
    [
      'a condition',
      'by_cases hc : x = y',
      goalOf('(if x = y then 1 else 2) = 2', { x: 'Nat', y: 'Nat' }),
      {},
    ],
    [
      'a split where Lean sees a condition, whatever notation prints',
      'split at h',
      goalOf('p', { h: { type: '⟦x⟧ = 2', kind: 'equation', head: 'Eq', conditional: true } }),
      {},
    ],
    [
      'what notation hides',
      'intro x',
      goalOf('s ⊑ t', {}, { target_kind: 'claim', target_head: 'Below' }),
      {},
    ],
    [
      'along a function, call by call',
      'fun_induction half n',
      goalOf('half n ≤ half m', { n: nat, m: nat }),
      { definitions: ['half'] },
    ],
    [
      'a witness that is found later',
      'refine ⟨_, ?_⟩',
      goalOf('∃ x, p x', {}, { target_kind: 'connective', target_head: 'Exists' }),
      {},
    ],
    [
      'a contradiction with what is denied',
      'refine absurd ?_ h',
      goalOf('q', { h: { type: '¬p', kind: 'connective', head: 'Not' } }),
      {},
    ],
    [
      'a principle of the preamble',
      'cases n using Nat.parityElim',
      goalOf('p n', { n: nat }),
      { eliminators: ['Nat.parityElim'] },
    ],
    [
      'an equation under an operation',
      'have hn := congrArg (fun z => G.op (G.inv a) z) h',
      goalOf('b = c', {
        G: { type: 'Type', kind: 'sort' },
        a: 'G',
        b: 'G',
        c: 'G',
        h: equation('G.op a b = G.op a c'),
      }),
      {
        operations: [
          { name: 'G.op', arity: 2 },
          { name: 'G.inv', arity: 1 },
        ],
      },
    ],
    [
      'a law at a term of the goal',
      'apply cancel (a ⋆ b)',
      goalOf('(a ⋆ b)⁻¹ = c', { G: { type: 'Type', kind: 'sort' }, a: 'G', b: 'G', c: 'G' }),
      { lemmas: ['cancel'] },
    ],
    [
      'brackets moved both ways',
      'grind [op_assoc, =_ op_assoc]',
      goalOf('a ⋆ b = c', { G: { type: 'Type', kind: 'sort' }, a: 'G' }),
      { lemmas: ['op_assoc'], grindable: new Set(['op_assoc']) },
    ],
    [
      'an induction whose cases are all plain',
      '(induction n <;> (first | grind [f] | (simp_all [f]; done) | (simp_all [f]; omega)))',
      goalOf('f n = n', { n: nat }),
      { definitions: ['f'] },
    ],
    ['all smaller numbers', 'induction n using Nat.strongRecOn', goalOf('r n', { n: nat }), {}],
    [
      'what a definition says in a hypothesis',
      'unfold Sub at h',
      goalOf('q', { h: { type: 'Sub s t', kind: 'claim', head: 'Sub' } }),
      { definitions: ['Sub'] },
    ],
  ])('%s: %s', (_, tactic, goal, facts) => {
    expect(proposals(goal, facts)).toContain(tactic);
  });

  test('the last step only closes the goal', () => {
    const stages = generatorOf(everyKind)([goalOf('Even 4', {})], { ...noFacts, ...even }, true);
    expect(stages.flatMap(({ tactics }) => tactics)).not.toContain('apply Even.step');
  });
});

const tidied = (goal: Goal) => tidying([goal]);

describe('the first proposals for a goal', () => {
  test.each<[what: string, Goal, tactics: string[], isSame: boolean]>([
    ['names', goalOf('p x', { 'x✝': nat, e: { ...equation('y = z'), solved: true } }), ['rename_i x'], true],
    [
      'a solved equation',
      goalOf('p x', { e: { ...equation('f y = x'), solved: true } }),
      ['subst_vars'],
      true,
    ],
    [
      'arguments of constructors',
      goalOf('p', { e: { ...equation('(a + 1, b) = (c, d)'), injective: true } }),
      ['cases e', 'injection e'],
      true,
    ],
    [
      'a witness',
      goalOf('p', { h: { type: 'Some q', kind: 'connective', head: 'Exists' } }),
      ['obtain ⟨x, hx⟩ := h'],
      true,
    ],
    ['a derivation of few rules', goalOf('p', { h: evenAt('(n + 2)') }), ['cases h'], false],
  ])('%s', (_, goal, tactics, isSame) => {
    expect(tidied(goal)).toEqual({ tactics, isSame });
  });

  test('steps that lose information are left to the search', () => {
    const either: Typed = { type: 'a ∨ b', kind: 'connective', head: 'Or' };
    expect(
      tidied(goalOf('p', { x: nat, e: equation('f x = x'), h: either, k: evenAt('n') })),
    ).toBeUndefined();
  });
});

describe('a strengthened lemma', () => {
  test('an accumulator becomes a variable on the side of the neutral element; small values refute wrong choices', () => {
    const goal = goalOf('sumTo xs 0 = total xs', { xs: 'List Nat' });
    expect(strengthened(goal, { ...noFacts, definitions: ['sumTo', 'total'] })[0]).toEqual({
      tactic: 'have hs : ∀ acc, sumTo xs acc = acc + (total xs) := ?_',
      refutation: 'have : ¬(sumTo [2, 3] 5 = 5 + (total [2, 3])) := by decide',
    });
  });

  test('values of unknown type are not computed', () => {
    const goal = goalOf('back xs = turn xs []', { xs: 'List α' });
    expect(strengthened(goal, { ...noFacts, definitions: ['turn', 'back'] })).toContainEqual({
      tactic: 'have hs : ∀ acc, turn xs acc = (back xs) ++ acc := ?_',
    });
  });
});

test('printed terms: parts, calls and sides', () => {
  expect(partsOf('Star Down (n, m) (f (k + 1))')).toEqual(['Star', 'Down', '(n, m)', '(f (k + 1))']);
  expect(callsOf('f (g x) y = f a', 'N.f')).toEqual([['(g x)', 'y'], ['a']]);
  expect(callsOf('t.size + (mk l).size = Tree.size u', 'Tree.size')).toEqual([['t'], ['(mk l)'], ['u']]);
  expect(sidesOf('f (a = b) = c = d', '=')).toEqual(['f (a = b)', 'c = d']);
});
