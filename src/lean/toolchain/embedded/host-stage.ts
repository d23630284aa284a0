import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../../core/folders.ts';
import type { BuildStage } from '../../../io/stage.ts';

/**
 * The worker program, copied from our sources as plain JavaScript, so that a worker needs to read only this folder.
 * In a clone, it also avoids stripping types in every thread at every start.
 */
const extension = path.extname(import.meta.url);
const sourceRoot = fileURLToPath(new URL('../../../', import.meta.url));
const programs = ['serve', 'guard', 'thread', 'snapshot', 'compile'] as const;

/** The file of a program in the folder of the stage. */
export function hostFile(folder: string, program: (typeof programs)[number]): string {
  return path.join(folder, path.relative(sourceRoot, sourceOf(program)).replace(/\.ts$/, '.js'));
}

export function hostStage(): BuildStage {
  const files = new Map<string, string>();
  for (const program of programs) collect(sourceOf(program), files);
  // a change to this file rebuilds the stage
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const [name, text] of files) hash.update(`${name}\n${text}\n`);
  return {
    name: 'host',
    key: hash.digest('hex'),
    async build(folder) {
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}\n');
      for (const [name, text] of files) {
        const file = path.join(folder, name.replace(/\.ts$/, '.js'));
        makeFolders(path.dirname(file), 0o700);
        await writeFile(file, extension === '.ts' ? toJavaScript(text) : text);
      }
    },
  };
}

const sourceOf = (program: string): string =>
  fileURLToPath(new URL(`./host/${program}${extension}`, import.meta.url));

/** Collects a file and its imports among our sources; keys are paths relative to the source folder. */
function collect(file: string, files: Map<string, string>): void {
  const name = path.relative(sourceRoot, file);
  if (files.has(name)) return;
  const text = readFileSync(file, 'utf8');
  files.set(name, text);
  for (const [, imported = ''] of text.matchAll(/^(?:import|export|\}) .*from '(\.[^']+)';$/gm))
    collect(path.resolve(path.dirname(file), imported), files);
}

function toJavaScript(text: string): string {
  const plain = withoutWarnings(() => stripTypeScriptTypes(text));
  return plain.replaceAll(/^((?:import|export|\}) .*from '\.[^']+)\.ts';$/gm, "$1.js';");
}

/** Suppresses Node's warning that the function is experimental; users cannot act on it. */
function withoutWarnings<Value>(work: () => Value): Value {
  const spoken = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    Object.defineProperty(process, 'emitWarning', spoken);
  }
}
