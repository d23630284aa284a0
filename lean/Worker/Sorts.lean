import Worker.Rows

/-! Decides sorts and levels without the kernel. Several kernel bugs begin with a sort that can be read in two ways: a level
   that is zero without being written as zero, or a type that becomes a sort only by a reduction that one place performs and
   another does not. Here a sort counts only if unfolding definitions and applying functions shows it. -/

open Lean

namespace Orch

/-- Is the level above zero for every choice of its parameters? `false` means unknown. -/
def isNeverZero : Level → Bool
  | .succ _ => true
  | .max a b => isNeverZero a || isNeverZero b
  | .imax _ b => isNeverZero b
  | _ => false

/-- Unfold definitions and apply functions at the head until nothing more can be done. No recursor and no projection is
reduced: whether those reduce can depend on where the kernel asks. -/
partial def unfoldHead (env : Kernel.Environment) (e : Expr) : Expr :=
  match e with
  | .mdata _ b => unfoldHead env b
  | .letE _ _ v b _ => unfoldHead env (b.instantiate1 v)
  | e =>
    match e.getAppFn with
    | .lam .. => unfoldHead env e.headBeta
    | .letE _ _ v b _ => unfoldHead env (mkAppN (b.instantiate1 v) e.getAppArgs)
    | .const n levels =>
      match env.find? n with
      | some (.defnInfo d) =>
        if d.levelParams.length != levels.length then e
        else unfoldHead env ((d.value.instantiateLevelParams d.levelParams levels).beta e.getAppArgs)
      | _ => e
    | _ => e

/-- The level of the sort at the end of a type, if it shows one. -/
partial def resultLevel? (env : Kernel.Environment) (type : Expr) : Option Level :=
  match unfoldHead env type with
  | .forallE _ _ b _ => resultLevel? env b
  | .sort l => some l
  | _ => none

end Orch
