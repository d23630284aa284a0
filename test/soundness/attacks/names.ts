import type { ClaimAttack } from '../attack.ts';

/** Names that are not what they seem: unknown ones that Lean would bind by itself, and two that meet when written as text. */
const unknown = (disguise: string, statement: string, proof: string): ClaimAttack => ({
  sort: 'auto-bound',
  disguise,
  statement,
  proof,
  kind: 'statement',
  judged: null,
});

const meeting = (disguise: string, preamble: string, allowed: string, proof: string): ClaimAttack => ({
  sort: 'names',
  disguise,
  preamble,
  statement: 'theorem t : 1 = 2',
  proof,
  allowAxioms: [allowed],
  kind: 'axiom',
});

export const nameAttacks: readonly ClaimAttack[] = [
  {
    ...unknown('the real numbers, which are not there', 'theorem t (x : ℝ) : x = x', 'rfl'),
    commandLine: true,
  },
  unknown('the rational numbers', 'theorem t (a b : ℚ) (h : a = b) : b = a', 'h.symm'),
  unknown('a predicate that is not there', 'theorem t (p : Nat) (h : Prime p) : Prime p', 'h'),
  unknown('a class that is not there', 'theorem t (G : Type) [Group G] (a : G) : a = a', 'rfl'),
  unknown('a misspelt type', 'theorem t (n : Natt) : n = n', 'rfl'),
  unknown('a type with a prime and a digit', "theorem t (n : Real') : n = n", 'rfl'),
  unknown('a universe with a capital', 'theorem t (α : Type uU) (a : α) : a = a', 'rfl'),
  unknown('a capital letter', 'theorem t (x : X) : x = x', 'rfl'),
  unknown('a letter that looks like one of Greek', 'theorem t (x : ℂ) : x = x', 'rfl'),
  unknown(
    'in a hypothesis alone',
    'theorem t (n : Nat) (h : Even n → False) (k : Even n) : 1 = 2',
    '(h k).elim',
  ),
  {
    ...unknown('a variable of the preamble', 'theorem t : x = x', 'rfl'),
    preamble: 'variable (x : ℝ)',
  },
  {
    ...unknown('a definition of the preamble', 'theorem t : f = f', 'rfl'),
    preamble: 'def f (x : ℝ) : ℝ := x',
    kind: 'elaboration',
  },
  {
    ...unknown('a misspelt type in a definition of the preamble', 'theorem t : f = f', 'rfl'),
    preamble: 'def f (x : Natt) : Natt := x',
    kind: 'elaboration',
  },
  {
    ...unknown('a type in an inductive type of the preamble', 'theorem t (x : Box) : x = x', 'rfl'),
    preamble: 'inductive Box : Real → Type where\n  | of (x : Real) : Box x',
    kind: 'elaboration',
  },
  {
    ...unknown('a variable of the preamble, with a capital inside', 'theorem t : x = x', 'rfl'),
    preamble: 'variable (x : reaL)',
  },
  {
    ...unknown('a word that the preamble declares nowhere', 'theorem t (x : Box reaL) : x = x', 'rfl'),
    preamble: 'inductive Box : Type → Type 1 where\n  | of (x : item) : Box item',
  },
  {
    ...unknown(
      'a universe that the preamble declares nowhere',
      'theorem t (α : Type uU) (x : Box α) : x = x',
      'rfl',
    ),
    preamble: 'inductive Box : Type u → Type (u + 1) where\n  | of (x : item) : Box item',
  },
  unknown('a word with a capital inside', 'theorem t (x : reaL) : x = x', 'rfl'),
  unknown('a word with a letter that is not ASCII', 'theorem t (x : réel) : x = x', 'rfl'),
  unknown('a word with a Greek letter', 'theorem t (x : elemα) : x = x', 'rfl'),
  meeting('the allowed `a.b`, used as `«a.b»`', 'axiom a.b : 1 = 1\naxiom «a.b» : 1 = 2', 'a.b', '«a.b»'),
  meeting('the allowed `«a.b»`, used as `a.b`', 'axiom «a.b» : 1 = 1\naxiom a.b : 1 = 2', '«a.b»', 'a.b'),
  meeting('a part that is a number', 'axiom a.«1» : 1 = 2\naxiom x : 1 = 1', 'a.1', 'a.«1»'),
  meeting(
    'the allowed name in another namespace',
    'axiom given : 1 = 1\nnamespace A\naxiom given : 1 = 2\nend A\nopen A',
    'given',
    'A.given',
  ),
  meeting('a private axiom of the allowed name', 'private axiom given : 1 = 2', 'given', 'given'),
  meeting('confusable letters', 'axiom «gіven» : 1 = 2\naxiom given : 1 = 1', 'given', '«gіven»'),
  meeting(
    'an axiom named like a standard one, in a namespace',
    'axiom A.propext : 1 = 2',
    'propext',
    'A.propext',
  ),
  meeting('the name of no axiom', 'axiom «» : 1 = 2', '', '«»'),
];
