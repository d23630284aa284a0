import type { Constant } from '../base/protocol.ts';

/** The namespaces of Lean itself and of packages that implement tactics, linters and editors. */
const namespaces =
  /^(?:Lean|Lake|Aesop|Qq|Plausible|ProofWidgets|LeanSearchClient|ImportGraph|LeanCopilot|Std\.Tactic|(?:Batteries|Mathlib)\.(?:Tactic|Meta|Linter|Util|CodeAction|Lean)|Linarith|Polyrith|Int\.Linear|Nat\.(?:Linear|SOM)|Std\.Internal)(?:\.|$)/;
/** Modules with lemmas that only their tactic uses. */
const modules =
  /(?:^|\.)(?:Tactic|Linter|Meta|Elab)(?:\.|$)|^(?:Lean|Lake|Init\.(?:Grind|Omega|Simproc))(?:\.|$)/;

/** Whether a constant implements a tactic, is a lemma for one, or is about such constants. No proof names those. */
export function isTacticCode({
  name,
  module,
  symbols,
}: Pick<Constant, 'name' | 'module' | 'symbols'>): boolean {
  return modules.test(module) || [name, ...symbols].some(isTacticName);
}

/** The same by the name alone. */
export function isTacticName(name: string): boolean {
  return namespaces.test(name);
}
