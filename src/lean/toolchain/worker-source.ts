import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../config/package.ts';

const importLine = /^import .*$/gm;

/**
 * lean/Worker.lean with its parts joined in the order of their imports. The embedded Lean cannot import modules of ours,
 * and a native one would have to build them first, so both get one text. It imports only what it needs of Lean: the
 * whole of it would cost each worker 80 MB.
 */
export function workerSource(): string {
  const text = moduleSource('Worker');
  const imports = [...new Set(text.match(importLine))].filter((line) => !line.startsWith('import Worker'));
  return `${imports.join('\n')}\n${text.replaceAll(importLine, '')}`;
}

/** A module of the worker with everything that it imports of it. */
export function moduleSource(module: string): string {
  const parts: string[] = [];
  collect(module, new Set(), parts);
  return parts.join('\n');
}

function collect(module: string, seen: Set<string>, parts: string[]): void {
  if (seen.has(module)) return;
  seen.add(module);
  const file = path.join(packageRoot, 'lean', `${module.replaceAll('.', '/')}.lean`);
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(/^import (Worker\.\S+)$/gm)) collect(match[1] ?? '', seen, parts);
  parts.push(text);
}
