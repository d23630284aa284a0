import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from './package.ts';

/** A word of the glossary and what it means here. */
export interface Word {
  readonly word: string;
  readonly means: string;
}

/** docs/GLOSSARY.md is the only place that says what words mean; `orch explain` and the page's hints read it. */
export function glossary(): Word[] {
  const text = readFileSync(path.join(packageRoot, 'docs', 'GLOSSARY.md'), 'utf8');
  return [...text.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, word = '', means = '']) => ({ word, means: means.replaceAll('`', '') }))
    .filter(({ word }) => word !== 'term');
}
