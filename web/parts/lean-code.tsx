import type { JSX } from 'preact';

type Kind = 'comment' | 'string' | 'keyword' | 'tactic' | 'number' | 'sorry' | 'plain';

const keywords =
  'theorem|lemma|example|def|abbrev|instance|structure|inductive|class|axiom|namespace|section|end|open|variable|universe|import|where|mutual|private|protected|noncomputable|partial|by|fun|let|have|show|from|with|match|if|then|else|do|in|at|using|only|Type|Prop|Sort|deriving|set_option|attribute|local|termination_by|decreasing_by';
const tactics =
  'simp|simp_all|simpa|omega|grind|decide|rfl|exact|apply|refine|intro|intros|rintro|obtain|rcases|cases|induction|constructor|rw|rwa|exists|left|right|split|contradiction|assumption|funext|ext|unfold|fun_cases|fun_induction|subst|trivial|calc|conv|specialize|generalize|exfalso|by_cases|norm_num|ring|linarith|nlinarith|positivity|aesop|tauto|infer_instance|native_decide|bv_decide|skip|done';

/**
 * Tokens that are highlighted in Lean code. A name may contain dots, primes and letters of any script; part of a name
 * is not a keyword.
 */
const tokens = new RegExp(
  [
    String.raw`(?<comment>--[^\n]*|/-[\s\S]*?-/)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*")`,
    String.raw`(?<sorry>(?<![\p{L}\p{N}_.'])(?:sorry|admit)(?![\p{L}\p{N}_.']))`,
    String.raw`(?<keyword>(?<![\p{L}\p{N}_.'])(?:${keywords})(?![\p{L}\p{N}_.']))`,
    String.raw`(?<tactic>(?<![\p{L}\p{N}_.'])(?:${tactics})[?!]?(?![\p{L}\p{N}_.']))`,
    String.raw`(?<number>(?<![\p{L}\p{N}_.'])\d+(?![\p{L}\p{N}_']))`,
  ].join('|'),
  'gu',
);

/** Lean code with highlighted tokens; copying it gives the plain text. */
export function LeanText({ text }: { text: string }): JSX.Element {
  return (
    <>
      {piecesOf(text).map(({ kind, part }, index) =>
        kind === 'plain' ? (
          part
        ) : (
          <span key={index} class={`lean-${kind}`}>
            {part}
          </span>
        ),
      )}
    </>
  );
}

function piecesOf(text: string): { readonly kind: Kind; readonly part: string }[] {
  const pieces: { kind: Kind; part: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    if (match.index > at) pieces.push({ kind: 'plain', part: text.slice(at, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? ['plain'];
    pieces.push({ kind: kind as Kind, part: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: 'plain', part: text.slice(at) });
  return pieces;
}
