import { blueprintOf } from './read.ts';

/**
 * The nodes of a project's blueprint that have a mark which they did not have in an earlier state of the project, and name something
 * that is not proved, or nothing at all.
 */
export function unearnedMarks(before: string, after: string, isProved: (name: string) => boolean): string[] {
  const old = new Map(markedNodes(before).map(({ id, marks }) => [id, marks]));
  return markedNodes(after).flatMap(({ id, marks, declarations }) => {
    const isNew = marks !== '' && marks !== old.get(id);
    return isNew && !(declarations.length > 0 && declarations.every(isProved)) ? [id] : [];
  });
}

function markedNodes(project: string) {
  const statements = blueprintOf(project)?.statements ?? [];
  return statements.map(({ id, leanOk, isMathlib, proof, declarations }) => {
    const marks = [leanOk && 'stated', isMathlib && 'mathlib', proof?.leanOk && 'proved'];
    return { id, marks: marks.filter((mark) => mark).join(' '), declarations };
  });
}
