import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment, Macro, Node } from '@unified-latex/unified-latex-types';
import { parseMinimal } from '@unified-latex/unified-latex-util-parse';
import { UserError } from '../../core/errors.ts';
import { readArguments, readList, readTitle } from './arguments.ts';
import type { Blueprint, Labelled, Remark, SourceRange, Statement } from './blueprint.ts';
import { finishStatement, labelsOnly, newMarks, type DraftMarks, type DraftStatement } from './draft.ts';
import { readSettings, usualKinds } from './settings.ts';

/** Sections of all depths: a proof belongs to a statement of its own section. */
const sections = new Set([
  'part',
  'chapter',
  'section',
  'subsection',
  'subsubsection',
  'paragraph',
  'subparagraph',
]);

/** A label inside one of these names the formula or the item, not the statement around it. */
const numbered = /^(?:equation|align|gather|multline|eqnarray|enumerate|figure|table)\*?$/;

/** The sources of a leanblueprint, from a project's folder, its `blueprint` folder or a single file. */
export function readBlueprint(place: string): Blueprint {
  const main = mainFile(place);
  const reader = new Reader(path.dirname(main));
  reader.readFile(main);
  return reader.blueprint();
}

function mainFile(place: string): string {
  const candidates = ['blueprint/src', 'src', '.'].flatMap((folder) =>
    ['web.tex', 'content.tex'].map((name) => path.join(place, folder, name)),
  );
  const found = place.endsWith('.tex') ? [place] : candidates;
  const file = found.find((name) => existsSync(name));
  if (file !== undefined) return file;
  throw new UserError(
    'BLUEPRINT_MISSING',
    `there is no blueprint in ${place}`,
    'Name the project, its blueprint folder, or a .tex file; orch looks for blueprint/src/web.tex and content.tex.',
  );
}

/** What is being read: an environment and what was said in it so far. */
interface Scope {
  readonly environment: string;
  readonly insideOf: string;
  marks: DraftMarks | undefined;
  /** The statement that a proof here would belong to. */
  last: DraftStatement | undefined;
}

interface DraftProof {
  readonly marks: DraftMarks;
  /** The last statement before it in its section. */
  readonly before: DraftStatement | undefined;
}

/**
 * Walks through the sources in the order of the document. The rules are those of leanblueprint and plasTeX: macros count
 * for the environment that they stand in directly, a second `\uses` replaces the first, a proof belongs to the statement
 * that `\proves` names or to the last one before it in its section, the last proof of a statement counts.
 */
class Reader {
  readonly #folder: string;
  readonly #files = new Map<string, string>();
  readonly #theorems = new Set<string>([...usualKinds, 'remark', 'example']);
  readonly #statements: DraftStatement[] = [];
  readonly #proofs: DraftProof[] = [];
  readonly #labels = new Map<string, DraftStatement | string>();
  readonly #chapters: string[] = [];
  readonly #remarks: Remark[] = [];
  readonly #colours: Record<string, string> = {};
  #options: readonly string[] = [];
  /** What encloses the place that is being read, the document first. */
  readonly #scopes: Scope[] = [newScope('document', '')];
  #file = '';
  #text = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  readFile(file: string): void {
    const text = readFileSync(file, 'utf8');
    this.#files.set(file, text);
    const outer = [this.#file, this.#text] as const;
    [this.#file, this.#text] = [file, text];
    this.#walk(parseMinimal(text).content);
    [this.#file, this.#text] = outer;
  }

  get #scope(): Scope {
    const scope = this.#scopes.at(-1);
    if (!scope) throw new Error('nothing is being read');
    return scope;
  }

  #walk(nodes: readonly Node[]): void {
    /** Depth of `\iffalse … \fi`, whose content does not exist. */
    let hidden = 0;
    for (const node of nodes) {
      if (node.type === 'macro' && node.content === 'iffalse') hidden++;
      else if (hidden > 0 && node.type === 'macro') hidden += conditional(node.content);
      if (hidden > 0) continue;
      if (node.type === 'macro') this.#macro(node);
      else if (node.type === 'environment' || node.type === 'mathenv') this.#environment(node);
      else if (node.type === 'group') this.#inside(newScope('group', this.#scope.insideOf), node.content);
      else if (node.type === 'displaymath')
        this.#inside(newScope('equation', this.#scope.insideOf), node.content);
    }
  }

  #inside(scope: Scope, content: readonly Node[]): void {
    // a label in a group or a list is still the statement's
    if (!scope.marks && !numbered.test(scope.environment)) scope.marks = labelsOnly(this.#scope.marks);
    this.#scopes.push(scope);
    this.#walk(content);
    this.#scopes.pop();
  }

