import { directly } from './ground.ts';

/** A helper lemma inside a proof: the lines from its `have` to the end of its proof. */
interface Inlined {
  readonly before: readonly string[];
  /** `have NAME binders : type` */
  readonly stated: string;
  readonly name: string;
  readonly indent: string;
  readonly after: readonly string[];
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A statement without its name: two proofs may give the same helper different names. */
export function saidIn(statement: string): string {
  return flat(statement.replace(/^\s*(?:theorem|lemma|have)\s+[^\s:({[⦃]+/, ''));
}

/** The helper in the proof's text; undefined if the proof does not contain it. */
function inlinedIn(proof: string, statement: string): Inlined | undefined {
  const wanted = `${saidIn(statement)} :=`;
  const lines = proof.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, indent = '', name = ''] = /^([ \t]*)have ([^\s:({[⦃]+)/.exec(line) ?? [];
    if (name === '') continue;
    const isInside = (one: string): boolean => one.trim() === '' || one.startsWith(`${indent} `);
    const length = lines.slice(index + 1).findIndex((one) => !isInside(one));
    const end = length < 0 ? lines.length : index + 1 + length;
    const have = lines.slice(index, end).join('\n');
    if (!saidIn(have.trimStart()).startsWith(wanted)) continue;
    const stated = have.slice(0, have.indexOf(':=')).trim();
    return { before: lines.slice(0, index), stated, name, indent, after: lines.slice(end) };
  }
  return undefined;
}

export function containsHelper(proof: string, statement: string): boolean {
  return inlinedIn(proof, statement) !== undefined;
}

/**
 * A proof that uses a theorem by its name instead of a helper lemma in its own text. It has several forms, the most readable first: the name in
 * place of the helper's; the theorem as a fact of the context; the helper proved by the theorem. The first that Lean accepts is used.
 * `names`: the theorem's full name last, after shorter ones that may do.
 */
export function usedByName(
  proof: string,
  helper: string,
  names: readonly string[],
  direct?: string,
): string[] {
  const found = inlinedIn(proof, helper);
  if (!found) return [];
  const { before, stated, name, indent, after } = found;
  const used = new RegExp(String.raw`(?<![\p{L}\p{N}_.'«])${escaped(name)}(?![\p{L}\p{N}_'])`, 'gu');
  const join = (...lines: readonly string[]): string => [...before, ...lines].join('\n');
  // a proof that uses facts from the context implicitly does not show which
  const isNamed = after.some((line) => line.search(used) >= 0);
  const fact = isNamed ? `have ${name}` : 'have';
  const cited = names.flatMap((one) => citing(after, one)).map((lines) => join(...lines));
  const renamed = names.map((one) => join(...after.map((line) => line.replaceAll(used, () => one))));
  const proofs = names.flatMap((one) =>
    direct === undefined ? [...terms(one), `by ${directly(one)}`] : [direct],
  );
  return [
    ...(isNamed ? renamed : cited),
    ...names.map((one) => join(`${indent}${fact} := @${one}`, ...after)),
    ...[...new Set(proofs)].map((one) => join(`${indent}${stated} := ${one}`, ...after)),
  ];
}

/** The theorem in one of the lists of names that a proof gives to `simp` and `grind`. */
function citing(lines: readonly string[], theorem: string): string[][] {
  return lines.flatMap((line, index) => {
    const cited = line.replace(
      /\b(simp(?:_all|a)?(?: only)?|grind)( \[[^\]]*)?(?=[\])\s]|$)/,
      (_, word: string, list?: string) =>
        list === undefined ? `${word} [${theorem}]` : `${word}${list}, ${theorem}`,
    );
    return cited === line ? [] : [lines.with(index, cited)];
  });
}

/** A more general theorem as it is, turned round, or with hypotheses of the context. */
const terms = (theorem: string): string[] => [
  `${theorem} ..`,
  `(${theorem} ..).symm`,
  `by apply ${theorem} <;> assumption`,
  `by symm; apply ${theorem} <;> assumption`,
];

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
