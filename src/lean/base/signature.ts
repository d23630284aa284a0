import { closingOf, findOutside } from './brackets.ts';

/** Comments, attributes and modifiers do not change the statement. */
const head =
  /^(?:\s|--[^\n]*\n|\/-[\s\S]*?-\/|@\[[^\]]*\]|(?:private|protected|public|noncomputable|unsafe|nonrec)\s)*(?:theorem|lemma)\s+[^\s:.({[⦃]+(?:\.[^\s:.({[⦃]+)*(?:\.\{[^}]*\})?/u;

/** A statement in its parts. */
export interface Signature {
  readonly name: string;
  /** `.{u, v}`, or empty. */
  readonly universes: string;
  readonly binders: readonly BinderGroup[];
  readonly type: string;
}

/** `(a b : T)`, `{α}`, `[inst : C α]`, or a bare name. */
export interface BinderGroup {
  readonly open: '(' | '{' | '[' | '⦃' | '';
  readonly names: readonly string[];
  /** Undefined if Lean infers it. */
  readonly type: string | undefined;
}

const closings = { '(': ')', '{': '}', '[': ']', '⦃': '⦄', '': '' } as const;

/** `theorem t (a : Nat) : a = 0` split into its parts; undefined if the text is not of this form. */
export function readSignature(statement: string): Signature | undefined {
  const found = head.exec(statement);
  if (!found) return undefined;
  const rest = statement.slice(found[0].length);
  const colon = findOutside(rest, ':');
  const binders = colon === undefined ? undefined : bindersOf(rest.slice(0, colon));
  if (colon === undefined || binders === undefined) return undefined;
  const [, name = '', universes = ''] =
    /([^\s.({[⦃]+(?:\.[^\s.({[⦃]+)*)(\.\{[^}]*\})?$/u.exec(found[0]) ?? [];
  return { name, universes, binders, type: rest.slice(colon + 1).trim() };
}

/** The statement without comments, attributes and modifiers. */
export function signatureText({ name, universes, binders, type }: Signature): string {
  return [`theorem ${name}${universes}`, ...binders.map(binderText), `: ${type}`].join(' ');
}

export function binderText({ open, names, type }: BinderGroup): string {
  const inner = [names.join(' '), type ?? ''].filter((part) => part !== '').join(' : ');
  return `${open}${inner}${closings[open]}`;
}

/** `theorem t (a : Nat) : a = 0` as `have NAME : ∀ (a : Nat), a = 0`; undefined if the text is not of this form. */
export function asHave(statement: string, name: string): string | undefined {
  const found = readSignature(statement);
  if (!found) return undefined;
  const binders = found.binders.map(binderText).join(' ');
  return `have ${name} : ${binders === '' ? found.type : `∀ ${binders}, ${found.type}`}`;
}

/** Undefined if there is anything else among them, such as a pattern. */
function bindersOf(text: string): BinderGroup[] | undefined {
  const binders: BinderGroup[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const open = rest.charAt(0);
    const bare = /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*/u.exec(rest)?.[0];
    if (open === '(' || open === '{' || open === '[' || open === '⦃') {
      const end = closingOf(rest);
      if (end === undefined) return undefined;
      binders.push(binderIn(open, rest.slice(1, end).trim()));
      rest = rest.slice(end + 1).trim();
    } else if (bare !== undefined) {
      binders.push({ open: '', names: [bare], type: undefined });
      rest = rest.slice(bare.length).trim();
    } else return undefined;
  }
  return binders;
}

const namesIn = (text: string): string[] => text.split(/\s+/).filter((name) => name !== '');

function binderIn(open: BinderGroup['open'], inner: string): BinderGroup {
  const colon = findOutside(inner, ':');
  if (colon !== undefined)
    return { open, names: namesIn(inner.slice(0, colon)), type: inner.slice(colon + 1).trim() };
  return open === '[' ? { open, names: [], type: inner } : { open, names: namesIn(inner), type: undefined };
}
