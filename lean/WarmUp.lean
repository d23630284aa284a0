module

public import Lean
public meta import Lean

/-! A sample of what modules of packages contain. No worker loads it: it is compiled and imported once, so that the machine code
   for compiling and importing exists before a project needs it. -/

public section

open Lean Meta Elab Term Tactic Command Parser

namespace WarmUp

universe u v
variable {α : Type u} {β : Type v}

inductive Colour
  | red
  | green (n : Nat)
  | blue (name : String) (more : List Nat)
  deriving BEq, Hashable, Inhabited, Repr

inductive Switch | on | off
  deriving DecidableEq, Ord, Inhabited, Repr, BEq, Hashable

inductive Tree (α : Type u)
  | leaf
  | node (left : Tree α) (value : α) (right : Tree α)
  deriving Inhabited, Repr

structure Options where
  depth : Nat := 30
  width : Nat := 10
  names : Array Name := #[]
  enabled : Bool := true
  deriving Inhabited, BEq, Repr

structure State extends Options where
  seen : Std.HashMap Name Nat := {}
  trace : Array MessageData := #[]
  deriving Inhabited

class Mul' (α : Type u) where
  mul : α → α → α
class One' (α : Type u) where
  one : α
infixl:70 " ⊗ " => Mul'.mul
class Monoid' (α : Type u) extends Mul' α, One' α where
  assoc : ∀ a b c : α, a ⊗ b ⊗ c = a ⊗ (b ⊗ c)
  oneMul : ∀ a : α, One'.one ⊗ a = a
  mulOne : ∀ a : α, a ⊗ One'.one = a
class CommMonoid' (α : Type u) extends Monoid' α where
  comm : ∀ a b : α, a ⊗ b = b ⊗ a

attribute [simp] Monoid'.oneMul Monoid'.mulOne

