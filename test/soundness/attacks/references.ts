import type { FileAttack } from '../attack.ts';

/** Files that evade their reference: what both declare is not the same, or what the reference asks for is not there. */
const row = (
  disguise: string,
  against: string,
  file: string,
  more: Partial<FileAttack> = {},
): FileAttack => ({ sort: 'reference', disguise, file, against, kind: 'statement-changed', ...more });

const hard = 'def Hard : Prop := 1 = 2\ntheorem t : Hard := sorry';
const easy = 'theorem easy : True := trivial';

export const referenceAttacks: readonly FileAttack[] = [
  row(
    'the second type of a mutual block has the name of a definition',
    hard,
    'mutual\ninductive Decoy : Prop | mk : Decoy\ninductive Hard : Prop | mk : Hard\nend\ntheorem t : Hard := Hard.mk',
    { commandLine: true },
  ),
  row(
    'the third type of a mutual block',
    hard,
    'mutual\ninductive First : Prop | mk : First\ninductive Second : Prop | mk : Second\ninductive Hard : Prop | mk : Hard\nend\ntheorem t : Hard := Hard.mk',
  ),
  row(
    'the second type of a mutual block, in a namespace',
    `namespace A\n${hard}\nend A`,
    'namespace A\nmutual\ninductive Decoy : Prop | mk : Decoy\ninductive Hard : Prop | mk : Hard\nend\ntheorem t : Hard := Hard.mk\nend A',
  ),
  row(
    'the second type of a mutual block, for an axiom',
    'axiom Hard : Prop\ntheorem t : Hard := sorry',
    'mutual\ninductive Decoy : Prop | mk : Decoy\ninductive Hard : Prop | mk : Hard\nend\ntheorem t : Hard := Hard.mk',
  ),
  row(
    'the second type of a mutual block, for an opaque predicate',
    'opaque Hard : Nat → Prop\ntheorem t : Hard 3 := sorry',
    'mutual\ninductive Decoy : Nat → Prop | mk (n) : Decoy n\ninductive Hard : Nat → Prop | mk (n) : Hard n\nend\ntheorem t : Hard 3 := Hard.mk 3',
  ),
  row(
    'the second type of a mutual block, for an inductive predicate',
    'inductive Even : Nat → Prop | zero : Even 0 | step (n) : Even n → Even (n + 2)\ntheorem t : Even 3 := sorry',
    'mutual\ninductive Decoy : Prop | mk : Decoy\ninductive Even : Nat → Prop | zero : Even 0 | step (n) : Even n → Even (n + 2) | any (n) : Even n\nend\ntheorem t : Even 3 := .any 3',
  ),
  row(
    'a second type of a mutual block of the reference with one constructor more',
    'mutual\ninductive Even : Nat → Prop | zero : Even 0 | step (n) : Odd n → Even (n + 1)\ninductive Odd : Nat → Prop | step (n) : Even n → Odd (n + 1)\nend\ntheorem t : Odd 2 := sorry',
    'mutual\ninductive Even : Nat → Prop | zero : Even 0 | step (n) : Odd n → Even (n + 1)\ninductive Odd : Nat → Prop | step (n) : Even n → Odd (n + 1) | any (n) : Odd n\nend\ntheorem t : Odd 2 := .any 2',
  ),
  row(
    'a constructor with the name of a definition',
    'namespace A\ndef lie : Prop := 1 = 2\nend A\ntheorem t : A.lie := sorry',
    'inductive A : Prop | lie : A\ntheorem t : A := .lie',
  ),
  row(
    'a recursor with the name of an axiom',
    'axiom Box.rec : 1 = 2\naxiom Box.free : Box.rec = Box.rec\ntheorem t : 1 = 2 := sorry',
    'structure Box where\n  n : Nat\ntheorem t : 1 = 2 := Box.rec',
    { kind: ['statement-changed', 'elaboration'] },
  ),
  row(
    'a structure whose projection has the name of a definition',
    'structure P where\n  y : Nat\ndef P.x (p : P) : Nat := p.y + 1\ntheorem t (p : P) : p.x = p.y := sorry',
    'structure P where\n  y : Nat\nabbrev P.x (p : P) : Nat := p.y\ntheorem t (p : P) : p.x = p.y := rfl',
  ),
  row(
    'the theorem of the reference stands behind several `… in`',
    `set_option pp.all true in\nopen Nat in\nset_option pp.all false in\nopen List in\ntheorem t : 1 = 2 := sorry\n${easy}`,
    easy,
    { commandLine: true },
  ),
  row(
    'the theorem of the reference is made by a macro with its name',
    `macro "goal" n:ident : command => \`(theorem $n : 1 = 2 := sorry)\ngoal t\n${easy}`,
    easy,
    { commandLine: true },
  ),
  row(
    'the theorem of the reference is made by a macro, among others',
    `macro "goals" n:ident m:ident : command => \`(theorem $n : 1 = 1 := rfl theorem $m : 1 = 2 := sorry)\ngoals good t`,
    'theorem good : 1 = 1 := rfl',
  ),
  row(
    'the theorem of the reference is made by a macro under a name that nobody can write',
    `macro "goal" : command => \`(theorem t : 1 = 2 := sorry)\ngoal\n${easy}`,
    easy,
    { kind: 'unread' },
  ),
  row(
    'the theorem of the reference has a name that looks made up',
    `theorem _t : 1 = 2 := sorry\ntheorem match_1 : 1 = 2 := sorry\n${easy}`,
    easy,
  ),
  row('the reference states nothing', 'def x : Nat := 1', 'theorem t : 1 = 2 := sorry', {
    kind: ['no-theorem', 'sorry'],
  }),
  row(
    'the theorem of the reference is at the root',
    `namespace A\ntheorem _root_.t : 1 = 2 := sorry\nend A\n${easy}`,
    easy,
  ),
  row(
    'the theorem of the reference has a dot in its name',
    `theorem a.t : 1 = 1 := rfl\ntheorem «a.t» : 1 = 2 := sorry`,
    'theorem a.t : 1 = 1 := rfl',
  ),
  row(
    'both have the dotted name, only one of them is right',
    `theorem a.t : 1 = 1 := rfl\ntheorem «a.t» : 1 = 2 := sorry`,
    'theorem a.t : 1 = 1 := rfl\ntheorem «a.t» : 1 = 1 := rfl',
  ),
  row(
    'the theorem of the reference is an instance',
    `class Hard : Prop where no : 1 = 2\ninstance t : Hard := sorry\n${easy}`,
    `class Hard : Prop where no : 1 = 2\n${easy}`,
  ),
  row(
    'the theorem of the reference is in a mutual block',
    `mutual\ntheorem good : 1 = 1 := rfl\ntheorem t : 1 = 2 := sorry\nend`,
    'theorem good : 1 = 1 := rfl',
  ),
  row('the theorem of the reference is private', `private theorem t : 1 = 2 := sorry\n${easy}`, easy),
  row(
    'the theorem of the reference is behind an attribute',
    `@[simp] theorem t : (1 = 2) = True := sorry\n${easy}`,
    easy,
  ),
  row('the theorem of the reference is behind `#exit`', `${easy}\n#exit\ntheorem t : 1 = 2 := sorry`, easy, {
    kind: 'unread',
  }),
  row(
    'a matcher of the reference’s statement is another one in the file',
    'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) = 2 := sorry',
    'theorem t (n : Nat) : (match n with | 0 => 2 | _ => 2) = 2 := by cases n <;> rfl',
  ),
  row(
    'a helper of a definition means something else',
    'def f (n : Nat) : Nat := match n with | 0 => 1 | _ => 2\ntheorem t (n : Nat) : f n = 2 := sorry',
    'def f.match_1.{u} (motive : Nat → Sort u) (n : Nat) (_ : Unit → motive 0) (h : (x : Nat) → motive x) : motive n := h n\ndef f (n : Nat) : Nat := f.match_1 (fun _ => Nat) n (fun _ => 1) (fun _ => 2)\ntheorem t (n : Nat) : f n = 2 := rfl',
  ),
  row(
    'the statement’s matcher is written by hand',
    'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) = 2 := sorry',
    'def t.match_1.{u_1} (motive : Nat → Sort u_1) (n : Nat) (_ : Unit → motive 0) (h : (x : Nat) → motive x) : motive n := h n\ntheorem t (n : Nat) : t.match_1 (fun _ => Nat) n (fun _ => 1) (fun _ => 2) = 2 := rfl',
  ),
  row(
    'the statement’s matcher is written by hand, under the name that Lean gives it',
    'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) = 2 := sorry',
    'def t.match_1.{u_1} (motive : Nat → Sort u_1) (x : Nat) (h_1 : Unit → motive 0) (h_2 : (x : Nat) → motive x) : motive x := h_2 x\ntheorem t (n : Nat) : t.match_1 (fun x => Nat) n (fun _ => 1) (fun x => 2) = 2 := rfl',
  ),
  row(
    'a definition with the same text over another instance',
    'def two : Nat := 1 + 1\ntheorem t : two = 3 := sorry',
    'instance (priority := high) odd : HAdd Nat Nat Nat := ⟨fun _ _ => 3⟩\ndef two : Nat := 1 + 1\ntheorem t : two = 3 := rfl',
  ),
  row(
    'a definition with the same text over another notation',
    'def Hard : Prop := 1 = 2\ntheorem t : Hard := sorry',
    'local macro_rules | `(2) => `(1)\ndef Hard : Prop := 1 = 2\ntheorem t : Hard := rfl',
  ),
  row(
    'a class with one field less',
    'class Group (α : Type) where\n  op : α → α → α\n  comm : ∀ a b, op a b = op b a\ntheorem t : Nonempty (Group Nat) := sorry',
    'class Group (α : Type) where\n  op : α → α → α\ntheorem t : Nonempty (Group Nat) := ⟨⟨fun a _ => a⟩⟩',
  ),
];
