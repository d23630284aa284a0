import { openLean } from '../app/lean.ts';
import type { Settings } from '../config/schema.ts';
import { ExitCode } from '../core/exit.ts';
import type { Verdict } from '../core/verdict.ts';
import { environmentOfFile } from '../lean/environment.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { annotate, lineOf } from './check-annotations.ts';
import { readText } from './options.ts';

export interface FilesCheck {
  readonly allowAxioms: readonly string[];
  readonly timeout: number;
  readonly json: boolean;
}

/** Judge every theorem of every file, each in its own environment; a line a file, and what is wrong below it. */
export async function checkFiles(
  paths: readonly string[],
  settings: Settings,
  options: FilesCheck,
): Promise<ExitCode> {
  const files = filesOf(paths).filter((file) => file.endsWith('.lean'));
  const all: Verdict[] = [];
  await using lean = await openLean(settings, { image: imageOfFiles(files), files, slots: 1 });
  for (const file of files) {
    const text = readText(file);
    const claim = { text, environment: environmentOfFile(file, text), allowAxioms: options.allowAxioms };
    const judged = await lean.gate.judgeFile(claim, { deadlineMs: options.timeout * 1000 });
    const { verdicts } = judged;
    all.push(...verdicts);
    const refused = verdicts.filter(({ verdict }) => verdict !== 'accepted');
    annotate(file, judged);
    for (const verdict of verdicts)
      if (options.json)
        process.stdout.write(`${JSON.stringify({ file, line: lineOf(verdict, judged), ...verdict })}\n`);
    if (!options.json)
      process.stdout.write(`${summaryOf(file, verdicts)}\n${refused.map(describe).join('')}`);
  }
  if (!options.json) process.stdout.write(`${summaryOf(`${files.length} files`, all)}\n`);
  if (all.some(({ verdict }) => verdict === 'unknown')) return ExitCode.unknown;
  return all.every(({ verdict }) => verdict === 'accepted') ? ExitCode.done : ExitCode.notAll;
}

function summaryOf(what: string, verdicts: readonly Verdict[]): string {
  const count = (word: Verdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === word).length;
  const [accepted, rejected, unknown] = [count('accepted'), count('rejected'), count('unknown')];
  const mark = unknown > 0 ? '?' : rejected > 0 ? '✗' : '✓';
  const rest = [rejected > 0 ? `${rejected} rejected` : '', unknown > 0 ? `${unknown} unknown` : ''].filter(
    Boolean,
  );
  return `${mark} ${what}  ${[`${accepted} accepted`, ...rest].join(', ')}`;
}

function describe({ verdict, name, kind, message }: Verdict): string {
  return `    ${verdict === 'unknown' ? '?' : '✗'} ${name ?? ''}  ${kind}: ${message}\n`;
}
