import { cpSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { sharedFolder, temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import type { Finished } from '../helpers/orch.ts';

/** A command of a document, its exit code (`# exit N`, otherwise 0), and the lines that its output must contain. */
interface Example {
  readonly args: readonly string[];
  readonly code: number;
  readonly quoted: string[];
}

interface Block {
  readonly isLong: boolean;
  readonly examples: readonly Example[];
}

/** Their examples are run by other tests: TypeScript, and the recorded tour. The others are tables. */
const exempt = new Set(['COMPATIBILITY', 'LIBRARY', 'TOUR', 'kernel-advisories']);

export const documents = [
  'README.md',
  ...readdirSync(path.join(packageRoot, 'docs'))
    .filter((file) => file.endsWith('.md') && !exempt.has(path.parse(file).name))
    .map((file) => `docs/${file}`),
].map((file) => ({ file, blocks: blocksOf(readFileSync(path.join(packageRoot, file), 'utf8')) }));

/**
 * Runs the examples of every document: fenced blocks marked `console`, in a folder with the files of docs/tour and examples/.
 * Blocks marked `console long` need Lean and run in the second tier only.
 */
export function testExamples(isLong: boolean): void {
  const beginnings = new Beginnings(sharedFolder());
  const due = documents.map(({ file, blocks }) => ({
    file,
    examples: blocks.filter((block) => isLong || !block.isLong).flatMap(({ examples }) => examples),
  }));
  test.each(due.filter(({ examples }) => examples.length > 0))(
    'the examples in $file print the documented output',
    async ({ examples }) => {
      const [first, ...others] = examples;
      if (first === undefined) return;
      const { folder, finished } = await beginnings.of(first.args);
      const cwd = temporaryFolder();
      cpSync(folder, cwd, { recursive: true });
      expectQuoted(first, finished);
      for (const example of others) expectQuoted(example, await orchHere(example.args, { cwd, env }));
    },
  );
}

const env = { ORCH_LEDGER: undefined, ORCH_CONFIG: undefined };

interface Beginning {
  readonly folder: string;
  readonly finished: Finished;
}

/** Several documents begin with the same command: it runs once, and each continues in a copy of its folder. */
class Beginnings {
  readonly #folder: string;
  readonly #all = new Map<string, Beginning>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(args: readonly string[]): Promise<Beginning> {
    const known = this.#all.get(args.join(' '));
    if (known) return known;
    const folder = path.join(this.#folder, String(this.#all.size));
    for (const place of ['', 'docs/tour'])
      cpSync(path.join(packageRoot, 'docs', 'tour'), path.join(folder, place), { recursive: true });
    cpSync(path.join(packageRoot, 'examples'), path.join(folder, 'examples'), { recursive: true });
    const made = { folder, finished: await orchHere(args, { cwd: folder, env }) };
    this.#all.set(args.join(' '), made);
    return made;
  }
}

function expectQuoted({ args, code, quoted }: Example, finished: Finished): void {
  const output = `${finished.stdout}${finished.stderr}`;
  expect([args, finished.code, output]).toEqual([args, code, output]);
  for (const line of quoted) expect(output).toContain(line);
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```console( long)?\n([\s\S]*?)^```$/gm)].map(([, long, body = '']) => ({
    isLong: long !== undefined,
    examples: examplesOf(body),
  }));
}

function examplesOf(body: string): Example[] {
  const examples: Example[] = [];
  for (const line of body.split('\n').filter((each) => each.trim() !== '')) {
    const command = /^\$ orch (.*?)(?:\s+# exit (\d))?$/.exec(line);
    if (command)
      examples.push({ args: wordsOf(command[1] ?? ''), code: Number(command[2] ?? 0), quoted: [] });
    else examples.at(-1)?.quoted.push(line.trim());
  }
  return examples;
}

/** Splits like a shell, as far as the documents need. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
