/** Rows of `run`: false goals whose preamble helps the tactics that orch tries by itself. None may be solved. */
export interface RowAttack {
  readonly id: string;
  readonly preamble?: string;
  readonly statement: string;
}

const falsehood = 'theorem t : 1 = 2';

export const rowAttacks: readonly RowAttack[] = [
  { id: 'a lemma by sorry', preamble: '@[simp] theorem bad : (1 = 2) = True := sorry', statement: falsehood },
  { id: 'an axiom nobody allowed', preamble: '@[simp] axiom bad : (1 = 2) = True', statement: falsehood },
  {
    id: 'a macro for every closer',
    preamble: ['rfl', 'simp', 'omega', 'decide', 'grind']
      .map((tactic) => `macro_rules | \`(tactic| ${tactic}) => \`(tactic| sorry)`)
      .join('\n'),
    statement: falsehood,
  },
  {
    id: 'a lemma that the kernel never saw',
    preamble: 'set_option debug.skipKernelTC true\n@[simp] theorem bad : 1 = 2 := by decide +kernel',
    statement: falsehood,
  },
  {
    id: 'a tactic of its own',
    preamble:
      'import Lean\nopen Lean Elab Tactic in\nelab_rules : tactic | `(tactic| rfl) => do (← getMainGoal).assign (mkConst ``True.intro)',
    statement: falsehood,
  },
  { id: 'a type that is a variable', statement: 'theorem t (x : ℝ) : x = x' },
  { id: 'a comment that opens', preamble: '/-\n', statement: falsehood },
];

/** Other goals in the same file, which are solved all the same. */
export const rowsBeside: readonly RowAttack[] = [
  { id: 'an import', preamble: 'import Std\n', statement: 'theorem t : (∅ : Std.HashSet Nat).size = 0' },
  {
    id: 'after a comment',
    preamble: '/-\ndef one := 2\n-/\n@[simp] def one := 1\n',
    statement: 'theorem t : one = 1',
  },
  { id: 'lines of Windows', preamble: 'def two : Nat :=\r\n  2\r\n', statement: 'theorem t :\r\n  two = 2' },
];
