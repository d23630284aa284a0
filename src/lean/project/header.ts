/** One `import` of a header. */
interface Import {
  readonly module: string;
  /** `import all`: with what the module keeps to itself. */
  readonly all: boolean;
  /** Whoever imports this file imports that module too. */
  readonly public: boolean;
  /** Its code may run while this file is compiled. */
  readonly meta: boolean;
}

export interface Header {
  /** The file begins with `module`. */
  readonly isModule: boolean;
  /** As written, without `Init`, which is always there. */
  readonly imports: readonly Import[];
}

const word = /^(?:module|prelude)(?![\w.!?'«])/;
const importLine = /^((?:(?:public|meta)\s+)*)import\s+(?:(all)\s+)?((?:«[^»]*»|[^\s«»])+)/;

/**
 * What a text imports. Imports stand at its beginning, after nothing but comments, `module` and `prelude`, so this little of
 * Lean's grammar is enough, and a project of thousands of files is read without starting Lean. Where Lean should see
 * something else there, it says so when it compiles the file.
 */
export function readHeader(text: string): Header {
  const imports: Import[] = [];
  let isModule = false;
  let rest = text.replace('\uFEFF', '');
  for (;;) {
    rest = withoutLeadingComments(rest);
    const keyword = word.exec(rest)?.[0];
    const found = keyword === undefined ? importLine.exec(rest) : null;
    if (keyword === undefined && !found) return { isModule, imports };
    if (keyword === 'module') isModule = true;
    if (found) {
      const [, modifiers = '', all, module = ''] = found;
      imports.push({
        module,
        all: all !== undefined,
        public: !isModule || modifiers.includes('public'),
        meta: modifiers.includes('meta'),
      });
    }
    rest = rest.slice((keyword ?? found?.[0] ?? '').length);
  }
}

function withoutLeadingComments(text: string): string {
  for (let rest = text; ;) {
    rest = rest.trimStart();
    if (rest.startsWith('--')) rest = rest.slice(lineLength(rest));
    else if (rest.startsWith('/-') && !/^\/-[-!]/.test(rest)) rest = rest.slice(commentLength(rest));
    else return rest;
  }
}

function lineLength(text: string): number {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
}

/** Block comments nest. */
function commentLength(text: string): number {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\/-|-\//g)) {
    depth += mark === '/-' ? 1 : -1;
    if (depth === 0) return index + mark.length;
  }
  return text.length;
}
