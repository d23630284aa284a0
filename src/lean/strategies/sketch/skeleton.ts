import type { Fate, Walk } from './walk.ts';

/**
 * A checked plan as a script: closed claims with their tactics, and each hole proved by its lemma, whose proof comes
 * first. Only text: the gate checks it as a whole.
 */
export function skeletonOf(
  { opening, steps, end }: Walk,
  lemmas: readonly { readonly statement: string; readonly proof: string }[],
): string {
  const claims = steps.flatMap(({ step: { name, claim }, fate }) =>
    fate.kind === 'closed' || fate.kind === 'open'
      ? [`have ${name} : (${claim} : Prop) := by`, ...indented(tacticOf(fate))]
      : [],
  );
  return [
    ...lemmas.map(({ statement, proof }) => `have ${withoutHead(statement)} := ${proof}`),
    ...(opening === '' ? [] : [opening]),
    ...claims,
    tacticOf(end),
  ].join('\n');
}

function tacticOf(fate: Fate): string {
  if (fate.kind === 'open') return `exact ${fate.lemma.use}`;
  return fate.kind === 'closed' ? fate.tactic : 'done';
}

function withoutHead(statement: string): string {
  return statement.replace(/^\s*(?:theorem|lemma)\s+/, '');
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
