import type { ClaimAttack, FileAttack } from '../attack.ts';

/** Files that write a false theorem and have it dropped, or declared as something else, on the way. */
const good = 'theorem good : 1 = 1 := rfl';
const bad = 'theorem bad : 1 = 2 := rfl';
const swallow = 'macro "hide" c:command : command => `(section end)';

const row = (disguise: string, file: string, more: Partial<FileAttack> = {}): FileAttack => ({
  sort: 'dropped',
  disguise,
  file: `${good}\n${file}`,
  kind: 'unaccounted',
  ...more,
});

export const accountingAttacks: readonly FileAttack[] = [
  row('a macro that swallows a theorem', `${swallow}\nhide ${bad}`, { commandLine: true }),
  row(
    'a macro that swallows a lemma of its own making',
    `${swallow}\nmacro "lemma" n:declId s:declSig v:declVal : command => \`(theorem $n $s $v)\nhide lemma bad : 1 = 2 := rfl`,
  ),
  row('a macro that swallows an example', `${swallow}\nhide example : 1 = 2 := rfl`),
  row('a macro that swallows an instance', `${swallow}\nhide instance : Inhabited Empty := ⟨nofun⟩`),
  row(
    'a macro that swallows a definition',
    `${swallow}\nhide private noncomputable def bad : Empty := nofun`,
  ),
  row('a macro that swallows a structure', `${swallow}\nhide structure Bad where\n  h : 1 = 2`),
  row('behind `open … in` and an attribute', `${swallow}\nopen Nat in hide @[simp] ${bad}`),
  row(
    'a syntax that reads `theorem` as its own',
    `macro (priority := high) "theorem" n:ident ":" t:term ":=" v:term : command => \`(section end)\n${bad}`,
    { commandLine: true },
  ),
  row(
    'a second way to read `theorem`, which proves something else',
    `macro "theorem" n:ident ":" t:term ":=" v:term : command => \`(theorem $n : True := trivial)\n${bad}`,
    { commandLine: true },
  ),
  row(
    'a second way to read `def`, below `open … in`',
    'macro "def" n:ident ":" t:term ":=" v:term : command => `(def $n : Nat := 6)\nopen Nat in def five : Fin 3 := 5 + "no"',
  ),
  row(
    'a macro for Lean’s own `theorem` that makes nothing of it',
    `macro_rules | \`(theorem $n:ident : $t := $v) => \`(section end)\n${bad}`,
  ),
  row(
    'a macro for Lean’s own `theorem` that proves something else under its name',
    `macro_rules | \`(theorem $n:ident : $t := $v) => \`(@[simp] theorem $n : 1 = 1 := rfl)\n${bad}`,
    { commandLine: true },
  ),
  row(
    'a macro that makes a definition of something else',
    'macro_rules | `(def $n:ident : $t := $v) => `(@[simp] def $n : Nat := 6)\ndef five : Nat := 5',
  ),
  row(
    'a term that swallows a command',
    'macro "hide" c:command "shown" t:term : term => `($t)\ndef five : Nat := hide theorem bad : 1 = 2 := rfl shown 5',
  ),
  row(
    'a word glued to a token of its own',
    'macro "λ" c:command : command => `(section end)\nλtheorem bad : 1 = 2 := rfl',
  ),
  row(
    'syntax under the name of one of Lean’s own',
    `namespace Lean.Parser.Term\nsyntax (name := quot) "hide" command : command\nend Lean.Parser.Term\nmacro_rules | \`(hide $_) => \`(section end)\nhide ${bad}`,
    { kind: ['runs-code', 'unaccounted', 'elaboration'] },
  ),
  row(
    'a guard that drops every error, around a theorem that is not a theorem',
    '#guard_msgs (drop all) in theorem bad : foo := rfl',
    { kind: 'elaboration', commandLine: true },
  ),
  row('a guard that drops the error of a theorem', `#guard_msgs (drop error) in ${bad}`, {
    kind: 'elaboration',
  }),
  row('a guard that drops the error of an example', '#guard_msgs (drop error) in example : 1 = 2 := rfl', {
    kind: 'elaboration',
  }),
  row(
    'a guard made by a macro',
    `macro "quiet" c:command : command => \`(#guard_msgs (drop error) in $c)\nquiet open Nat in ${bad}`,
    { kind: 'elaboration' },
  ),
  row(
    'a guard that expects the error of a theorem',
    `/-- error: (kernel) declaration type mismatch -/\n#guard_msgs (substring := true) in ${bad}`,
    { kind: ['elaboration', 'parse'] },
  ),
  row('a theorem behind a parse error', `)\n${bad}`, { kind: 'elaboration' }),
  row('a second theorem of the same name', 'theorem good : 1 = 2 := rfl', { kind: 'elaboration' }),
  row('`end` that closes a section which is not there', 'end\ntheorem more : 1 = 1 := rfl', {
    sort: 'refused by Lean',
    kind: 'elaboration',
    commandLine: true,
  }),
  row('an `end` with the name of no section', 'end Elsewhere', {
    sort: 'refused by Lean',
    kind: 'elaboration',
  }),
  row('`end` behind `open … in`', 'open Nat in end', { sort: 'refused by Lean', kind: 'elaboration' }),
  row('a definition that cannot be compiled', 'def any : Nat := Classical.choice ⟨0⟩', {
    sort: 'refused by Lean',
    kind: 'elaboration',
  }),
  {
    sort: 'refused by Lean',
    disguise: '`prelude`',
    file: `prelude\n${good}`,
    kind: 'missing-import',
    commandLine: true,
  },
  {
    sort: 'dropped',
    disguise: 'a theorem of the reference that a macro swallows',
    file: good,
    against: `${good}\n${swallow}\nhide ${bad}`,
    kind: 'unread',
    commandLine: true,
  },
  {
    sort: 'dropped',
    disguise: 'a theorem of the reference that a guard drops',
    file: good,
    against: `${good}\n#guard_msgs (drop all) in theorem bad : foo := rfl`,
    kind: ['unread', 'elaboration'],
  },
  {
    sort: 'dropped',
    disguise: 'a theorem beside those of the reference',
    file: `${good}\ntheorem bad : 1 = 2 := sorry`,
    against: good,
    kind: 'sorry',
    commandLine: true,
  },
];

/** Options of tactics are run as compiled code: a literal must not be a constant of the input. */
const own =
  'namespace A\ndef true : Bool := Id.run do\n  let mut n := 0\n  while n < 1000000000000 do n := n + 1\n  return n > 5\nend A';

export const literalAttacks: readonly ClaimAttack[] = [
  {
    sort: 'neighbour',
    disguise: 'a constant of the preamble as an option of a tactic, which runs for ever',
    preamble: `${own}\nopen A`,
    statement: 'theorem t : 1 = 2',
    proof: 'by simp (decide := true)',
    kind: ['timeout', 'elaboration', 'runs-code', 'parse'],
    deadlineMs: 8000,
  },
];
