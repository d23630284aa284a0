import type { Blueprint, Statement } from './blueprint.ts';
import { texCode } from './lean-text.ts';

/** What is known about a Lean proof: its script if there is one, and the constants that it names. */
export interface ProofFacts {
  readonly script?: string;
  readonly constants: Iterable<string>;
}

const mostNames = 4;

/** The text of a proof for a node without one: its dependencies, and one sentence from what was used, for the author to edit. */
export function draftedProof(
  statement: Pick<Statement, 'id' | 'declarations'>,
  facts: ProofFacts,
  blueprint: Blueprint,
): string {
  const constants = [...new Set(facts.constants)];
  const nodes = [
    ...new Set(
      blueprint.statements.filter(
        ({ declarations, labels, id }) =>
          id !== statement.id &&
          labels.length > 0 &&
          declarations.some((name) => constants.includes(name) && !statement.declarations.includes(name)),
      ),
    ),
  ];
  const inNodes = new Set([statement, ...nodes].flatMap(({ declarations }) => declarations));
  const named = constants.filter((name) => !inNodes.has(name) && isLemma(name)).slice(0, mostNames);
  const used = [
    ...nodes.map(({ kind, id }) => String.raw`${kind[0]?.toUpperCase()}${kind.slice(1)}~\ref{${id}}`),
    ...named.map(texCode),
  ];
  const how = methodsOf(facts, constants);
  const by = how.length === 0 ? (used.length === 0 ? 'from the definitions' : '') : `by ${listed(how)}`;
  const using = used.length === 0 ? '' : `${by === '' ? 'from' : ', using'} ${listed(used)}`;
  return [
    ...(nodes.length === 0 ? [] : [String.raw`  \uses{${nodes.map(({ id }) => id).join(', ')}}`]),
    '  % orch drafted this sentence from the Lean proof',
    `  This follows ${by}${using}.`,
  ].join('\n');
}

/** A lemma that a reader may know, not one that Lean's elaborator inserts. */
function isLemma(name: string): boolean {
  const last = name.split('.').at(-1) ?? '';
  return (
    /[a-z0-9]_[a-z]/.test(last) &&
    !/^(?:eq|congr|of|id|ite|match|proof|inst)_|^_|_(?:eq|proof)_\d+$|^propext$/.test(last) &&
    !/(?:^|\.)(?:Lean|Grind|_\w+|match_\d+|rec|casesOn)(?:\.|$)/.test(name)
  );
}

function methodsOf({ script = '' }: ProofFacts, constants: readonly string[]): string[] {
  const plain = script.replaceAll(/--.*$/gm, '');
  const [, variable] = /\binduction\s+([\p{L}_][\p{L}\p{N}_']*)(?=\s|$)/u.exec(plain) ?? [];
  const isInduction =
    variable !== undefined ||
    /\b(?:fun_induction|induction)\b/.test(plain) ||
    (script === '' && constants.some((name) => /\.(?:rec|brecOn|induct(?:_unfolding)?)$/.test(name)));
  return [
    ...(isInduction ? [variable === undefined ? 'induction' : `induction on ${texCode(variable)}`] : []),
    ...(/\b(?:cases|rcases|by_cases|split)\b/.test(plain) && !isInduction ? ['a case distinction'] : []),
    ...(/\b(?:omega|linarith|nlinarith|ring|norm_num|positivity)\b/.test(plain) ? ['arithmetic'] : []),
    ...(/\b(?:decide|rfl)\b/.test(plain) && !isInduction ? ['computation'] : []),
  ];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
