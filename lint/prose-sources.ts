import { parseSync, Visitor } from 'rolldown/utils';

/** Prose in a source file, with the line where it starts (from 1). */
export interface Passage {
  readonly line: number;
  readonly text: string;
}

/** Comments, and the strings that people read: all of them in programs, only the names of tests in tests. */
export function passagesOf(file: string, source: string): Passage[] {
  if (/\.tsx?$/.test(file)) return typescriptPassages(file, source);
  if (file.endsWith('.lean')) return leanPassages(source);
  if (file.endsWith('.sql')) return matches(source, /--(.*)/g);
  return [];
}

function typescriptPassages(file: string, source: string): Passage[] {
  const { program, comments } = parseSync(file, source);
  const passages = comments.map(({ value, start }) => ({ start, text: withoutStars(value) }));
  const isTest = file.startsWith('test/');
  const keys = new Set<number>();
  const add = (start: number, text: string): void => {
    if (isSentence(text) && !keys.has(start)) passages.push({ start, text });
  };
  new Visitor({
    Property: ({ key }) => {
      keys.add(key.start);
    },
    Literal: ({ value, start }) => {
      if (!isTest && typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, start }) => {
      if (!isTest) add(start, quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
    JSXText: ({ value, start }) => {
      add(start, value);
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = callee.type === 'CallExpression' ? callee.callee : callee;
      const isNamed = /^(?:test|describe|it)\b/.test(source.slice(name.start, name.end));
      if (isTest && isNamed && first?.type === 'Literal' && typeof first.value === 'string')
        add(first.start, first.value);
    },
  }).visit(program);
  return passages
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, text }) => ({ line: lineAt(source, start), text }));
}

/** A word alone is a name or a key; SQL and scripts are code. */
const isSentence = (text: string): boolean =>
  /[a-z]+[\s,;:…]+[a-z]+/i.test(text) &&
  !/\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|WHERE) |=>|\b__[a-z]/.test(text);

const withoutStars = (comment: string): string => comment.replaceAll(/^\s*\*+ ?/gm, '');

/** Comments and strings. Lean nests block comments; ours do not. */
function leanPassages(source: string): Passage[] {
  return matches(source, /--(.*)|\/-([\s\S]*?)-\/|"((?:[^"\\]|\\.)*)"/g).filter(({ text }) =>
    isSentence(text),
  );
}

function matches(source: string, pattern: RegExp): Passage[] {
  return [...source.matchAll(pattern)].map((match) => ({
    line: lineAt(source, match.index),
    text: match.slice(1).find((group) => group !== undefined) ?? '',
  }));
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;
