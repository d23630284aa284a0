import Worker.Session

/-! Running Lean's term elaborator outside a command. -/

open Lean Meta Elab

namespace Orch

/-- Steps only search for a proof, so the kernel does not check the declarations that tactics add. -/
def coreContext (w : Worker) (st : Command.State) (map : FileMap) (heartbeatsBefore heartbeats : Nat) : Core.Context :=
  match st.scopes with
  | scope :: _ =>
    { fileName := "<input>", fileMap := map,
      options := (limitOptions scope.opts heartbeats).insert `debug.skipKernelTC (.ofBool true),
      currNamespace := scope.currNamespace, openDecls := scope.openDecls, initHeartbeats := heartbeatsBefore,
      maxHeartbeats := heartbeats * 1000, cancelTk? := some w.cancel, maxRecDepth := st.maxRecDepth }
  | [] => { fileName := "<input>", fileMap := map }

structure Running where
  core : IO.Ref Core.State
  meta_ : IO.Ref Meta.State
  term : IO.Ref Term.State

def runTerm {α : Type} (ctx : Core.Context) (r : Running) (declaration : Name) (x : TermElabM α) :
    BaseIO (Except Exception α) :=
  (x { declName? := some declaration, errToSorry := false } r.term {} r.meta_ ctx r.core).toBaseIO

end Orch
