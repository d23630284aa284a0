import { lemmaName } from '../base/lemma-name.ts';
import { isHelperName } from '../market/lemma.ts';
import type { Ground } from './ground.ts';

const identifier = /^[\p{L}][\p{L}\p{N}_'₀-₉]*(?:\.[\p{L}][\p{L}\p{N}_'₀-₉]*)*$/u;
const word = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*/gu;

/**
 * An unused name: a text that already mentions a name could otherwise change its meaning. Tries the suggested name, then the
 * one that Mathlib's conventions give.
 */
export async function freeName(
  ground: Ground,
  { suggested, statement }: { readonly suggested: string; readonly statement: string },
  texts: readonly string[],
): Promise<string | undefined> {
  const byRule = lemmaName(statement) ?? 'helper';
  const wanted = isHelperName(suggested) || /^helper(?:_|$)/.test(suggested) ? [] : [suggested];
  const written = new Set(texts.flatMap((text) => text.match(word) ?? []));
  for (const name of [...wanted, byRule, `${byRule}'`, ...[2, 3, 4, 5].map((n) => `${byRule}_${n}`)]) {
    const last = name.split('.').at(-1) ?? name;
    // in a statement, Lean may bind a single letter as a variable
    if (!identifier.test(name) || last.length < 3 || written.has(last)) continue;
    if ((await ground.known([name, `_root_.${name}`, last])).size === 0) return name;
  }
  return undefined;
}
