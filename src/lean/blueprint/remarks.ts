import type { Blueprint, Marks, Remark, Statement } from './blueprint.ts';
import type { StatedBlueprint } from './states.ts';

/** All errors in the sources, with positions. */
export function findRemarks(stated: StatedBlueprint): readonly Remark[] {
  const { blueprint } = stated;
  return [...blueprint.remarks, ...unknownLabels(blueprint), ...cycles(stated)];
}

function unknownLabels({ statements, labels }: Blueprint): Remark[] {
  const unknownIn = (id: string, part: string, { uses, range }: Marks): Remark[] =>
    uses
      .filter((label) => !labels.has(label))
      .map((label) => ({
        kind: 'unknown-label',
        message: `${part} of ${id} uses ${label}, which is not a label`,
        at: range,
      }));
  return statements.flatMap((statement) => [
    ...unknownIn(statement.id, 'the statement', statement),
    ...(statement.proof ? unknownIn(statement.id, 'the proof', statement.proof) : []),
  ]);
}

/** One remark per cycle, at the statement that closes it. */
function cycles({ blueprint, edges }: StatedBlueprint): Remark[] {
  const uses = Map.groupBy(edges, ({ to }) => to);
  const done = new Set<Statement>();
  const found: Remark[] = [];
  const visit = (statement: Statement, above: readonly Statement[]): void => {
    const start = above.indexOf(statement);
    if (start >= 0) {
      const round = [...above.slice(start), statement].map(({ id }) => id).join(' uses ');
      found.push({ kind: 'cycle', message: round, at: statement.range });
    }
    if (start >= 0 || done.has(statement)) return;
    for (const { from } of uses.get(statement) ?? []) visit(from, [...above, statement]);
    done.add(statement);
  };
  for (const statement of blueprint.statements) visit(statement, []);
  return found;
}
