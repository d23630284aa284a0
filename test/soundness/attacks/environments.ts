import type { FileAttack } from '../attack.ts';

/**
 * Files that bring modules, macros or options of their own, judged against a reference in another folder. Each row is accepted
 * if the reference is read as the candidate is: `environments.test.ts` shows it.
 */
const row = (
  disguise: string,
  [file, beside]: readonly [string, Readonly<Record<string, string>>],
  [against, besideReference]: readonly [string, Readonly<Record<string, string>>],
  more: Partial<FileAttack> = {},
): FileAttack => ({
  sort: 'environment',
  disguise,
  file,
  beside,
  against,
  besideReference,
  kind: 'statement-changed',
  ...more,
});

const goal = 'theorem t : 1 = 2 := sorry';

export const environmentAttacks: readonly FileAttack[] = [
  row(
    'a module of the same name that defines a word of the statement anew',
    ['import Defs\ntheorem t : Hard := trivial', { 'Defs.lean': 'def Hard : Prop := True' }],
    ['import Defs\ntheorem t : Hard := sorry', { 'Defs.lean': 'def Hard : Prop := 1 = 2' }],
    { commandLine: true },
  ),
  row(
    'a macro of a module that the reference does not import',
    ['import Evil\ntheorem t : 1 = 2 := rfl', { 'Evil.lean': 'macro_rules | `(2) => `(1)' }],
    [goal, {}],
  ),
  row(
    'an instance of a module of the same name',
    [
      'import Defs\ntheorem t : (1 : Nat) = 2 := rfl',
      { 'Defs.lean': 'instance (priority := high) two : OfNat Nat 2 := ⟨1⟩' },
    ],
    ['import Defs\ntheorem t : (1 : Nat) = 2 := sorry', { 'Defs.lean': 'def unused : Nat := 1' }],
  ),
  row(
    'a module further down that the reference’s own module imports',
    [
      'import Defs\ntheorem t : Hard := trivial',
      { 'Defs.lean': 'import Base\ndef Hard : Prop := Harder', 'Base.lean': 'def Harder : Prop := True' },
    ],
    [
      'import Defs\ntheorem t : Hard := sorry',
      { 'Defs.lean': 'import Base\ndef Hard : Prop := Harder', 'Base.lean': 'def Harder : Prop := 1 = 2' },
    ],
  ),
  row(
    'an option of the candidate’s lakefile that makes a misspelt name a variable',
    [
      'theorem t (h : Nonempty Goldbach) : Nonempty Goldbach := h',
      {
        'lakefile.toml':
          'name = "x"\n[leanOptions]\nrelaxedAutoImplicit = true\nautoImplicit = true\n[[lean_lib]]\nname = "Solution"',
      },
    ],
    [
      'theorem t (h : Nonempty Goldbach) : Nonempty Goldbach := sorry',
      {
        'lakefile.toml': 'name = "y"\n[leanOptions]\nautoImplicit = false\n[[lean_lib]]\nname = "Reference"',
      },
    ],
    { kind: 'elaboration' },
  ),
  row(
    'the reference imports a module that only the candidate has',
    ['import Extra\ntheorem t : Hard := trivial', { 'Extra.lean': 'def Hard : Prop := True' }],
    ['import Extra\ntheorem t : Hard := sorry', {}],
    { kind: 'missing-import' },
  ),
];

/** Not accepted when read together either: there the reference does not elaborate. */
export const clashingNames: FileAttack = row(
  'a library module of the candidate has a name that the reference’s module declares',
  [
    'import Std.Time\ntheorem t : ∃ a b : Std.Time.Weekday, a ≠ b := ⟨.monday, .tuesday, nofun⟩',
    { 'lakefile.toml': 'name = "x"\n[[lean_lib]]\nname = "Solution"' },
  ],
  [
    'import Defs\ntheorem t : ∃ a b : Std.Time.Weekday, a ≠ b := sorry',
    { 'Defs.lean': 'inductive Std.Time.Weekday | only' },
  ],
  { kind: 'inseparable', image: 'std' },
);
