import path from 'node:path';
import { openLean } from '../lean.ts';
import type { Settings } from '../../config/schema.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Verdict } from '../../lean/gate/verdict.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import type { JudgedFile } from '../../lean/gate/gate.ts';
import { imageOfFiles } from '../../lean/goals/files.ts';
import { filesOf } from '../../lean/goals/sources.ts';
import { Declarations } from '../../lean/project/declarations.ts';
import { judgedBy } from '../../lean/toolchain/toolchain.ts';
import { annotate, lineOf } from './annotations.ts';
import { kernelNote } from './kernel-note.ts';
import { readText } from '../../io/text-file.ts';
import { linesForPeople, escaped, jsonForLog } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

export interface FilesCheck {
  readonly allowAxioms: readonly string[];
  readonly timeout: number;
  readonly json: boolean;
  readonly secondKernel?: 'asked' | undefined;
}

/** Judge every theorem of every file, each in its own environment; one line per file, with its errors below. */
export async function checkFiles(
  paths: readonly string[],
  settings: Settings,
  options: FilesCheck,
): Promise<ExitCode> {
  const files = filesOf(paths).filter((file) => file.endsWith('.lean'));
  const all: Verdict[] = [];
  const declarations = new Declarations();
  await using lean = await openLean(settings, { image: imageOfFiles(files), files, slots: 1 });
  process.stderr.write(judgedBy(lean.pool.toolchain));
  for (const file of files) {
    const text = readText(file);
    const environment = environmentOfFile(file, text);
    const { allowAxioms, secondKernel } = options;
    const claim = { text, environment, allowAxioms, secondKernel };
    const judged = theoremsOf(await lean.gate.judgeFile(claim, { deadlineMs: options.timeout * 1000 }));
    const opened = await lean.pool.environments.open(environment);
    if (opened.ok) declarations.add(opened.value.modules);
    const { verdicts } = judged;
    all.push(...verdicts);
    const refused = verdicts.filter(({ verdict }) => verdict !== 'accepted');
    annotate(file, judged);
    for (const verdict of verdicts)
      if (options.json) process.stdout.write(jsonForLog({ file, line: lineOf(verdict, judged), ...verdict }));
    if (!options.json)
      process.stdout.write(
        `${summaryOf(file, verdicts)}\n${refused.map((one) => describe(one, declarations)).join('')}`,
      );
  }
  if (!options.json) {
    process.stdout.write(`${summaryOf(plural(files.length, 'file'), all)}\n`);
    process.stderr.write(kernelNote(all));
  }
  if (all.length === 0 || all.some(({ verdict }) => verdict === 'unknown')) return ExitCode.unknown;
  return all.every(({ verdict }) => verdict === 'accepted') ? ExitCode.done : ExitCode.notAll;
}

/** Some files only import or define: a file without theorems does not affect the verdict on the others. */
function theoremsOf(judged: JudgedFile): JudgedFile {
  if (!judged.verdicts.some(({ kind }) => kind === 'no-theorem')) return judged;
  return {
    ...judged,
    verdicts: judged.verdicts.filter(({ verdict, kind }) => verdict !== 'accepted' && kind !== 'no-theorem'),
  };
}

function summaryOf(what: string, verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return escaped`· ${what}  no theorem`;
  const count = (word: Verdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === word).length;
  const [accepted, rejected, unknown] = [count('accepted'), count('rejected'), count('unknown')];
  const mark = unknown > 0 ? '?' : rejected > 0 ? '✗' : '✓';
  const rest = [rejected > 0 ? `${rejected} rejected` : '', unknown > 0 ? `${unknown} unknown` : ''].filter(
    Boolean,
  );
  return escaped`${mark} ${what}  ${[`${accepted} accepted`, ...rest].join(', ')}`;
}

/** The error, and where its dependencies are in imported modules. */
function describe({ verdict, name, kind, message, assumes }: Verdict, declarations: Declarations): string {
  const places = assumes.flatMap((assumed) => {
    const place = declarations.find(assumed);
    return place ? [escaped`        ${assumed}: ${path.relative('.', place.file)}:${place.start[0]}\n`] : [];
  });
  const mark = verdict === 'unknown' ? '?' : '✗';
  return `    ${mark} ${escaped`${name ?? ''}  ${kind}`}: ${linesForPeople(message)}\n${places.join('')}`;
}
