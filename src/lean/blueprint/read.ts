// Over 300 lines because it is one pass over the LaTeX of a blueprint, with state that all macros share.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment, Macro, Node } from '@unified-latex/unified-latex-types';
import { parseMinimal } from '@unified-latex/unified-latex-util-parse';
import { UserError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { readArguments, readList, readTitle, skipDefinition, skipStar } from './arguments.ts';
import type { Blueprint, Labelled, Remark, SourceRange, Statement } from './blueprint.ts';
import { Conditionals } from './conditionals.ts';
import { finishStatement, newMarks, type DraftMarks, type DraftStatement } from './draft.ts';
import { readSettings, usualKinds } from './settings.ts';

/** Section levels, highest first: a proof belongs to a statement of its own section. */
const sections = [
  'part',
  'chapter',
  'section',
  'subsection',
  'subsubsection',
  'paragraph',
  'subparagraph',
] as const;

/** Numbered formulas: a label inside one names the formula, not the surrounding statement. */
const numberedFormulas =
  /^(?:equation|align|alignat|xalignat|flalign|gather|multline|eqnarray|subequations|cases)$/;

/** The sources of a leanblueprint: a project folder, its `blueprint` folder, or a single file. */
export function readBlueprint(place: string): Blueprint {
  const main = mainFile(place);
  const folder = path.dirname(main);
  const isUsual = path.resolve(folder).endsWith(path.join('/', 'blueprint', 'src'));
  const root = isUsual ? path.join(folder, '../..') : folder;
  if (!isInside(main, root))
    throw new UserError(
      'link-out',
      `${main} is a link to a file outside ${root}`,
      'Put a copy of the file in its place.',
    );
  const reader = new Reader(folder, root);
  reader.readFile(main);
  return reader.blueprint();
}

/** The blueprint of a project, if it has one. */
export function blueprintOf(project: string): Blueprint | undefined {
  try {
    return readBlueprint(path.join(project, 'blueprint'));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function mainFile(place: string): string {
  const candidates = ['blueprint/src', 'src', '.'].flatMap((folder) =>
    ['web.tex', 'content.tex'].map((name) => path.join(place, folder, name)),
  );
  const found = place.endsWith('.tex') ? [place] : candidates;
  const file = found.find((name) => isPlainFile(name));
  if (file !== undefined) return file;
  throw new UserError(
    'BLUEPRINT_MISSING',
    `there is no blueprint in ${place}`,
    'Give the path of the project, its blueprint folder or a .tex file; orch looks for blueprint/src/web.tex and content.tex.',
  );
}

/** An environment or a group that is being read. */
interface Scope {
  /** The kind of the statement around it, if any. */
  readonly insideOf: string;
  /** Its content so far, if it is a statement or a proof. */
  marks: DraftMarks | undefined;
  /** The statement that a proof here would belong to. */
  last: DraftStatement | undefined;
}

interface DraftProof {
  readonly marks: DraftMarks;
  readonly isEmpty: boolean;
  /** The last statement before it in its section. */
  readonly before: DraftStatement | undefined;
}

/**
 * Reads the sources in document order, by the rules of leanblueprint and plasTeX. Macros count
 * for the innermost environment. A second `\uses` replaces the first. A proof belongs to the statement
 * that `\proves` names or to the last one before it in its section; the last proof of a statement counts.
 */
class Reader {
  readonly #folder: string;
  /** Files outside it are not included. */
  readonly #root: string;
  readonly #files = new Map<string, string>();
  /** Environments of statements; false if they have no number, so that a label in them is not theirs. */
  readonly #theorems = new Map<string, boolean>(
    [...usualKinds, 'remark', 'example'].map((kind) => [kind, true]),
  );
  readonly #statements: DraftStatement[] = [];
  readonly #proofs: DraftProof[] = [];
  readonly #labels = new Map<string, DraftStatement | string>();
  readonly #chapters: string[] = [];
  readonly #conditionals = new Conditionals();
  readonly #remarks: Remark[] = [];
  readonly #colours: Record<string, string> = {};
  #settings = readSettings([]);
  /** The target of the next label: as in TeX, the last numbered item, even if its environment has ended. */
  #current: DraftStatement | string = '';
  /** Number of sections so far at the level of the graphs; null outside them. */
  #graph: number | null = null;
  #graphs = 0;
  #hasChapters = false;
  /** The environments around the current position, outermost first. */
  readonly #scopes: Scope[] = [newScope('')];
  #file = '';
  #text = '';

  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#root = root;
  }

  readFile(file: string): void {
    const text = readFileSync(file, 'utf8');
    this.#files.set(file, text);
    const outer = [this.#file, this.#text] as const;
    [this.#file, this.#text] = [file, text];
    this.#walk(parseMinimal(asParserWants(text)).content);
    [this.#file, this.#text] = outer;
  }

  get #scope(): Scope {
    const scope = this.#scopes.at(-1);
    if (!scope) throw new Error('no environment is open');
    return scope;
  }

  #walk(nodes: readonly Node[]): void {
    /** End of the last macro whose arguments are not document text. */
    let skipped = 0;
    for (const node of nodes) {
      if ((node.position?.start.offset ?? 0) < skipped) continue;
      if (node.type === 'macro') {
        this.#conditionals.read(node.content);
        if (this.#conditionals.isHidden) continue;
        if (node.content === 'endinput') return;
        const { end } = this.#rangeOf(node);
        skipped = skipDefinition(this.#text, node.content, end);
        if (node.content === 'newif') this.#conditionals.declare(this.#text.slice(end, skipped));
        this.#macro(node);
      } else if (this.#conditionals.isHidden) continue;
      else if (node.type === 'environment' || node.type === 'mathenv') this.#environment(node);
      else if (node.type === 'group') this.#inside(newScope(this.#scope.insideOf), node.content);
      else if (node.type === 'displaymath') this.#inside(newScope(this.#scope.insideOf), node.content);
    }
  }

  #inside(scope: Scope, content: readonly Node[]): void {
    this.#scopes.push(scope);
    this.#walk(content);
    this.#scopes.pop();
  }

  #environment(node: Environment): void {
    const env = nameOf(node);
    const isProof = env === 'proof';
    const outer = this.#scope;
    if (!isProof && !this.#theorems.has(env)) {
      if (numberedFormulas.test(env)) this.#current = outer.insideOf;
      // `document` is not a scope: its content belongs to the file
      if (env === 'document') this.#walk(node.content);
      else this.#inside(newScope(outer.insideOf), node.content);
      return;
    }
    const range = this.#rangeOf(node);
    const { title, end } = readTitle(this.#text, endOfBegin(this.#text, range.start));
    const marks = newMarks(range, end);
    if (isProof) {
      this.#proofs.push({ marks, isEmpty: node.content.every(isBlank), before: outer.last });
      this.#inside({ ...newScope(outer.insideOf), marks }, node.content);
      return;
    }
    const statement = {
      ...marks,
      kind: env,
      title,
      chapter: this.#chapters.at(-1) ?? '',
      graph: this.#graph,
    };
    this.#statements.push(statement);
    outer.last = statement;
    if (this.#theorems.get(env)) this.#current = statement;
    this.#inside({ ...newScope(env), marks: statement }, node.content);
  }

  #macro(node: Macro): void {
    const range = this.#rangeOf(node);
    const isStarred = this.#text[range.end] === '*';
    const { optional, required, end } = readArguments(this.#text, skipStar(this.#text, range.end));
    const whole = { ...range, end };
    const { content: name } = node;
    const level = sections.findIndex((section) => section === name);
    if (level >= 0) return this.#section(level, required, isStarred);
    switch (name) {
      case 'input':
      case 'include':
        return this.#input(required.trim() || wordAfter(this.#text, range.end), whole);
      case 'newtheorem':
      case 'declaretheorem':
        this.#theorems.set(required.trim(), !isStarred);
        return;
      case 'usepackage':
      case 'RequirePackage':
        if (readList(required).includes('blueprint')) this.#settings = readSettings(readList(optional));
        return;
      case 'item':
      case 'caption':
        this.#current = this.#scope.insideOf;
        return;
      case 'graphcolor':
      case 'bpcolor':
        this.#colours[required.trim()] = readArguments(this.#text, end).required.trim();
        return;
      case 'label':
        return this.#label(readLabel(required), whole);
      default:
        this.#mark(name, required, range);
    }
  }

  /** A macro of leanblueprint, which counts for the innermost environment. */
  #mark(name: string, argument: string, range: SourceRange): void {
    const { marks } = this.#scope;
    if (!marks) return;
    switch (name) {
      case 'lean':
        marks.declarations = readList(argument);
        return;
      case 'uses':
        marks.uses = readList(argument);
        return;
      case 'leanok':
        marks.leanOk = range;
        return;
      case 'mathlibok':
        marks.leanOk = range;
        marks.isMathlib = true;
        return;
      case 'notready':
        marks.isNotReady = true;
        return;
      case 'discussion':
        marks.discussion = argument.trim().replace(/^#/, '');
        return;
      case 'proves':
        marks.proves = readLabel(argument);
        return;
    }
  }

  #section(level: number, title: string, isStarred: boolean): void {
    const name = sections[level];
    // the chapters of an article are its sections
    if (name === 'chapter' || (name === 'section' && !this.#hasChapters))
      this.#chapters.push(plainTitle(title));
    if (name === 'chapter') this.#hasChapters = true;
    const graphLevel = sections.findIndex((section) => section === this.#settings.graphBy);
    if (level === graphLevel) this.#graph = this.#graphs++;
    else if (level < graphLevel) this.#graph = null;
    if (!isStarred) this.#current = '';
    this.#scope.last = undefined;
  }

  #input(name: string, at: SourceRange): void {
    const base = path.join(this.#folder, name);
    const file = [`${base}.tex`, base].find((candidate) => isPlainFile(candidate));
    // a checkout must not make us read files outside it
    if (file === undefined || !isInside(file, this.#root))
      this.#remarks.push({ kind: 'missing-file', message: `there is no file ${name}`, at });
    else if (!this.#files.has(file)) this.readFile(file);
  }

  #label(label: string, at: SourceRange): void {
    if (label === '') return;
    if (this.#labels.has(label))
      this.#remarks.push({ kind: 'duplicate-label', message: `${label} is a label twice`, at });
    this.#labels.set(label, this.#current);
    if (typeof this.#current === 'string') return;
    this.#current.labels.push(label);
    if (this.#scope.marks === this.#current)
      this.#current.bodyStart = Math.max(this.#current.bodyStart, at.end);
  }

  #rangeOf(node: Node): SourceRange {
    if (!node.position) throw new Error('a node of a parsed text has a position');
    return { file: this.#file, start: node.position.start.offset, end: node.position.end.offset };
  }

  blueprint(): Blueprint {
    const settings = { ...this.#settings, colours: this.#colours };
    const proofs = this.#proofsByStatement();
    const finished = new Map(
      this.#statements.map((draft) => {
        const text = this.#files.get(draft.range.file) ?? '';
        return [draft, finishStatement(draft, proofs.get(draft), text)] as const;
      }),
    );
    const labels = new Map(
      Array.from(this.#labels, ([label, target]) => [label, labelled(target, finished)] as const),
    );
    const statements = [...finished.values()].filter(
      ({ kind, graph }) => settings.kinds.includes(kind) && (settings.graphBy === null || graph !== null),
    );
    return {
      statements,
      labels,
      chapters: [...new Set(this.#chapters)],
      settings,
      files: this.#files,
      remarks: this.#remarks,
    };
  }

  #proofsByStatement(): Map<DraftStatement, DraftProof> {
    const proofs = new Map<DraftStatement, DraftProof>();
    for (const proof of this.#proofs) {
      const { marks, before } = proof;
      const target = (marks.proves === null ? undefined : this.#labels.get(marks.proves)) ?? before;
      if (typeof target === 'object') proofs.set(target, proof);
      else if (target === undefined)
        this.#remarks.push({
          kind: 'unattached-proof',
          message: 'a proof has no statement before it in its section, and no \\proves',
          at: marks.range,
        });
    }
    return proofs;
  }
}

const newScope = (insideOf: string): Scope => ({
  insideOf,
  marks: undefined,
  last: undefined,
});

function labelled(
  target: DraftStatement | string,
  finished: ReadonlyMap<DraftStatement, Statement>,
): Labelled {
  if (typeof target === 'string') return { kind: 'other', insideOf: target };
  const statement = finished.get(target);
  if (!statement) throw new Error('every statement has been completed');
  return { kind: 'statement', statement };
}

/** Contrary to its type, the parser gives a formula's environment as a node. */
function nameOf({ env }: Environment): string {
  const name: unknown = env;
  if (typeof name === 'string') return name;
  return name && typeof name === 'object' && 'content' in name ? String(name.content) : '';
}

const readLabel = (argument: string): string => argument.replaceAll(/\s+/g, ' ').trim();

function isPlainFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** `\input name`, TeX style. */
const wordAfter = (text: string, at: number): string =>
  /^\s*([^\s{}\\%]+)/.exec(text.slice(at, at + 1000))?.[1] ?? '';

/** TeX allows blanks in `\begin {…}`, the parser does not: they are moved after it, so that all other offsets stay. */
const asParserWants = (text: string): string =>
  text.replaceAll(/\\(begin|end)(\s+)(\{[^{}]*\})/g, String.raw`\$1$3$2`);

const endOfBegin = (text: string, start: number): number => text.indexOf('}', start) + 1;

const isBlank = ({ type }: Node): boolean =>
  type === 'whitespace' || type === 'parbreak' || type === 'comment';

/** A heading without the macros that terminals and tables cannot show. */
function plainTitle(title: string): string {
  return title
    .replaceAll(/\\texorpdfstring\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/\\([%&#_$])/g, '$1')
    .trim();
}
