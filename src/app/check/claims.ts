import { statSync } from 'node:fs';
import type { Settings } from '../../config/schema.ts';
import { UserError } from '../../core/errors.ts';
import type { ExitCode } from '../../core/exit.ts';
import { readText } from '../../io/text-file.ts';
import type { FileClaim } from '../../lean/gate/gate.ts';
import { environmentOf, environmentOfFile, libraryOf } from '../../lean/project/environment.ts';
import { imageOf } from '../../lean/project/image-choice.ts';
import { judgedBy } from '../../lean/toolchain/toolchain.ts';
import { linesForPeople } from '../../shared/for-people.ts';
import { openLean } from '../lean.ts';
import { annotate } from './annotations.ts';
import { checkFiles } from './files.ts';
import { tellVerdicts } from './tell-verdicts.ts';

export interface CheckFlags {
  readonly stmt?: string;
  readonly proof?: string;
  readonly preamble?: string;
  readonly against?: string;
  readonly allowAxiom: string[];
  readonly timeout: number;
  readonly json?: true;
  readonly showStatement?: true;
  readonly secondKernel?: true;
}

/** Judges a file, a folder of files, or one statement with its proof. */
export async function checkClaims(
  file: string | undefined,
  settings: Settings,
  options: CheckFlags,
): Promise<ExitCode> {
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    const { allowAxiom, timeout, json = false } = options;
    const secondKernel = wishOf(options);
    return await checkFiles([file], settings, {
      allowAxioms: allowAxiom,
      timeout,
      json,
      secondKernel,
    });
  }
  const job = readJob(file, options);
  const limits = { deadlineMs: options.timeout * 1000 };
  const allowAxioms = options.allowAxiom;
  const environment = file === undefined ? environmentOf(job.text) : environmentOfFile(file, job.text);
  const reference = options.against === undefined ? {} : referenceAt(options.against);
  const image = imageOf([environment, reference.againstIn ?? []].flat().flatMap(libraryOf));
  await using lean = await openLean(settings, {
    image,
    files: [file ?? [], options.against ?? []].flat(),
    slots: 1,
    quick: true,
  });
  const { gate } = lean;
  process.stderr.write(judgedBy(lean.pool.toolchain));
  if (job.kind === 'file') {
    const judged = await gate.judgeFile(
      { ...job, ...reference, file, environment, allowAxioms, secondKernel: wishOf(options) },
      limits,
    );
    if (file !== undefined) annotate(file, judged);
    const code = tellVerdicts(judged.verdicts, options);
    await lean.prepareLaterStarts();
    return code;
  }
  const { statement, text: preamble } = job;
  const verdict = await gate.check(
    { ...job, preamble, environment, allowAxioms, secondKernel: wishOf(options) },
    limits,
  );
  const shown = options.showStatement
    ? await gate.show({ preamble, environment, statement }, limits)
    : undefined;
  if (shown !== undefined && !options.json) process.stdout.write(`${linesForPeople(shown)}\n`);
  const code = tellVerdicts([verdict], options, shown);
  await lean.prepareLaterStarts();
  return code;
}

export function wishOf({ secondKernel }: CheckFlags): 'asked' | undefined {
  return secondKernel ? 'asked' : undefined;
}

type Job =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'claim'; readonly text: string; readonly statement: string; readonly proof: string };

function readJob(
  file: string | undefined,
  { stmt, proof, preamble, against, showStatement }: CheckFlags,
): Job {
  if (showStatement && stmt === undefined)
    throw new UserError(
      'check-usage',
      '--show-statement needs --stmt',
      'In a file, add `#check @NAME` to see what a theorem states.',
    );
  const wantsClaim = stmt !== undefined || proof !== undefined || preamble !== undefined;
  if (file !== undefined && !wantsClaim) return { kind: 'file', text: readText(file) };
  if (file === undefined && stmt !== undefined && proof !== undefined && against === undefined)
    return { kind: 'claim', statement: stmt, proof, text: preamble === undefined ? '' : readText(preamble) };
  throw new UserError(
    'check-usage',
    'check needs a Lean file (optionally with --against), or both --stmt and --proof (with --preamble)',
    'For example: orch check --stmt "theorem t (a b : Nat) : a + b = b + a" --proof "by omega"',
  );
}

/** A reference is read with its own path's imports and options. */
export function referenceAt(file: string): Pick<FileClaim, 'against' | 'againstIn'> {
  const against = readText(file);
  return { against, againstIn: environmentOfFile(file, against) };
}
