import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/LIBRARY.md', import.meta.url));
const source = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

export interface Example {
  /** A program, which imports the sources instead of the installed package. */
  readonly code: string;
  /** The output that the document quotes. */
  readonly prints: string;
}

/** The programs of docs/LIBRARY.md. */
export function examplesOfPage(): Example[] {
  const blocks = /```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g;
  return [...readFileSync(page, 'utf8').matchAll(blocks)].map(([, code = '', prints = '']) => ({
    code: code.replace("from 'orch'", `from ${JSON.stringify(source)}`),
    prints,
  }));
}
