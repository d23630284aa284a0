import type { SourceDeclaration } from './declarations.ts';

/** The names in a proof: what they resolve to, and how many dotted or long names do not resolve. */
interface Labels {
  readonly used: readonly string[];
  readonly unresolved: number;
}

const name =
  /(?<![\p{L}\p{N}_'.!?₀-₉])(?:_root_\.)?[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*/gu;
/** Syntax that names hypotheses in a proof. */
const binders =
  /\b(?:intros?|rintro|rcases|obtain|have|let|set|suffices|fun|with|case|next|ext|funext|induction|cases|generalize|rename_i|use)\b([^\n:=;]*)/gu;

/**
 * The theorems that a proof names. A name is resolved as in Lean: in the namespace of the declaration, then in the
 * enclosing ones, then in the open ones. Names of hypotheses are excluded.
 */
export function premisesNamedBy(declaration: SourceDeclaration, known: ReadonlySet<string>): Labels {
  const { proof, statement, scopes } = declaration;
  const local = new Set(
    [...proof.matchAll(binders)].flatMap(
      ([, words = '']) => words.match(/[\p{L}_][\p{L}\p{N}_'₀-₉]*/gu) ?? [],
    ),
  );
  for (const [, words = ''] of statement.matchAll(/[({[⦃]([^:(){}[\]]*):/gu))
    for (const word of words.trim().split(/\s+/)) local.add(word);
  const used = new Set<string>();
  let unresolved = 0;
  for (const written of new Set(proof.match(name))) {
    const [head = ''] = written.split('.');
    if (local.has(head) && written !== head) continue;
    if (written.length < 4 || (local.has(head) && !head.includes('_'))) continue;
    const found = resolve(written, [ownNamespace(declaration.name), ...scopes], known);
    if (found !== undefined) used.add(found);
    else if (/[._]/.test(written)) unresolved++;
  }
  used.delete(declaration.name);
  return { used: [...used], unresolved };
}

function resolve(written: string, scopes: readonly string[], known: ReadonlySet<string>): string | undefined {
  const plain = written.replace(/^_root_\./, '');
  const places = plain === written ? scopes : [''];
  // `foo_bar.le` is `foo_bar` followed by a projection
  for (let stem = plain; stem !== ''; stem = stem.slice(0, Math.max(0, stem.lastIndexOf('.'))))
    for (const scope of [...places, '']) {
      const full = scope === '' ? stem : `${scope}.${stem}`;
      if (known.has(full)) return full;
    }
  return undefined;
}

/** The proof of `theorem List.foo` may write `bar` for `List.bar`. */
function ownNamespace(declared: string): string {
  return declared.slice(0, Math.max(0, declared.lastIndexOf('.')));
}
