import { blueprintOf } from './read.ts';

/**
 * Blueprint nodes that gained a mark since an earlier state of the project although they name no declaration or
 * an unproved one.
 */
export function unearnedMarks(before: string, after: string, isProved: (name: string) => boolean): string[] {
  const old = new Map(markedNodes(before).map(({ id, marks }) => [id, marks]));
  return markedNodes(after).flatMap(({ id, marks, declarations }) => {
    const isNew = marks !== '' && marks !== old.get(id);
    return isNew && !(declarations.length > 0 && declarations.every(isProved)) ? [id] : [];
  });
}

export function markedNodes(project: string) {
  const statements = blueprintOf(project)?.statements ?? [];
  return statements.map(({ id, leanOk, isMathlib, proof, declarations }) => {
    const marks = [leanOk && 'stated', isMathlib && 'mathlib', proof?.leanOk && 'proved'];
    return { id, marks: marks.filter((mark) => mark).join(' '), declarations };
  });
}
