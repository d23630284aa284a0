import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildStage } from '../../../io/stage.ts';

/**
 * The program of a worker, copied out of our own code as plain JavaScript. A worker may then read this folder and nothing else
 * of ours. A clone's workers start as quickly as a package's, which would otherwise remove the types of every file each
 * time, in every thread.
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
  // a change in how the files are made rebuilds them
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const [name, text] of files) hash.update(`${name}\n${text}\n`);
  return {
    name: 'host',
    key: hash.digest('hex'),
    async build(folder) {
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}\n');
      for (const [name, text] of files) {
        const file = path.join(folder, name.replace(/\.ts$/, '.js'));
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, extension === '.ts' ? toJavaScript(text) : text);
      }
    },
  };
}

const sourceOf = (program: string): string =>
  fileURLToPath(new URL(`./host/${program}${extension}`, import.meta.url));

/** A file and all that it imports of ours; the keys are paths below the source folder. */
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

/** Node warns that its function may change: nothing that a user could act on. */
function withoutWarnings<Value>(work: () => Value): Value {
  const spoken = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    Object.defineProperty(process, 'emitWarning', spoken);
  }
}
