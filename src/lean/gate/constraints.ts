import { readExport } from '../base/exported.ts';
import { sourceName } from '../base/names.ts';
import { asHave } from '../base/signature.ts';

/**
 * Additional requirements that a requester can set for a proof:
 *
 *     noncomputable            a definition or instance need not run (market.ts); a theorem never does
 *     [simp] desirable         the statement rewrites by simp, without going in circles
 *     imports: A, B            it holds with these modules, what they import, and `Init`
 *     names: A.*, b            it mentions no other constants than these and those of the statement
 *     without: A.*, b          it mentions none of these
 *     axioms: propext          it mentions no other axioms itself; `none` for none at all
 */
export interface Constraints {
  readonly simp: boolean;
  readonly noncomputable: boolean;
  readonly imports: readonly string[] | undefined;
  readonly names: readonly string[] | undefined;
  readonly without: readonly string[];
  readonly axioms: readonly string[] | undefined;
  /** Requirements of an unknown kind. */
  readonly unread: readonly string[];
}

/** An unreadable requirement is not ignored: no proof satisfies it. */
export function readConstraints(texts: readonly string[]): Constraints {
  const lists = { imports: undefined, names: undefined, without: undefined, axioms: undefined };
  const found: Record<keyof typeof lists, string[] | undefined> = { ...lists };
  const unread: string[] = [];
  const noncomputable = texts.some((text) => text.trim() === 'noncomputable');
  let simp = false;
  for (const text of texts.map((one) => one.trim())) {
    const [, word, list = ''] = /^(imports|names|without|axioms):\s*(.+)$/.exec(text) ?? [];
    if (/^\[simp\](?:\s+desirable)?$/.test(text)) simp = true;
    else if (word === 'imports' || word === 'names' || word === 'without' || word === 'axioms')
      found[word] = [
        ...(found[word] ?? []),
        ...(list === 'none' ? [] : list.split(',').map((one) => one.trim())),
      ];
    else if (text !== 'noncomputable') unread.push(text);
  }
  return { ...found, without: found.without ?? [], simp, noncomputable, unread };
}

/** The standard axioms. The gate refuses all others unless they are allowed by name. */
const axioms = new Set([
  'propext',
  'Classical.choice',
  'Quot.sound',
  'sorryAx',
  'Lean.ofReduceBool',
  'Lean.trustCompiler',
]);
/** Basic logical constants, which every proof may use. */
const logic = [
  'Eq.*',
  'HEq.*',
  'Iff.*',
  'And.*',
  'Or.*',
  'Not',
  'True.*',
  'False.*',
  'Exists.*',
  'id',
  'absurd',
];

/**
 * The requirements that the proof violates by the constants it mentions. They come from its export: directly mentioned
 * constants, including those in auxiliary declarations, but not what these depend on.
 */
export function broken(constraints: Constraints, theorem: string, candidate: unknown): string | undefined {
  const { names, without, axioms: allowed, unread } = constraints;
  if (unread[0] !== undefined) return `there is no check for the constraint ${unread[0]}`;
  if (!names && !allowed && without.length === 0) return undefined;
  const used = mentioned(candidate, theorem);
  if (used.size === 0) return 'its constants are not known';
  const foreign =
    names && [...used].find((one) => !matches(one, [...names, ...logic, ...statedIn(candidate, theorem)]));
  if (foreign !== undefined)
    return `it uses ${foreign}, which is not among names: ${names?.join(', ') ?? ''}`;
  const forbidden = [...used].find((one) => matches(one, without));
  if (forbidden !== undefined) return `it uses ${forbidden}, which without: forbids`;
  const axiom = allowed && [...used].find((one) => axioms.has(one) && !matches(one, allowed));
  if (axiom !== undefined)
    return `it uses the axiom ${axiom} itself; allowed: ${allowed?.join(', ') || 'none'}`;
  return undefined;
}

/** The claim that `simp` with the lemma alone proves the lemma. Undefined if the text is not a statement. */
export function simpClaim(
  statement: string,
): { readonly statement: string; readonly proof: string } | undefined {
  const type = asHave(statement, 'given')?.replace(/^have given : /, '');
  if (type === undefined) return undefined;
  const proof = 'by\n  intro given\n  intros\n  first | simp only [given] | simp only [given, *]';
  return { statement: `theorem is_simp_rule : (${type}) → (${type})`, proof };
}

/** The constants in a proof and in the auxiliary declarations that Lean extracted from it. */
function mentioned(candidate: unknown, theorem: string): ReadonlySet<string> {
  const declared = readExport(candidate);
  const isPart = (name: string): boolean => sourceName(name).startsWith(`${sourceName(theorem)}.`);
  const found = new Set<string>();
  const queue = [...declared.keys()].filter((name) => sourceName(name) === sourceName(theorem));
  for (let name = queue.pop(); name !== undefined; name = queue.pop())
    for (const one of declared.get(name)?.inValue ?? []) {
      if (found.has(one)) continue;
      found.add(one);
      if (isPart(one)) queue.push(one);
    }
  return new Set([...found].filter((one) => !isPart(one)));
}

/** The judge has found that the theorem's type is the statement. */
function statedIn(candidate: unknown, theorem: string): string[] {
  return [...(readExport(candidate).get(theorem)?.inType ?? [])];
}

/** `A.*` is `A` and everything below it. */
function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const root = pattern.replace(/\.\*$/, '');
    return name === root || (root !== pattern && name.startsWith(`${root}.`));
  });
}