  #environment(node: Environment): void {
    const env = nameOf(node);
    const isProof = env === 'proof';
    if (!isProof && !this.#theorems.has(env)) {
      // `document` is no room of its own: what stands in it stands in the file
      if (env === 'document') this.#walk(node.content);
      else this.#inside(newScope(env, this.#scope.insideOf), node.content);
      return;
    }
    const range = this.#rangeOf(node);
    const { title, end } = readTitle(this.#text, range.start + `\\begin{${env}}`.length);
    const marks = newMarks(range, end);
    const outer = this.#scope;
    if (isProof) {
      this.#proofs.push({ marks, before: outer.last });
      this.#inside({ ...newScope(env, outer.insideOf), marks }, node.content);
      return;
    }
    const statement = { ...marks, kind: env, title, chapter: this.#chapters.at(-1) ?? '' };
    this.#statements.push(statement);
    outer.last = statement;
    this.#inside({ ...newScope(env, env), marks: statement }, node.content);
  }

  #macro(node: Macro): void {
    const range = this.#rangeOf(node);
    const { optional, required, end } = readArguments(this.#text, range.end);
    const whole = { ...range, end };
    const { content: name } = node;
    if (sections.has(name)) return this.#section(name, required);
    switch (name) {
      case 'input':
      case 'include':
        return this.#input(required.trim(), whole);
      case 'newtheorem':
      case 'declaretheorem':
        this.#theorems.add(readArguments(this.#text, skipStar(this.#text, range.end)).required.trim());
        return;
      case 'usepackage':
        if (readList(required).includes('blueprint')) this.#options = readList(optional);
        return;
      case 'graphcolor':
        this.#colours[required.trim()] = readArguments(this.#text, end).required.trim();
        return;
      case 'label':
        return this.#label(required.trim(), whole);
      default:
        this.#mark(name, required, range);
    }
  }

  /** A macro of leanblueprint, which counts for the environment that it stands in directly. */
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
        marks.proves = argument.trim();
        return;
    }
  }

  #section(name: string, title: string): void {
    if (name === 'chapter') this.#chapters.push(title.trim());
    this.#scope.last = undefined;
  }

  #input(name: string, at: SourceRange): void {
    const base = path.join(this.#folder, name);
    const file = [`${base}.tex`, base].find((candidate) => existsSync(candidate));
    if (file === undefined)
      this.#remarks.push({ kind: 'missing-file', message: `there is no file ${name}`, at });
    else if (!this.#files.has(file)) this.readFile(file);
  }

  #label(label: string, at: SourceRange): void {
    const { marks, environment, insideOf } = this.#scope;
    if (this.#labels.has(label))
      this.#remarks.push({ kind: 'duplicate-label', message: `${label} is a label twice`, at });
    const statement = this.#statements.at(-1);
    const isStatements = marks && statement && marks.labels === statement.labels;
    if (isStatements) {
      marks.labels.push(label);
      if (environment === statement.kind) statement.bodyStart = Math.max(statement.bodyStart, at.end);
    }
    this.#labels.set(label, isStatements ? statement : insideOf);
  }

  #rangeOf(node: Node): SourceRange {
    if (!node.position) throw new Error('a node of a parsed text has a position');
    return { file: this.#file, start: node.position.start.offset, end: node.position.end.offset };
  }

  blueprint(): Blueprint {
    const settings = readSettings(this.#options, this.#colours);
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
    const statements = [...finished.values()].filter(({ kind }) => settings.kinds.includes(kind));
    return {
      statements,
      labels,
      chapters: [...new Set(this.#chapters)],
      settings,
      files: this.#files,
      remarks: this.#remarks,
    };
  }

  #proofsByStatement(): Map<DraftStatement, DraftMarks> {
    const proofs = new Map<DraftStatement, DraftMarks>();
    for (const { marks, before } of this.#proofs) {
      const named = marks.proves === null ? undefined : this.#labels.get(marks.proves);
      const target = typeof named === 'object' ? named : before;
      if (target) proofs.set(target, marks);
      else
        this.#remarks.push({
          kind: 'unattached-proof',
          message: 'a proof has no statement before it in its section, and no \\proves',
          at: marks.range,
        });
    }
    return proofs;
  }
}

const newScope = (environment: string, insideOf: string): Scope => ({
  environment,
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
  if (!statement) throw new Error('every statement that was read is finished');
  return { kind: 'statement', statement };
}

/** Contrary to its type, the parser names a formula's environment by a node. */
function nameOf({ env }: Environment): string {
  const name: unknown = env;
  if (typeof name === 'string') return name;
  return name && typeof name === 'object' && 'content' in name ? String(name.content) : '';
}

const conditional = (macro: string): number => (macro === 'fi' ? -1 : macro.startsWith('if') ? 1 : 0);

const skipStar = (text: string, at: number): number => (text[at] === '*' ? at + 1 : at);
