import * as z from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Lease } from '../../workers/lease.ts';

/** A module of the library and its direct imports. */
const Module = z.object({ module: z.string(), imports: z.array(z.string()), theorems: z.number() });
export type LibraryModule = z.infer<typeof Module>;

const Theorem = z.object({
  module: z.string(),
  name: z.string(),
  universes: z.array(z.string()),
  /** As Lean prints it; Lean may not be able to parse it. */
  type: z.string(),
});
export type LibraryTheorem = z.infer<typeof Theorem>;

/** Wall-clock time for scanning thousands of constants on a busy machine. */
const deadlineMs = 600_000;

/** The modules visible to a lease, with their numbers of theorems. */
export async function libraryModules(lease: Lease): Promise<LibraryModule[]> {
  const body = `for (m, d) in env.header.moduleNames.zip env.header.moduleData do
    let theorems := (d.constNames.filter (isGoal env)).size
    if theorems > 0 then
      tell [("module", .str (toString m)), ("imports", .arr (d.imports.map fun i => .str (toString i.module))), ("theorems", theorems)]`;
  return await told(lease, Module, body);
}

/** Some theorems of a module, by their indexes among its theorems. */
export interface TheoremPlaces {
  readonly module: string;
  readonly places: readonly number[];
}

/** Prints only the requested theorems, in one request, because printing is expensive. */
export async function theoremsAt(lease: Lease, asked: readonly TheoremPlaces[]): Promise<LibraryTheorem[]> {
  const list = asked.map(({ module, places }) => `(${JSON.stringify(module)}, #[${places.join(', ')}])`);
  const body = `let asked : List (String × Array Nat) := [${list.join(', ')}]
  for (m, places) in asked do
    let some i := env.getModuleIdx? m.toName | continue
    let some d := env.header.moduleData[i.toNat]? | continue
    let all := d.constNames.filter (isGoal env)
    for place in places do
      let some n := all[place]? | continue
      let some info := env.find? n | continue
      let type ← ppExpr info.type
      tell [("module", .str m), ("name", .str (toString n)), ("universes", .arr (info.levelParams.toArray.map fun u => .str (toString u))), ("type", .str (type.pretty 100000))]`;
  return await told(lease, Theorem, body);
}

/** Runs a text that reports on its environment, one JSON object per message. */
async function told<Row>(lease: Lease, row: z.ZodType<Row>, body: string): Promise<Row[]> {
  const text = `open Lean Meta Elab Command

def isGoal (env : Environment) (n : Name) : Bool :=
  !n.isInternalDetail && !isPrivateName n &&
    (match env.find? n, getOriginalConstKind? env n with
      | some (.thmInfo _), _ => true
      | some (.axiomInfo _), some .thm => true
      | _, _ => false)

def tell (fields : List (String × Json)) : TermElabM Unit := logInfo (Json.mkObj fields).compress

set_option pp.proofs true
set_option pp.deepTerms true
set_option pp.maxSteps 100000
run_cmd liftTermElabM do
  let env ← getEnv
  ${body}`;
  const asked = { session: lease.rootSession, text, code: true };
  const reply = await lease.request('load', asked, { deadlineMs });
  if (!reply.ok || reply.errors > 0) {
    const why = reply.ok ? reply.messages.find(({ severity }) => severity === 'error')?.text : reply.message;
    throw new UserError(
      'no-theorems',
      `Lean does not list its theorems: ${why ?? ''}`,
      'orch doctor checks the set-up.',
    );
  }
  return reply.messages
    .filter(({ severity }) => severity === 'info')
    .map(({ text: said }) => row.parse(JSON.parse(said)));
}
