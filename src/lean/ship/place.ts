import type { Verdict } from '../../core/verdict.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import { environmentOfFile, type LeanEnvironment } from '../environment.ts';
import type { Gate } from '../gate/gate.ts';
import { readLeanText } from '../goals/lean-file.ts';
import type { LeanPool } from '../pool.ts';
import { withProofs, type PlacedProof } from '../project/in-place.ts';

/** A declaration of a file with its proofs in place, judged against the file without them; or why there is none. */
export type PlacedDeclaration =
  | {
      readonly ok: true;
      readonly declaration: string;
      readonly after: string;
      readonly verdict: Verdict;
      readonly goals: readonly GoalDetail[];
    }
  | { readonly ok: false; readonly goal: string; readonly message: string };

const deadlineMs = 120_000;

/**
 * Puts what a run has proved into a file as the base has it. A goal is found again by its statement; each declaration that has
 * all its proofs is judged whole, against the file before, so that nothing else can have changed.
 */
export async function placeProofs(
  { pool, gate }: { readonly pool: LeanPool; readonly gate: Gate },
  file: string,
  before: string,
  solved: readonly GoalDetail[],
): Promise<readonly PlacedDeclaration[]> {
  const environment = environmentOfFile(file, before);
  const read = await pool.use(async (lease) => await readLeanText(lease, before, file, environment), {
    environment,
  });
  if (!read.ok) return solved.map(({ goal }) => refused(goal, `${read.kind}: ${read.message}`));
  const placed: PlacedDeclaration[] = [];
  const found = new Set<GoalDetail>();
  for (const [declaration, holes] of Map.groupBy(read.goals, (one) => one.declaration)) {
    const proofs = holes.flatMap(({ goal }) => {
      const known = goal && solved.find((one) => one.statement === goal.statement && !found.has(one));
      const proof = known?.proofs.at(-1)?.proof;
      if (!goal?.place || !known || proof === undefined) return [];
      found.add(known);
      return [{ place: goal.place, proof, known }];
    });
    if (proofs.length === 0) continue;
    const goals = proofs.map(({ known }) => known);
    placed.push(
      proofs.length < holes.length
        ? refused(declaration, `${holes.length - proofs.length} of its sorrys are still open`)
        : await judge(gate, { before, environment, declaration }, proofs, goals),
    );
  }
  const lost = solved.filter((one) => !found.has(one));
  return [
    ...placed,
    ...lost.map(({ goal }) => refused(goal, `${file} on the base has no such sorry any more`)),
  ];
}

/** A declaration in its file without the proofs. */
interface Before {
  readonly before: string;
  readonly environment: LeanEnvironment;
  readonly declaration: string;
}

async function judge(
  gate: Gate,
  { before, environment, declaration }: Before,
  proofs: readonly PlacedProof[],
  goals: readonly GoalDetail[],
): Promise<PlacedDeclaration> {
  const after = withProofs(before, proofs);
  const verdicts = await gate.checkFile({ text: after, environment, against: before }, { deadlineMs });
  const verdict = verdicts.find(({ name }) => name === declaration) ?? verdicts[0];
  if (verdict?.verdict === 'accepted' && verdict.name === declaration)
    return { ok: true, declaration, after, verdict, goals };
  return refused(declaration, `in its file the proof is not accepted: ${verdict?.message ?? 'no verdict'}`);
}

const refused = (goal: string, message: string): PlacedDeclaration => ({ ok: false, goal, message });
