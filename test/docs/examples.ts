import { cpSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

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

/** Their examples are run by other tests: TypeScript, and the recorded tour. The advisories are a table. */
const exempt = new Set(['LIBRARY', 'TOUR', 'kernel-advisories']);

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
  const due = documents.map(({ file, blocks }) => ({
    file,
    examples: blocks.filter((block) => isLong || !block.isLong).flatMap(({ examples }) => examples),
  }));
  test.each(due.filter(({ examples }) => examples.length > 0))(
    'the examples of $file print what it says',
    async ({ examples }) => {
      const cwd = temporaryFolder();
      for (const folder of ['', 'docs/tour'])
        cpSync(path.join(packageRoot, 'docs', 'tour'), path.join(cwd, folder), { recursive: true });
      cpSync(path.join(packageRoot, 'examples'), path.join(cwd, 'examples'), { recursive: true });
      for (const { args, code, quoted } of examples) {
        const result = await orch(args, { cwd, env: { ORCH_LEDGER: undefined, ORCH_CONFIG: undefined } });
        const output = `${result.stdout}${result.stderr}`;
        expect([args, result.code, output]).toEqual([args, code, output]);
        for (const line of quoted) expect(output).toContain(line);
      }
    },
  );
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

/** Splits as a shell does, as far as the documents need. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