section algebra
variable {M : Type u} [CommMonoid' M] {a b c d : M}

theorem leftComm (a b c : M) : a ⊗ (b ⊗ c) = b ⊗ (a ⊗ c) := by
  rw [← Monoid'.assoc, CommMonoid'.comm a b, Monoid'.assoc]

@[simp] theorem one_mul_one : (One'.one : M) ⊗ One'.one = One'.one := by simp

theorem mulMulMulComm (a b c d : M) : a ⊗ b ⊗ (c ⊗ d) = a ⊗ c ⊗ (b ⊗ d) := by
  simp only [Monoid'.assoc, leftComm b c d]

theorem eqOne (h : ∀ x : M, x ⊗ b = x) : b = One'.one :=
  calc b = One'.one ⊗ b := (Monoid'.oneMul b).symm
    _ = One'.one := h _
end algebra

instance : CommMonoid' Nat where
  mul := Nat.mul
  one := 1
  assoc := Nat.mul_assoc
  oneMul := Nat.one_mul
  mulOne := Nat.mul_one
  comm := Nat.mul_comm

namespace Tree

@[simp] def size : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

@[simp] def mirror : Tree α → Tree α
  | leaf => leaf
  | node l v r => node r.mirror v l.mirror

@[simp] theorem mirror_mirror (t : Tree α) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l v r ihl ihr => simp [ihl, ihr]

theorem size_mirror (t : Tree α) : t.mirror.size = t.size := by
  induction t <;> simp_all; omega

@[specialize] partial def forM {m : Type u → Type v} [Monad m] (f : α → m PUnit) : Tree α → m PUnit
  | leaf => pure ⟨⟩
  | node l v r => do
    forM f l
    f v
    forM f r

end Tree

def halve (n : Nat) : Nat := if h : n ≤ 1 then n else halve (n / 2) + 1
termination_by n
decreasing_by omega

theorem existsLarger (f : Nat → Nat) (h : ∀ n, n < f n) : ∃ n, 10 < f n ∧ n ≠ 3 := by
  refine ⟨10, h 10, ?_⟩
  intro h
  cases h

theorem swapAll {p q r : Prop} : (p ∧ q) ∨ r ↔ (p ∨ r) ∧ (q ∨ r) := by
  constructor
  · rintro (⟨hp, hq⟩ | hr)
    · exact ⟨.inl hp, .inl hq⟩
    · exact ⟨.inr hr, .inr hr⟩
  · grind

section monads

abbrev SearchM := ReaderT Options <| StateRefT State MetaM

def visit (name : Name) : SearchM Bool := do
  let state ← get
  if let some n := state.seen[name]? then
    modify fun s => { s with seen := s.seen.insert name (n + 1) }
    return true
  let mut count := 0
  for part in name.components do
    if part.isAnonymous then continue
    unless count < (← read).depth do break
    count := count + 1
  modify fun s => { s with seen := s.seen.insert name count, trace := s.trace.push m!"{name}: {count}" }
  return false

partial def collect (e : Expr) : SearchM (Array Name) := do
  match e with
  | .const name _ => return if ← visit name then #[] else #[name]
  | .app f a => return (← collect f) ++ (← collect a)
  | .lam _ t b _ | .forallE _ t b _ =>
    let found ← collect t
    let inner ← try collect b catch _ => pure #[]
    return found ++ inner
  | .mdata _ e => collect e
  | _ => return #[]

meta def findHypothesis (goal : MVarId) (p : Expr → MetaM Bool) : MetaM (Option FVarId) := goal.withContext do
  for decl in ← getLCtx do
    if decl.isImplementationDetail then continue
    if ← withNewMCtxDepth <| p (← instantiateMVars decl.type) then return some decl.fvarId
  return none

end monads

declare_syntax_cat warm_clause
syntax "(" &"depth" " := " num ")" : warm_clause
syntax "(" &"with" ident,* ")" : warm_clause
syntax (name := warmTac) "warm_tac" (ppSpace warm_clause)* : tactic
syntax (name := warmCmd) "#warm " ident : command

initialize counter : IO.Ref Nat ← IO.mkRef 0
initialize registerTraceClass `warm
register_option warm.depth : Nat := { defValue := 3, descr := "how deep" }

initialize warmExt : SimplePersistentEnvExtension Name NameSet ←
  registerSimplePersistentEnvExtension {
    addEntryFn := NameSet.insert
    addImportedFn := fun all => all.foldl (fun s names => names.foldl NameSet.insert s) {} }

meta def readClause (stx : TSyntax `warm_clause) (options : Options) : TermElabM Options := do
  match stx with
  | `(warm_clause| (depth := $n:num)) => return { options with depth := n.getNat }
  | `(warm_clause| (with $names,*)) => return { options with names := names.getElems.map (·.getId) }
  | _ => throwUnsupportedSyntax

@[tactic warmTac] meta def evalWarm : Tactic := fun stx => withMainContext do
  match stx with
  | `(tactic| warm_tac $clauses*) =>
    let options ← clauses.foldlM (fun o c => readClause c o) {}
    trace[warm] "depth {options.depth}"
    let goal ← getMainGoal
    let some fvar ← findHypothesis goal fun t => do isDefEq t (← goal.getType)
      | throwError "no hypothesis fits{indentExpr (← goal.getType)}"
    goal.assign (.fvar fvar)
    replaceMainGoal []
  | _ => throwUnsupportedSyntax

@[command_elab warmCmd] meta def elabWarm : CommandElab := fun stx => do
  let name ← liftCoreM <| realizeGlobalConstNoOverload stx[1]
  logInfo m!"{name}"

macro "warm_both " t:tactic : tactic => `(tactic| (constructor <;> $t))
macro_rules | `(tactic| warm_tac) => `(tactic| assumption)
elab "warm_done" : tactic => do (← getMainGoal).refl
notation "⟪" a ", " b "⟫" => (a, b)

end WarmUp
