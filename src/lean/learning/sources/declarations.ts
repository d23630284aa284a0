import { closingOf, outside } from '../../base/brackets.ts';
import { plainCode } from '../../base/plain-code.ts';

/** A declaration as it appears in a source file. */
export interface SourceDeclaration {
  readonly name: string;
  readonly isTheorem: boolean;
  readonly isPrivate: boolean;
  /** Names that `to_additive` and `alias` give to the same statement. */
  readonly aliases: readonly string[];
  /** Binders and type, as in the source. */
  readonly statement: string;
  readonly proof: string;
  /** Its namespace, then the open ones, innermost first. */
  readonly scopes: readonly string[];
  /** The commands in effect for it: sections, namespaces, variables, universes, `open`s. */
  readonly context: readonly string[];
}

export interface SourceFile {
  readonly imports: readonly string[];
  readonly declarations: readonly SourceDeclaration[];
}

/** One open `namespace` or `section` of a file. */
interface Block {
  readonly name: string;
  readonly isNamespace: boolean;
  readonly opens: string[];
  /** The command that begins it, and those in it that later declarations depend on. */
  readonly commands: string[];
}

const identifier = String.raw`[\p{L}_][\p{L}\p{N}_'!?₀-₉]*`;
const dotted = String.raw`${identifier}(?:\.${identifier})*`;
const declarationHead = new RegExp(
  String.raw`^(theorem|lemma|def|abbrev|instance|structure|class|inductive|axiom|opaque|irreducible_def|alias)\b\s*(_root_\.)?(${dotted})?`,
  'u',
);
const modifier =
  /^(?:private|protected|public|meta|noncomputable|nonrec|unsafe|partial|scoped|local|@\[expose\])\s+/;
/** Lines at the left margin that continue the command above. */
const continuation = /^(?:[|)⟩}\]]|where\b|by\b|termination_by\b|decreasing_by\b|with\b|deriving\b)/;

/**
 * Reads declarations from a file's text without Lean, which is enough to learn which lemmas proofs name. It relies on
 * commands starting at the left margin, as Mathlib's style requires.
 */
export function readDeclarations(text: string): SourceFile {
  const plain = plainCode(text);
  const blocks: Block[] = [{ name: '', isNamespace: true, opens: [], commands: [] }];
  const imports: string[] = [];
  const declarations: SourceDeclaration[] = [];
  for (const command of commandsOf(plain)) {
    const { body, attributes, opens, isPrivate } = peel(command);
    const word = /^\w+/.exec(body)?.[0] ?? '';
    if (word === 'import') imports.push(...body.split(/\s+/).slice(1).filter(isModule));
    else if (word === 'namespace' || word === 'section') {
      const name = body.split(/\s+/)[1] ?? '';
      blocks.push({ name, isNamespace: word === 'namespace', opens: [], commands: [body] });
    } else if (word === 'end') close(blocks, body.split(/\s+/)[1] ?? '');
    else if (word === 'open' || word === 'variable' || word === 'universe') {
      if (word === 'open') blocks.at(-1)?.opens.push(...openedNames(body));
      blocks.at(-1)?.commands.push(body);
    } else {
      const context = [...blocks.flatMap(({ commands }) => commands), ...opens.map((name) => `open ${name}`)];
      const scopes = scopesOf(blocks, opens);
      declarations.push(...declared(body, attributes, { context, scopes }, isPrivate));
    }
  }
  return { imports, declarations };
}

function declared(
  body: string,
  attributes: string,
  { context, scopes }: Pick<SourceDeclaration, 'context' | 'scopes'>,
  isPrivate: boolean,
): SourceDeclaration[] {
  const [head, kind = '', root, written] = declarationHead.exec(body) ?? [];
  if (head === undefined || written === undefined) return [];
  const within = scopes[0] ?? '';
  const name = root !== undefined || within === '' ? written : `${within}.${written}`;
  const { statement, proof } = parted(body.slice(head.length));
  const isTheorem = kind === 'theorem' || kind === 'lemma' || kind === 'alias';
  const aliases = additiveNames(attributes, name, within);
  return [{ name, isTheorem, isPrivate, aliases, statement: statement.trim(), proof, scopes, context }];
}

/** Splits a declaration at the first `:=`, `where` or `|` outside brackets. */
function parted(text: string): { statement: string; proof: string } {
  for (const at of outside(text))
    if (isEnd(text, at)) return { statement: text.slice(0, at), proof: text.slice(at) };
  return { statement: text, proof: '' };
}

function isEnd(text: string, at: number): boolean {
  return text.startsWith(':=', at) || /^\n\s*(?:\||where\b)|^\swhere\b/.test(text.slice(at, at + 40));
}

