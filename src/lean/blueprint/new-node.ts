import type { Blueprint } from './blueprint.ts';
import { nodesUsed } from './lean-remarks.ts';
import { texCode } from './lean-text.ts';
import { isProved, type LeanName, type LeanSide } from './lean-side.ts';
import { draftedProof } from './proof-sentence.ts';

/** Input for a new node: a declaration, as Lean prints it, and its doc comment. */
export interface NodeSource {
  readonly name: string;
  readonly label: string;
  readonly isTheorem: boolean;
  readonly comment: string | undefined;
  readonly hypotheses: readonly { readonly name: string; readonly type: string }[];
  readonly target: string;
}

/** Drafts a blueprint node for a declaration without one: text, `\lean` and `\uses`, derived from its constants. */
export function newNode(source: NodeSource, blueprint: Blueprint, lean: LeanSide): string {
  const { name, label, isTheorem } = source;
  const nodeOf = new Map(
    blueprint.statements.flatMap((statement) =>
      statement.declarations.map((one) => [one, statement] as const),
    ),
  );
  const uses = [...nodesUsed({ declarations: [name] }, lean, nodeOf)].map(({ id }) => id).toSorted();
  const fact = lean.names.get(name);
  const kind = isTheorem ? 'lemma' : 'definition';
  return [
    String.raw`\begin{${kind}}\label{${label}}`,
    String.raw`  \lean{${name}}`,
    ...(uses.length > 0 ? [String.raw`  \uses{${uses.join(', ')}}`] : []),
    ...wordsOf(source).map((line) => `  ${line}`),
    String.raw`\end{${kind}}`,
    ...(isProvedTheorem(fact)
      ? [
          String.raw`\begin{proof}`,
          draftedProof({ id: label, declarations: [name] }, { constants: fact.inValue }, blueprint),
          String.raw`\end{proof}`,
        ]
      : []),
    '',
  ].join('\n');
}

type Declared = Extract<LeanName, { kind: 'declared' }>;

function isProvedTheorem(fact: LeanName | undefined): fact is Declared {
  return fact?.kind === 'declared' && fact.isTheorem && isProved(fact, 'replayed') === true;
}

function wordsOf({ comment, hypotheses, target, isTheorem, name }: NodeSource): string[] {
  if (comment !== undefined) return comment.split('\n').map((line) => prose(line.trim()));
  if (!isTheorem) return [`${texCode(name)} is defined in Lean.`];
  const given = hypotheses.map(({ name: variable, type }) => texCode(`${variable} : ${type}`));
  return [...(given.length > 0 ? [`Let ${given.join(', ')}.`] : []), `Then ${texCode(target)}.`];
}

/** A line of a doc comment: code is between backticks. */
const prose = (line: string): string =>
  line
    .split('`')
    .map((part, index) => (index % 2 === 1 ? texCode(part) : part.replaceAll(/[&#_%]/g, String.raw`\$&`)))
    .join('');
