import { identifierRest, identifierStart, writtenName } from './module-names.ts';
import { commentEnd } from './plain-code.ts';

/** One `import` of a header. */
interface Import {
  readonly module: string;
  /** `import all`: includes the module's private declarations. */
  readonly all: boolean;
  /** Importers of this file import that module too. */
  readonly public: boolean;
  /** Its code may run while this file is compiled. */
  readonly meta: boolean;
}

export interface Header {
  /** The file begins with `module`. */
  readonly isModule: boolean;
  /** Without `Init`, which is always imported. */
  readonly imports: readonly Import[];
}

/**
 * The imports of a text, parsed without Lean, to choose an image and find the project before Lean starts. A build compares them with what Lean reports (`compile.ts`) and uses Lean's answer. For headers without errors both agree; a header with errors compiles nowhere.
 */
export function readHeader(text: string): Header {
  const { isModule, imports } = everyImport(text);
  return { isModule, imports: imports.filter(({ module }) => module !== 'Init') };
}

/** Whether a text begins with `prelude` and does not import `Init`: its names need not be the library's. */
export function isWithoutLibrary(text: string): boolean {
  const { isPrelude, imports } = everyImport(text);
  return isPrelude && !imports.some(({ module }) => module === 'Init');
}

/** The same text with empty lines in place of its imports. */
export function withoutImports(text: string): string {
  const { from, to } = everyImport(text);
  return text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/g, '') + text.slice(to);
}

interface WholeHeader extends Header {
  readonly isPrelude: boolean;
  /** Where its imports begin and end, in a text whose lines end in `\n`. */
  readonly from: number;
  readonly to: number;
}

function everyImport(text: string): WholeHeader {
  const tokens = new Tokens(text);
  const isModule = tokens.take('module');
  const isPrelude = tokens.take('prelude');
  const imports: Import[] = [];
  const from = tokens.at;
  let to = from;
  for (;;) {
    const isPublic = tokens.take('public');
    const meta = tokens.take('meta');
    if (!tokens.take('import')) break;
    const all = tokens.take('all');
    const module = tokens.takeName();
    if (module === undefined) break;
    imports.push({ module, all, public: !isModule || isPublic, meta });
    to = tokens.at;
  }
  return { isModule, isPrelude, imports, from, to };
}

/** The words at the beginning of a text. A name that begins with a keyword, `import.A` or `imports`, is a name. */
class Tokens {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
    this.#skip();
  }

  /** The position of the next word. */
  get at(): number {
    return this.#at;
  }

  take(keyword: string): boolean {
    const name = nameAt(this.#text, this.#at);
    if (name?.written !== keyword) return false;
    this.#move(name.end);
    return true;
  }

  takeName(): string | undefined {
    const name = nameAt(this.#text, this.#at);
    if (!name) return undefined;
    this.#move(name.end);
    return writtenName(name.parts);
  }

  #move(to: number): void {
    this.#at = to;
    this.#skip();
  }

  /** Skips spaces, line ends and comments. Lean accepts no other white space, and a documentation comment is a token. */
  #skip(): void {
    for (;;) {
      const rest = this.#text.slice(this.#at, this.#at + 3);
      if (/^[ \n]/.test(rest)) this.#at++;
      else if (rest.startsWith('--')) this.#at = endOr(this.#text.indexOf('\n', this.#at), this.#text);
      else if (rest.startsWith('/-') && !/^\/-[-!]/.test(rest)) this.#at = commentEnd(this.#text, this.#at);
      else return;
    }
  }
}

function endOr(at: number, text: string): number {
  return at < 0 ? text.length : at;
}

interface NameAt {
  readonly parts: readonly string[];
  readonly written: string;
  readonly end: number;
}

const part = new RegExp(`«([^»]*)»|[${identifierStart}][${identifierRest}]*`, 'uy');

/** A name by Lean's rules: parts separated by dots, each a plain identifier or anything in `«…»`. */
function nameAt(text: string, at: number): NameAt | undefined {
  const parts: string[] = [];
  for (let end = at; ;) {
    part.lastIndex = end;
    const found = part.exec(text);
    // a dot that no part follows does not belong to the name
    if (!found)
      return parts.length === 0 ? undefined : { parts, written: text.slice(at, end - 1), end: end - 1 };
    parts.push(found[1] ?? found[0]);
    end = part.lastIndex;
    if (text[end] !== '.') return { parts, written: text.slice(at, end), end };
    end++;
  }
}

/** Whether two parsed headers have the same imports. */
export function isSameHeader(one: Header, other: Header): boolean {
  const key = ({ isModule, imports }: Header): string => {
    const rows = imports.map(({ module, all, public: isPublic, meta }) => [module, all, isPublic, meta]);
    return JSON.stringify([isModule, rows]);
  };
  return key(one) === key(other);
}
