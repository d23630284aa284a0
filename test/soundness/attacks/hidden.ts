import type { FileAttack } from '../attack.ts';

/** Whole files that hide a false theorem from tools that list theorems by their syntax. */
const good = 'theorem good : 1 = 1 := rfl';

const row = (disguise: string, file: string, more: Partial<FileAttack> = {}): FileAttack => ({
  sort: 'hidden theorem',
  disguise,
  file,
  kind: ['sorry', 'runs-code'],
  ...more,
});

export const hiddenAttacks: readonly FileAttack[] = [
  row(
    'at the root, from within a namespace',
    `${good}\nnamespace A\ntheorem _root_.x : 1 = 2 := sorry\nend A`,
    {
      commandLine: true,
    },
  ),
  row('at the root, from outside any namespace', `${good}\ntheorem _root_.x : 1 = 2 := sorry`),
  row('`«a.b»` beside `a.b`', 'theorem a.b : 1 = 1 := rfl\ntheorem «a.b» : 1 = 2 := sorry', {
    commandLine: true,
  }),
  row('`«a.b»` before `a.b`', 'theorem «a.b» : 1 = 2 := sorry\ntheorem a.b : 1 = 1 := rfl'),
  row(
    '`«a».«b»`, and `«a.b»` behind it',
    'theorem «a».«b» : 1 = 1 := rfl\ntheorem «a.b» : 1 = 2 := by sorry',
  ),
  row('a part that is a number', 'theorem a.«1» : 1 = 1 := rfl\ntheorem «a.1» : 1 = 2 := sorry'),
  row(
    'behind several `… in`',
    `${good}\nset_option pp.all true in\nopen Nat in\nset_option pp.all false in\nopen List in\ntheorem x : 1 = 2 := sorry`,
    { commandLine: true },
  ),
  row(
    'behind `variable … in` and `open … in`',
    `${good}\nvariable (n : Nat) in\nopen Nat in\nuniverse u in\nvariable (m : Nat) in\ntheorem x : n = m := sorry`,
  ),
  row('made by a macro', `${good}\nmacro "qed" n:ident : command => \`(theorem $n : 1 = 2 := sorry)\nqed x`, {
    commandLine: true,
  }),
  row(
    'made by a macro that makes several',
    `${good}\nmacro "both" : command => \`(theorem right : 1 = 1 := rfl theorem wrong : 1 = 2 := sorry)\nboth`,
  ),
  row(
    'made by a macro inside a mutual block',
    `${good}\nmutual\ntheorem x : 1 = 2 := y\ntheorem y : 1 = 2 := sorry\nend`,
  ),
  row('after `#exit`', `${good}\n#exit\ntheorem x : 1 = 2 := sorry`, { kind: 'unread', commandLine: true }),
  row(
    'after `#exit` behind a comment',
    `${good}\n/- that is all -/ #exit /-\n-/ theorem x : 1 = 2 := sorry`,
    {
      kind: 'unread',
    },
  ),
  row('after `end` of the file by a comment that never ends', `${good}\n/- theorem x : 1 = 2 := sorry`, {
    kind: ['parse', 'elaboration'],
  }),
  row('an example', `${good}\nexample : 1 = 2 := sorry`),
  row('an example behind `open … in`', `${good}\nopen Nat in example : 1 = 2 := by\n  sorry`),
  row('an instance without a name', `${good}\nclass Lie : Prop where no : 1 = 2\ninstance : Lie := ⟨sorry⟩`),
  row(
    'an instance with a name',
    `${good}\nclass Lie : Prop where no : 1 = 2\ninstance x : Lie := by exact ⟨sorry⟩`,
  ),
  row('a definition of a proof', `${good}\ndef x : 1 = 2 := sorry`),
  row('an abbreviation of a proof', `${good}\nabbrev x : 1 = 2 := sorry`),
  row('an opaque proof', `${good}\nopaque x : 1 = 2 := sorry`),
  row('a definition with data', `${good}\ndef x : { n : Nat // n < n } := ⟨0, sorry⟩`),
  row(
    'a helper of a definition',
    `${good}\ndef f (n : Nat) : Nat := g n where\n  g (n : Nat) : Nat := sorry`,
  ),
  row(
    'a termination proof',
    `${good}\ndef f (n : Nat) : Nat := f (n + 1)\ntermination_by n\ndecreasing_by sorry`,
  ),
  row(
    'a default of a structure',
    `${good}\nstructure S where\n  n : Nat\n  h : n < n := by sorry\ndef s : S := { n := 0 }`,
  ),
  row('a private theorem', `${good}\nprivate theorem x : 1 = 2 := sorry`),
  row(
    'a private one beside a public one of its name',
    `theorem a.x : 1 = 1 := rfl\nnamespace a\nprivate theorem y.x : 1 = 2 := sorry\nend a`,
  ),
  row('a protected theorem', `${good}\nnamespace A\nprotected theorem x : 1 = 2 := sorry\nend A`),
  row('a theorem with an attribute', `${good}\n@[simp] theorem x : 1 = 2 := sorry`),
  row('a theorem with a comment in its head', `${good}\ntheorem /- x -/ x : 1 = 2 := sorry`),
  row('an axiom that nothing uses', `${good}\naxiom x : 1 = 2`, { kind: ['axiom'] }),
  row('an axiom at the root', `${good}\nnamespace A\naxiom _root_.x : 1 = 2\nend A`, { kind: ['axiom'] }),
  row(
    'an axiom made by a macro',
    `${good}\nmacro "assume" n:ident : command => \`(axiom $n : 1 = 2)\nassume x`,
    {
      kind: ['axiom'],
    },
  ),
  row(
    'an axiom behind several `… in`',
    `${good}\nopen Nat in open List in set_option pp.all true in\naxiom x : 1 = 2`,
    {
      kind: ['axiom'],
    },
  ),
  row(
    'a theorem on an axiom, both at the root',
    `${good}\nnamespace A\naxiom _root_.lie : 1 = 2\ntheorem _root_.x : 1 = 2 := lie\nend A`,
    {
      kind: ['axiom'],
    },
  ),
  row(
    'a theorem whose kind a notation hides',
    `${good}\nset_option quotPrecheck false\nnotation "proof" => (sorry : 1 = 2)\nopen Nat in open List in set_option pp.all true in theorem x : 1 = 2 := proof`,
  ),
  row(
    'one that an elaborator adds',
    `${good}\nopen Lean Elab Command in\nelab "qed" : command => do elabCommand (← \`(theorem x : 1 = 2 := sorry))\nqed`,
    { image: 'std', kind: ['sorry', 'runs-code'] },
  ),
  row(
    'one whose proof is a free variable that a tactic leaves',
    `${good}\nopen Lean Elab Tactic in\nelab "leave" : tactic => do (← getMainGoal).assign (.fvar ⟨\`h⟩)\ntheorem x : 1 = 2 := by leave`,
    { image: 'std', kind: 'malformed-export' },
  ),
  row(
    'one that `run_cmd` adds',
    `${good}\nopen Lean Elab Command in\nrun_cmd elabCommand (← \`(theorem x : 1 = 2 := sorry))`,
    { image: 'std', kind: ['sorry', 'runs-code'] },
  ),
  row(
    'one that an elaborator adds and takes out of every listing',
    `${good}\nopen Lean Elab Command in\nrun_cmd do\n  let before ← getEnv\n  elabCommand (← \`(theorem x : 1 = 2 := sorry))\n  setEnv before`,
    { image: 'std', kind: ['sorry', 'elaboration', 'runs-code'] },
  ),
];
