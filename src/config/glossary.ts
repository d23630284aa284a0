import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from './package.ts';

/** A glossary term and its definition. */
export interface Word {
  readonly word: string;
  readonly means: string;
}

/** docs/GLOSSARY.md is the only place with definitions; `orch explain` and the dashboard's hints read it. */
export function glossary(): Word[] {
  const text = readFileSync(path.join(packageRoot, 'docs', 'GLOSSARY.md'), 'utf8');
  return [...text.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, word = '', means = '']) => ({ word, means: means.replaceAll('`', '') }))
    .filter(({ word }) => word !== 'term');
}