/** Splits off what precedes the keyword: attributes, `open … in`, modifiers. */
function peel(command: string): { body: string; attributes: string; opens: string[]; isPrivate: boolean } {
  let body = command;
  let attributes = '';
  const opens: string[] = [];
  let isPrivate = false;
  for (;;) {
    const attribute = body.startsWith('@[') ? bracketed(body) : undefined;
    const scoped = /^(open|set_option|omit|include|variable|universe)\b([\s\S]*?)\sin\s+/.exec(body);
    const word = modifier.exec(body)?.[0];
    if (attribute !== undefined) {
      attributes += attribute;
      body = body.slice(attribute.length).trimStart();
    } else if (scoped && !scoped[0].includes('\n\n')) {
      if (scoped[1] === 'open') opens.push(...openedNames(`open ${scoped[2] ?? ''}`));
      body = body.slice(scoped[0].length);
    } else if (word !== undefined) {
      isPrivate ||= word.startsWith('private');
      body = body.slice(word.length);
    } else return { body, attributes, opens, isPrivate };
  }
}

function bracketed(text: string): string | undefined {
  const end = closingOf(text);
  return end === undefined ? undefined : text.slice(0, end + 1);
}

function isModule(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

function openedNames(body: string): string[] {
  const list = body
    .replace(/^open\s+(?:scoped\s+)?/, '')
    .replaceAll(/\([^)]*\)|(?:hiding|renaming)[\s\S]*/g, ' ');
  return list.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word));
}

function close(blocks: Block[], name: string): void {
  // assumes that each `end` closes one block: two ends for one `namespace A.B` do not occur in practice
  if (blocks.length > 1 && (name === '' || blocks.at(-1)?.name === name)) blocks.pop();
}

/** The namespace and its parents, then the open ones, each also relative to the enclosing namespaces. */
function scopesOf(blocks: readonly Block[], opens: readonly string[]): string[] {
  const names = blocks.filter(({ isNamespace, name }) => isNamespace && name !== '').map(({ name }) => name);
  const around = parents(names.join('.'));
  const open = [...opens, ...blocks.toReversed().flatMap((block) => block.opens)];
  return [...around, '', ...open.flatMap((name) => [...around.map((outer) => `${outer}.${name}`), name])];
}

function parents(name: string): string[] {
  const parts = name.split('.').filter((part) => part !== '');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}

/**
 * Splits a file into commands, which start at the left margin; attributes and modifiers may be on separate
 * lines.
 */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let current: string[] = [];
  const flush = (): void => {
    const command = current.join('\n').trim();
    if (command !== '') commands.push(command);
    current = [];
  };
  for (const line of text.split('\n')) {
    const starts = /^\S/.test(line) && !continuation.test(line) && !isPrefix(current.join('\n'));
    if (starts) flush();
    current.push(line);
  }
  flush();
  return commands;
}

/** Attributes, modifiers or `open … in`, without the command they belong to. */
function isPrefix(text: string): boolean {
  if (text.trim() === '') return false;
  const { body } = peel(`${text.trim()}\n`);
  return body.trim() === '' || (body.startsWith('@[') && bracketed(body) === undefined);
}

const additive: ReadonlyMap<string, string> = new Map([
  ['mul', 'add'],
  ['one', 'zero'],
  ['inv', 'neg'],
  ['div', 'sub'],
  ['prod', 'sum'],
  ['finprod', 'finsum'],
  ['pow', 'nsmul'],
  ['npow', 'nsmul'],
  ['zpow', 'zsmul'],
  ['smul', 'vadd'],
  ['mabs', 'abs'],
  ['monoid', 'addMonoid'],
  ['semigroup', 'addSemigroup'],
  ['group', 'addGroup'],
  ['submonoid', 'addSubmonoid'],
  ['subgroup', 'addSubgroup'],
  ['Monoid', 'AddMonoid'],
  ['Group', 'AddGroup'],
  ['CommGroup', 'AddCommGroup'],
  ['Submonoid', 'AddSubmonoid'],
  ['Subgroup', 'AddSubgroup'],
]);

/** The name given by `to_additive`, explicit or derived by its word rules. */
function additiveNames(attributes: string, name: string, within: string): string[] {
  const [, rest] = /\bto_additive\b([^\]]*)/.exec(attributes) ?? [];
  if (rest === undefined) return [];
  const given = new RegExp(
    String.raw`^\s*(?:\((?:[^()]|\([^()]*\))*\)\s*)?(?:existing\s+)?(${dotted})`,
    'u',
  ).exec(rest)?.[1];
  if (given !== undefined) return [within === '' || given.includes('.') ? given : `${within}.${given}`];
  return [name.replaceAll(/[\p{L}\p{N}]+/gu, (word) => additive.get(word) ?? word)];
}
