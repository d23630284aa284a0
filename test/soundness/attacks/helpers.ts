import type { ClaimAttack } from '../attack.ts';

/**
 * The statement's own helpers (`t.match_1`, `t.f`), replaced while the proof is elaborated: a metaprogram overwrites the
 * constant in place, so that what was elaborated as the statement now says something true.
 */
const two =
  '(Lean.mkApp3 (Lean.mkConst ``OfNat.ofNat [0]) (Lean.mkConst ``Nat) (Lean.mkRawNatLit 2) (Lean.mkApp (Lean.mkConst ``instOfNatNat []) (Lean.mkRawNatLit 2)))';
const reflexivity = `Lean.mkApp2 (Lean.mkConst \`\`rfl [1]) (Lean.mkConst \`\`Nat) ${two}`;

/** Lean code that gives a definition another value. Field 0 of any object can be set as if it were a reference. */
const overwrite = (constant: string, value: string): string => `
  let some shared := (← Lean.getEnv).find? ${constant} | Lean.throwError "no such helper"
  let .defnInfo val := shared | Lean.throwError "no definition"
  let value := ${value}
  (unsafeCast shared : IO.Ref Lean.DefinitionVal).set { val with value }`;

/** A matcher of two alternatives that always takes the second, which binds the scrutinee. */
const takeSecond = `match val.type with
    | .forallE a b (.forallE c d (.forallE e f (.forallE g h _ _) _) _) _ => Lean.Expr.lam a b (.lam c d (.lam e f (.lam g h (.app (.bvar 0) (.bvar 2)) .default) .default) .default) .default
    | other => other`;
const constantTwo = `Lean.Expr.lam \`n (Lean.mkConst \`\`Nat) ${two} .default`;

const matched = 'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) = 2';

const row = (disguise: string, statement: string, proof: string): ClaimAttack => ({
  sort: 'helper',
  disguise,
  image: 'std',
  statement,
  proof,
  kind: ['kernel', 'statement-changed'],
  judged: null,
});

export const helperAttacks: readonly ClaimAttack[] = [
  {
    ...row(
      'a matcher that takes the other branch',
      matched,
      `by_elab do${overwrite('`t.match_1', takeSecond)}\n  return ${reflexivity}`,
    ),
    everywhere: true,
  },
  row(
    'the same, from inside a tactic block',
    matched,
    `by\n  run_tac do${overwrite('`t.match_1', takeSecond).replaceAll('\n', '\n  ')}\n  rfl`,
  ),
  row(
    'the matcher of a function by cases',
    'theorem t (n : Nat) : (fun | 0 => 1 | _ => 2 : Nat → Nat) n = 2',
    `by_elab do${overwrite('`t.match_1', takeSecond)}\n  return ${reflexivity}`,
  ),
  row(
    'the matcher of a `do` block',
    'theorem t (n : Nat) : (Id.run do match n with | 0 => return 1 | _ => return 2) = 2',
    `by_elab do${overwrite('`t.match_1', takeSecond)}\n  return ${reflexivity}`,
  ),
  row(
    'the matcher of two matches',
    'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) + (match n with | 0 => 1 | _ => 2) = 4',
    `by\n  run_tac do${overwrite('`t.match_1', takeSecond).replaceAll('\n', '\n  ')}\n  rfl`,
  ),
  row(
    'the matcher of `if let`',
    'theorem t (n : Nat) : (if let 0 := n then 1 else 2) = 2',
    `by_elab do${overwrite('`t.match_1', takeSecond)}\n  return ${reflexivity}`,
  ),
  {
    ...row(
      'a definition of the preamble, overwritten in the elaborator',
      'theorem t : secret 3 = 2',
      `by_elab do${overwrite('`secret', constantTwo)}\n  return ${reflexivity}`,
    ),
    preamble: 'def secret (n : Nat) : Nat := n',
  },
  {
    ...row(
      'a definition of the library, overwritten in the elaborator',
      'theorem t : Nat.pred 7 = 2',
      `by_elab do${overwrite('`Nat.pred', constantTwo)}\n  return ${reflexivity}`,
    ),
  },
];
