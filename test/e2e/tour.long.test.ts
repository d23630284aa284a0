import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

/** A command of the page, the exit code that it says, and the lines that it quotes. */
interface Step {
  readonly args: readonly string[];
  readonly code: number;
  readonly quoted: string[];
}

test('every command in docs/TOUR.md does what the document says', { timeout: 600_000 }, async () => {
  const cwd = temporaryFolder();
  cpSync(path.join(packageRoot, 'docs', 'tour'), cwd, { recursive: true });
  const steps = stepsOf(readFileSync(path.join(packageRoot, 'docs', 'TOUR.md'), 'utf8'));
  expect(steps.length).toBeGreaterThan(8);
  for (const { args, code, quoted } of steps) {
    const result = await orch(args, { cwd });
    const told = `${result.stdout}${result.stderr}`;
    expect([args, result.code, told]).toEqual([args, code, told]);
    for (const line of quoted) expect(told).toContain(line);
  }
});

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  for (const line of text.split('\n').filter((each) => each.startsWith('    '))) {
    const command = /^ {4}\$ orch (.*?)(?:\s+# exit (\d))?$/.exec(line);
    if (command) steps.push({ args: wordsOf(command[1] ?? ''), code: Number(command[2] ?? 0), quoted: [] });
    else steps.at(-1)?.quoted.push(line.trim());
  }
  return steps;
}

/** Splits like a shell, as far as the page needs. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
