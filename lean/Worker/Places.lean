import Lean.Server.References
import Worker.Session

/-! Where a text declares and uses names, as Lean writes it into an `.ilean` file. -/

open Lean Elab

namespace Orch

/-- The places of the commands run so far. -/
structure Places where
  references : Lsp.ModuleRefs := ∅
  decls : Lsp.Decls := ∅

/-- Add the places of one more command. One at a time, because the info trees of a whole text can exceed memory. -/
def Places.add (p : Places) (map : FileMap) (trees : Array InfoTree) (localVars := false) : BaseIO Places := do
  let found := Server.findModuleRefs map trees (localVars := localVars)
  let (references, decls) ← found.toLspModuleRefs
  return {
    references := references.foldl (init := p.references) fun all ident info =>
      all.insert ident ((all.getD ident .empty).merge info)
    decls := decls.foldl (init := p.decls) fun all name place => all.insert name place }

def Places.json (p : Places) : Json :=
  Json.mkObj [("references", toJson p.references), ("decls", toJson p.decls)]

def Places.write (p : Places) (module : Name) (header : HeaderSyntax) (file : System.FilePath) : IO Unit := do
  let { references, decls } := p
  let ilean : Server.Ilean := { module, directImports := Server.collectImports header, references, decls }
  IO.FS.writeFile file (toJson ilean).compress

end Orch
