import type { Remark, Statement } from './blueprint.ts';
import type { LeanSide } from './lean-side.ts';
import type { StatedBlueprint } from './states.ts';

/** Contradictions between blueprint and Lean: missing names, wrong marks, wrong uses. */
export function findLeanRemarks(stated: StatedBlueprint, lean: LeanSide): readonly Remark[] {
  const { statements } = stated.blueprint;
  return [
    ...statements.flatMap((statement) => [...missing(statement, lean), ...forged(statement, lean)]),
    ...usesRemarks(stated, lean),
  ];
}

function missing({ id, declarations, range }: Statement, { names, unread }: LeanSide): Remark[] {
  return declarations
    .filter((name) => names.get(name)?.kind === 'missing')
    .map((name) => ({
      kind: 'missing-declaration',
      message: `${id} names ${name}, which ${unread.size > 0 ? 'is in no file that could be read' : 'does not exist'}`,
      at: range,
    }));
}

/** `\leanok` on a proof that the gate refuses. */
function forged({ id, declarations, proof }: Statement, { names }: LeanSide): Remark[] {
  const ok = proof?.leanOk;
  if (!ok) return [];
  return declarations.flatMap((name) => {
    const fact = names.get(name);
    if (fact?.kind !== 'declared' || fact.verdict?.verdict !== 'rejected') return [];
    return [
      {
        kind: 'not-proved' as const,
        message: `${id} is marked as proved, but ${name} is not: ${fact.verdict.message}`,
        at: ok,
      },
    ];
  });
}

/**
 * Compares the uses of nodes with the constants in statement and proof, mentioned directly or through declarations without a node. An unfinished proof does not show what is unused.
 */
function usesRemarks({ blueprint, edges }: StatedBlueprint, lean: LeanSide): Remark[] {
  const nodeOf = new Map(
    blueprint.statements.flatMap((statement) =>
      statement.declarations.map((name) => [name, statement] as const),
    ),
  );
  const said = Map.groupBy(edges, ({ to }) => to);
  return blueprint.statements.flatMap((statement) => {
    const facts = statement.declarations.flatMap((name) => {
      const fact = lean.names.get(name);
      return fact?.kind === 'declared' ? [fact] : [];
    });
    if (facts.length === 0 || facts.length < statement.declarations.length) return [];
    const used = nodesUsed(statement, lean, nodeOf);
    const listed = new Set((said.get(statement) ?? []).map(({ from }) => from));
    const isFinished = facts.every(({ verdict, isTheorem }) => !isTheorem || verdict?.verdict === 'accepted');
    const remark = (kind: Remark['kind'], message: string): Remark => ({
      kind,
      message,
      at: statement.range,
    });
    return [
      ...[...listed]
        .filter((other) => isFinished && isInLean(other, lean) && !used.has(other))
        .map((other) => remark('unused', `${statement.id} lists ${other.id}, but its Lean code does not`)),
      ...[...used]
        .filter((other) => !listed.has(other))
        .map((other) =>
          remark('unlisted-use', `${statement.id} uses ${other.id} in Lean, but does not list it`),
        ),
    ];
  });
}

const isInLean = ({ declarations }: Statement, { names }: LeanSide): boolean =>
  declarations.length > 0 && declarations.every((name) => names.get(name)?.kind === 'declared');

/** The nodes whose declarations are mentioned by those of a statement. */
export function nodesUsed(
  statement: Pick<Statement, 'declarations'>,
  { names }: LeanSide,
  nodeOf: ReadonlyMap<string, Statement>,
): ReadonlySet<Statement> {
  const found = new Set<Statement>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const fact = names.get(name);
    if (fact?.kind !== 'declared') return;
    for (const other of [...fact.inType, ...fact.inValue]) {
      const node = nodeOf.get(other);
      if (!node) visit(other);
      else if (node.declarations.join() !== statement.declarations.join()) found.add(node);
    }
  };
  for (const name of statement.declarations) visit(name);
  return found;
}
