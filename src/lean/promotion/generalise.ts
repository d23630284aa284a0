import { asHave, readSignature, signatureText, type BinderGroup, type Signature } from '../base/signature.ts';
import { mentions } from '../base/names.ts';
import type { Ground } from './ground.ts';
import { findOutside } from '../base/brackets.ts';

/** Types that a statement may fix unnecessarily. */
const concrete = ['Nat', 'Int', 'String', 'Char', 'Bool'];

/**
 * Generalises a statement as far as its proof allows: without unused hypotheses, with weaker instances, over any type and
 * universe. Lean checks each step with the same proof, and the original statement must follow from the result.
 */
export async function generalised(
  ground: Ground,
  signature: Signature,
  proof: string,
  parentsOf: (instance: string) => readonly string[] = () => [],
): Promise<Signature> {
  let best = signature;
  const take = async (candidate: Signature | undefined): Promise<boolean> => {
    if (!candidate || !(await ground.holds(signatureText(candidate), proof))) return false;
    best = candidate;
    return true;
  };
  for (const binder of signature.binders.toReversed()) {
    if (binder.open === '[') await take(without(best, binder));
    else for (const name of binder.names.toReversed()) await take(withoutName(best, name));
  }
  for (const binder of best.binders.filter(({ open }) => open === '['))
    for (const parent of weakerFrom(binder, parentsOf)) if (await take(replaced(best, binder, parent))) break;
  for (const type of concrete) await take(overAnyType(best, type));
  await take(inAnyUniverse(best));
  if (best === signature) return signature;
  const given = asHave(signatureText(best), 'given');
  const isEnough = given !== undefined && (await ground.follows(signatureText(signature), given));
  return isEnough ? best : signature;
}

/** A statement and its proof. */
export interface LemmaText {
  readonly signature: Signature;
  readonly proof: string;
}

/** `theorem t : ∀ (n : Nat), p n := by intro n; …` as `theorem t (n : Nat) : p n := by …`; the same if it has another form. */
export async function withBinders(ground: Ground, { signature, proof }: LemmaText): Promise<LemmaText> {
  const stated = { signature, proof };
  const comma = /^∀\s/.test(signature.type) ? findOutside(signature.type, ',') : undefined;
  if (comma === undefined) return stated;
  const bound = signature.type.slice('∀'.length, comma);
  const read = readSignature(`theorem t${bound} : ${signature.type.slice(comma + 1)}`);
  if (!read || read.binders.some(({ open }) => open === '')) return stated;
  const names = read.binders.flatMap(({ names: some }) => some);
  const [opening = '', introduced = ''] = /^by\s+intros? +([^\n;]+?)[ \t]*(?:\n|;)/.exec(proof) ?? [];
  const words = introduced.split(/\s+/);
  if (opening === '' || !names.every((name, index) => words[index] === name)) return stated;
  const others = words.slice(names.length).join(' ');
  const steps = proof.slice(opening.length);
  const plain: LemmaText = {
    signature: { ...signature, binders: [...signature.binders, ...read.binders], type: read.type },
    proof: others === '' ? `by\n  ${steps.trimStart()}` : `by\n  intro ${others}\n  ${steps.trimStart()}`,
  };
  return (await ground.holds(signatureText(plain.signature), plain.proof)) ? plain : stated;
}

/** The statement without a hypothesis or variable that the rest does not mention; undefined if it does. */
function withoutName(signature: Signature, name: string): Signature | undefined {
  const binders = signature.binders.flatMap((binder): BinderGroup[] => {
    if (!binder.names.includes(name)) return [binder];
    const names = binder.names.filter((one) => one !== name);
    return names.length === 0 ? [] : [{ ...binder, names }];
  });
  const texts = [signature.type, ...binders.map(({ type }) => type ?? '')];
  return texts.some((text) => mentions(text, name)) ? undefined : { ...signature, binders };
}

function without(signature: Signature, binder: BinderGroup): Signature | undefined {
  const binders = signature.binders.filter((one) => one !== binder);
  const isNamed = binder.names.some((name) =>
    [signature.type, ...binders.map(({ type }) => type ?? '')].some((text) => mentions(text, name)),
  );
  return isNamed ? undefined : { ...signature, binders };
}

function replaced(signature: Signature, binder: BinderGroup, type: string): Signature {
  const binders = signature.binders.map((one) => (one === binder ? { ...one, type } : one));
  return { ...signature, binders };
}

/** `Group α`: `Monoid α`, then what that extends. */
function weakerFrom(
  { type = '' }: BinderGroup,
  parentsOf: (instance: string) => readonly string[],
): string[] {
  const [, name = '', args = ''] = /^(\S+)\s*([\s\S]*)$/.exec(type) ?? [];
  const found: string[] = [];
  const queue = [...parentsOf(name)];
  for (let parent = queue.shift(); parent !== undefined && found.length < 16; parent = queue.shift()) {
    found.push(`${parent} ${args}`.trim());
    queue.push(...parentsOf(parent));
  }
  // the weakest first
  return found.toReversed();
}

/** `List Nat` becomes `List α`. */
function overAnyType(signature: Signature, type: string): Signature | undefined {
  const texts = [signature.type, ...signature.binders.map((binder) => binder.type ?? '')];
  const variable = ['α', 'β', 'γ'].find((one) => !texts.some((text) => mentions(text, one)));
  if (variable === undefined || !texts.some((text) => mentions(text, type))) return undefined;
  const names = signature.binders.flatMap(({ names: some }) => some);
  if (names.includes(variable)) return undefined;
  const general = (text: string): string =>
    text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}_.'])${type}(?![\p{L}\p{N}_.'])`, 'gu'), variable);
  const binders = signature.binders.map((binder) =>
    binder.type === undefined ? binder : { ...binder, type: general(binder.type) },
  );
  const parameter: BinderGroup = { open: '{', names: [variable], type: 'Type _' };
  return { ...signature, binders: [parameter, ...binders], type: general(signature.type) };
}

function inAnyUniverse(signature: Signature): Signature | undefined {
  if (!signature.binders.some(({ type }) => type === 'Type')) return undefined;
  const binders = signature.binders.map((one) => (one.type === 'Type' ? { ...one, type: 'Type _' } : one));
  return { ...signature, binders };
}

/** The `extends` clauses of classes in these texts. */
export function classParents(texts: readonly string[]): (instance: string) => readonly string[] {
  const parents = new Map<string, readonly string[]>();
  const declared = /^\s*class\s+([^\s({[:]+)[^\n]*?\bextends\s+([^\n]+?)(?:\s+where\b.*|\s*:=.*)?$/gm;
  for (const [, name = '', all = ''] of texts.flatMap((text) => [...text.matchAll(declared)]))
    parents.set(
      name,
      all.split(',').flatMap((one) => /^\s*(?:\S+\s*:\s*)?([^\s(]+)/.exec(one)?.[1] ?? []),
    );
  return (instance) => parents.get(instance) ?? [];
}
