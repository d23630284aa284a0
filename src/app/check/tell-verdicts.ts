import { glossary } from '../../config/glossary.ts';
import { ExitCode } from '../../core/exit.ts';
import type { ReadWith, Verdict } from '../../lean/gate/verdict.ts';
import { escaped, jsonForLog, linesForPeople } from '../../shared/for-people.ts';
import { kernelNote } from './kernel-note.ts';

/** Prints verdicts, and what their words mean. */
export function tellVerdicts(
  verdicts: readonly Verdict[],
  { json = false }: { readonly json?: boolean },
  shown?: string,
): ExitCode {
  for (const verdict of verdicts) {
    const line = shown === undefined ? verdict : { ...verdict, statement: shown };
    process.stdout.write(json ? jsonForLog(line) : describe(verdict));
  }
  if (!json) process.stderr.write(legendOf(verdicts) + describeEnvironments(verdicts) + kernelNote(verdicts));
  return exitCode(verdicts);
}

/** Explanations of assurance levels. */
function legendOf(verdicts: readonly Verdict[]): string {
  const told: ReadonlySet<string> = new Set(verdicts.flatMap(({ assurance }) => assurance ?? []));
  const words = glossary().filter(({ word }) => told.has(word));
  return words.map(({ word, means }) => `  ${word}: ${means}\n`).join('');
}

function describe(verdict: Verdict): string {
  const mark = { accepted: '✓', rejected: '✗', unknown: '?' }[verdict.verdict];
  const name = verdict.name === undefined ? '' : escaped` ${verdict.name}`;
  const details =
    verdict.assurance === null ? `${verdict.kind}: ${linesForPeople(verdict.message)}` : grounds(verdict);
  return `${mark} ${verdict.verdict}${name}  ${details}\n`;
}

/** The environments of the file and its reference. */
function describeEnvironments([first]: readonly Verdict[]): string {
  if (!first?.environments) return '';
  const { candidate, reference } = first.environments;
  return `  file: ${describeReading(candidate)}\n  reference: ${describeReading(reference)}\n`;
}

function describeReading({ project, imports, options }: ReadWith): string {
  const where = project === null ? "Lean's library alone" : `the project ${project}`;
  const set = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return [
    where,
    ...(imports.length > 0 ? [`imports ${imports.join(', ')}`] : []),
    ...(set.length > 0 ? [`options ${set.join(', ')}`] : []),
  ].join('; ');
}

const list = (word: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [escaped`${word} ${names.join(', ')}`];

/** The assurance, and the axioms used. */
function grounds({ assurance, axioms, assumes, bound }: Verdict): string {
  const parts = [
    axioms.length === 0 ? ['no axioms beyond the library’s'] : list('axioms', axioms),
    list('assumes', assumes),
    list('variables by Lean’s rule:', bound),
  ];
  return [assurance, ...parts.flat()].join('; ');
}

/** Unknown outweighs rejected: it allows no conclusion, and neither does the absence of a verdict. */
function exitCode(verdicts: readonly Verdict[]): ExitCode {
  if (verdicts.length === 0 || verdicts.some(({ verdict }) => verdict === 'unknown')) return ExitCode.unknown;
  if (verdicts.some(({ verdict }) => verdict === 'rejected')) return ExitCode.notAll;
  return ExitCode.done;
}
