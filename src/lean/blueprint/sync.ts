import type { Assurance } from '../../shared/assurance.ts';
import type { Blueprint, Marks, Statement } from './blueprint.ts';
import { insertMacro, removeMacro, type Edit } from './edits.ts';
import { draftedProof, type ProofFacts } from './proof-sentence.ts';
import { isProved, type LeanName, type LeanSide } from './lean-side.ts';

/** One `\leanok` to add or remove, or a node that could not be decided. */
export interface SyncStep {
  readonly node: string;
  readonly part: 'statement' | 'proof';
  readonly change: 'add' | 'remove' | 'unknown';
  /** Why. */
  readonly message: string;
  readonly file: string;
  readonly edit: Edit | null;
}

/**
 * The changes that make the sources agree with Lean. A statement is marked if every declaration it names exists, a proof if every theorem among them has reached the level. Nodes without `\lean`, nodes in Mathlib and undecided ones stay unchanged.
 */
export function planSync(
  blueprint: Blueprint,
  lean: LeanSide,
  level: Assurance,
  scripts: ReadonlyMap<string, ProofFacts> = new Map(),
): readonly SyncStep[] {
  return blueprint.statements.flatMap((statement) => {
    if (statement.declarations.length === 0 || statement.isMathlib) return [];
    const facts = statement.declarations.map((name) => lean.names.get(name) ?? { kind: 'missing' as const });
    const names = statement.declarations.join(', ');
    if (facts.some(({ kind }) => kind === 'missing') && lean.unread.size > 0)
      return [
        unknownStep(
          statement,
          `${names}: ${[...lean.unread].map(([file, why]) => `${file}: ${why}`).join('; ')}`,
        ),
      ];
    return [
      ...statementSteps(blueprint, statement, facts),
      ...proofSteps(blueprint, statement, facts, { level, scripts }),
    ];
  });
}

function statementSteps(blueprint: Blueprint, statement: Statement, facts: readonly LeanName[]): SyncStep[] {
  const missing = statement.declarations.filter((_, index) => facts[index]?.kind === 'missing');
  const isSorry = facts.some((fact) => fact.kind === 'declared' && mentionsSorry(fact));
  const isStated = missing.length === 0 && !isSorry;
  const message = isStated
    ? `${statement.declarations.join(', ')} declared`
    : missing.length > 0
      ? `${missing.join(', ')} not declared`
      : 'the statement itself contains sorry';
  return markSteps(blueprint, statement, { part: 'statement', marks: statement, holds: isStated, message });
}

/** In the statement, which for a definition is everything. */
const mentionsSorry = ({ inType, inValue, isTheorem }: Extract<LeanName, { kind: 'declared' }>): boolean =>
  inType.has('sorryAx') || (!isTheorem && inValue.has('sorryAx'));

function proofSteps(
  blueprint: Blueprint,
  statement: Statement,
  facts: readonly LeanName[],
  { level, scripts }: { level: Assurance; scripts: ReadonlyMap<string, ProofFacts> },
): SyncStep[] {
  if (!facts.some((fact) => fact.kind !== 'declared' || fact.isTheorem)) return [];
  const proved = facts.map((fact) => isProved(fact, level));
  if (proved.includes(undefined) && !proved.includes(false))
    return [unknownStep(statement, reasonsOf(statement, facts))];
  const isDone = proved.every((one) => one === true);
  const message = isDone ? `${statement.declarations.join(', ')} proved` : reasonsOf(statement, facts);
  const known = { ...factsOf(statement, facts, scripts) };
  if (statement.proof?.isEmpty && isDone && statement.proof.leanOk === null) {
    const { range, bodyStart } = statement.proof;
    const text = `\n  \\leanok\n${draftedProof(statement, known, blueprint)}`;
    const edit = { start: bodyStart, end: bodyStart, text };
    return [{ node: statement.id, part: 'proof', change: 'add', message, file: range.file, edit }];
  }
  if (statement.proof)
    return markSteps(blueprint, statement, { part: 'proof', marks: statement.proof, holds: isDone, message });
  if (!isDone) return [];
  const { file, end } = statement.range;
  const text = String.raw`
\begin{proof}
  \leanok
${draftedProof(statement, known, blueprint)}
\end{proof}`;
  return [
    { node: statement.id, part: 'proof', change: 'add', message, file, edit: { start: end, end, text } },
  ];
}

/** What the proofs of a node's theorems use. */
function factsOf(
  { declarations }: Statement,
  facts: readonly LeanName[],
  scripts: ReadonlyMap<string, ProofFacts>,
): ProofFacts {
  const written = declarations.flatMap((name) => scripts.get(name) ?? []);
  const values = facts.flatMap((fact) =>
    fact.kind === 'declared' && fact.isTheorem ? [...fact.inValue] : [],
  );
  const script = written.flatMap((one) => one.script ?? []).join('\n');
  return {
    ...(script !== '' && { script }),
    constants: [...written.flatMap(({ constants }) => [...constants]), ...values],
  };
}

function markSteps(
  { files }: Blueprint,
  { id }: Statement,
  wanted: Pick<SyncStep, 'part' | 'message'> & { readonly marks: Marks; readonly holds: boolean },
): SyncStep[] {
  const { part, message, holds } = wanted;
  const { range, bodyStart, leanOk } = wanted.marks;
  if ((leanOk !== null) === holds) return [];
  const text = files.get(range.file) ?? '';
  const edit = leanOk
    ? removeMacro(text, leanOk.start, leanOk.end)
    : insertMacro(text, bodyStart, String.raw`\leanok`);
  return [{ node: id, part, change: holds ? 'add' : 'remove', message, file: range.file, edit }];
}

function reasonsOf({ declarations }: Statement, facts: readonly LeanName[]): string {
  const reasons = facts.flatMap((fact, index) => {
    const name = declarations[index] ?? '';
    if (fact.kind === 'missing') return [`${name} not declared`];
    if (fact.kind !== 'declared' || !fact.isTheorem) return [];
    const { verdict } = fact;
    if (verdict?.verdict === 'accepted') return [`${name} only ${verdict.assurance}`];
    return [`${name}: ${verdict?.message ?? 'no verdict'}`];
  });
  return reasons.join('; ');
}

const unknownStep = ({ id, range }: Statement, message: string): SyncStep => ({
  node: id,
  part: 'proof',
  change: 'unknown',
  message,
  file: range.file,
  edit: null,
});
