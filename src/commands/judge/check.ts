import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { glossary } from '../../config/glossary.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Assurance } from '../../shared/assurance.ts';
import type { Verdict, ReadWith } from '../../lean/gate/verdict.ts';
import type { LeanEnvironment } from '../../lean/project/environment.ts';
import type { FileClaim } from '../../lean/gate/gate.ts';
import { kernelNote } from '../../app/check/kernel-note.ts';
import { addProjectOptions, parseSeconds } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { readText } from '../../io/text-file.ts';
import { linesForPeople, escaped, jsonForLog } from '../../shared/for-people.ts';

interface CheckOptions {
  readonly stmt?: string;
  readonly proof?: string;
  readonly preamble?: string;
  readonly against?: string;
  readonly submission?: string;
  readonly target?: string;
  readonly config?: string;
  readonly changed?: true;
  readonly allowAxiom: string[];
  readonly timeout: number;
  readonly json?: true;
  readonly showStatement?: true;
  readonly secondKernel?: true;
  readonly useEmbedded?: true;
  readonly build?: true;
}

export function registerCheck(program: Command): void {
  addProjectOptions(program.command('check'))
    .description('Check a proof, or every theorem of a Lean file')
    .argument('[path]', 'a Lean file or a folder')
    .option('--stmt <text>', 'the statement: "theorem name binders : type"')
    .option('--proof <text>', 'the proof: "by …" or a term')
    .option('--against <file>', 'a reference file that states what FILE must prove')
    .option('--submission <file>', "with --target: SafeVerify's name for FILE")
    .option('--target <file>', "with --submission: SafeVerify's name for --against")
    .option('--config <file>', 'a comparator configuration file')
    .option('--changed', 'check files changed since the last commit against that commit; sorrys are allowed')
    .option('--preamble <file>', 'a Lean file to load before the statement')
    .option('--allow-axiom <name>', 'allow an axiom of the preamble (repeatable)', collect, [])
    .option('--timeout <seconds>', 'wall-clock limit, set-up excluded', parseSeconds, 30)
    .option('--second-kernel', 'also check with the second, independent kernel')
    .option('--json', 'print one JSON object per verdict')
    .option('--show-statement', 'with --stmt: also print the statement as Lean elaborated it')
    .action(async (file: string | undefined, options: CheckOptions) => {
      if (options.changed) process.exitCode = await changed(file, options);
      else if (options.config !== undefined) process.exitCode = await compare(options.config, file, options);
      else {
        const [candidate, ours] = inOurWords(file, options);
        const compiled = [candidate, ours.against].filter((one) => one?.endsWith('.olean'));
        process.exitCode =
          candidate !== undefined && ours.against !== undefined && compiled.length === 2
            ? await compareModules(candidate, ours.against, ours)
            : await check(candidate, ours);
      }
    });
}

async function changed(folder: string | undefined, options: CheckOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { checkChanged } = await import('../../app/check/changed.ts');
  const { timeout, json } = options;
  const settings = settingsFrom(settingFlags({ ...options }));
  return await checkChanged(folder ?? '.', settings, { timeout, json: json === true });
}

/** SafeVerify's names of the two options. */
function inOurWords(
  file: string | undefined,
  { submission, target, ...options }: CheckOptions,
): [string | undefined, CheckOptions] {
  if (submission === undefined && target === undefined) return [file, options];
  if (submission === undefined || target === undefined || file !== undefined || options.against !== undefined)
    throw new UserError(
      'check-usage',
      '--submission and --target must be used together, without another file',
    );
  return [submission, { ...options, against: target }];
}

/** SafeVerify's comparison of two compiled modules. Nothing is elaborated: their declarations are data for the judge. */
async function compareModules(submission: string, target: string, options: CheckOptions): Promise<ExitCode> {
  if (options.secondKernel)
    throw new UserError('check-usage', '--second-kernel checks sources, not compiled modules');
  const { openLean } = await import('../../app/lean.ts');
  const { judgedBy } = await import('../../lean/toolchain/toolchain.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { imageOf } = await import('../../lean/project/image-choice.ts');
  const { leanVersion } = await import('../../lean/toolchain/embedded/lean-package.ts');
  const { compareCompiled, readCompiledTree } = await import('../../lean/dialects/compiled.ts');
  const [stated, made] = [readCompiledTree(target, leanVersion), readCompiledTree(submission, leanVersion)];
  const settings = { ...settingsFrom(settingFlags({ ...options })), lean: 'embedded' as const };
  const image = imageOf([...stated.library, ...made.library]);
  await using lean = await openLean(settings, { image, slots: 1 });
  process.stderr.write(judgedBy(lean.pool.toolchain));
  const limits = { deadlineMs: options.timeout * 1000 };
  return tell(await compareCompiled(lean.gate, stated, made, options.allowAxiom, limits), options);
}

/** Reads comparator's configuration; the gate decides. */
async function compare(config: string, file: string | undefined, options: CheckOptions): Promise<ExitCode> {
  const { stmt, proof, preamble, against, submission, target } = options;
  if ([file, stmt, proof, preamble, against, submission, target].some((given) => given !== undefined))
    throw new UserError(
      'check-usage',
      '--config already names all files, so it cannot be combined with other inputs',
    );
  const { openLean } = await import('../../app/lean.ts');
  const { judgedBy } = await import('../../lean/toolchain/toolchain.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { asksForSecondKernel, extraAxioms, holesOf, readComparison, verdictsFor } =
    await import('../../lean/dialects/comparator.ts');
  const { environmentOfFile } = await import('../../lean/project/environment.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  const { writeWhole } = await import('../../io/whole-file.ts');
  const comparison = readComparison(config);
  const { challenge, solution, output } = comparison;
  const text = readText(solution);
  const settings = settingsFrom(settingFlags({ ...options }));
  await using lean = await openLean(settings, { image: imageOfFiles([solution, challenge]), slots: 1 });
  const claim = {
    text,
    file: solution,
    environment: environmentOfFile(solution, text),
    ...referenceAt(challenge, environmentOfFile),
    holes: holesOf(comparison.config),
    allowAxioms: [...extraAxioms(comparison.config), ...options.allowAxiom],
    secondKernel: asksForSecondKernel(comparison.config) ? ('asked' as const) : wishOf(options),
  };
  const judged = await lean.gate.judgeFile(claim, { deadlineMs: options.timeout * 1000 });
  const stated = new Set(judged.declared.there.flatMap(({ constants }) => constants));
  const verdicts = verdictsFor(comparison.config, judged.verdicts, stated);
  process.stderr.write(judgedBy(lean.pool.toolchain));
  if (output !== undefined) writeWhole(output, `${JSON.stringify(verdicts, null, 2)}\n`);
  return tell(verdicts, options);
}

const collect = (value: string, before: string[]): string[] => [...before, value];

async function check(file: string | undefined, options: CheckOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { judgedBy } = await import('../../lean/toolchain/toolchain.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { environmentOf, environmentOfFile, libraryOf } = await import('../../lean/project/environment.ts');
  const { imageOf } = await import('../../lean/project/image-choice.ts');
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    const { checkFiles } = await import('../../app/check/files.ts');
    const { allowAxiom, timeout, json = false } = options;
    const secondKernel = wishOf(options);
    return await checkFiles([file], settingsFrom(settingFlags({ ...options })), {
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
  const reference = options.against === undefined ? {} : referenceAt(options.against, environmentOfFile);
  const image = imageOf([environment, reference.againstIn ?? []].flat().flatMap(libraryOf));
  await using lean = await openLean(settingsFrom(settingFlags({ ...options })), {
    image,
    files: [file ?? [], options.against ?? []].flat(),
    slots: 1,
    quick: true,
  });
  const { gate } = lean;
  process.stderr.write(judgedBy(lean.pool.toolchain));
  if (job.kind === 'file') {
    const { annotate } = await import('../../app/check/annotations.ts');
    const judged = await gate.judgeFile(
      { ...job, ...reference, file, environment, allowAxioms, secondKernel: wishOf(options) },
      limits,
    );
    if (file !== undefined) annotate(file, judged);
    const code = tell(judged.verdicts, options);
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
  const code = tell([verdict], options, shown);
  await lean.prepareLaterStarts();
  return code;
}

function wishOf({ secondKernel }: CheckOptions): 'asked' | undefined {
  return secondKernel ? 'asked' : undefined;
}

function tell(verdicts: readonly Verdict[], { json }: CheckOptions, shown?: string): ExitCode {
  for (const verdict of verdicts) {
    const line = shown === undefined ? verdict : { ...verdict, statement: shown };
    process.stdout.write(json ? jsonForLog(line) : describe(verdict));
  }
  if (!json) process.stderr.write(legendOf(verdicts) + describeEnvironments(verdicts) + kernelNote(verdicts));
  return exitCode(verdicts);
}

type Job =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'claim'; readonly text: string; readonly statement: string; readonly proof: string };

function readJob(
  file: string | undefined,
  { stmt, proof, preamble, against, showStatement }: CheckOptions,
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
function referenceAt(
  file: string,
  environmentOfFile: (file: string, text: string) => LeanEnvironment,
): Pick<FileClaim, 'against' | 'againstIn'> {
  const against = readText(file);
  return { against, againstIn: environmentOfFile(file, against) };
}

/** Explanations of assurance levels. */
function legendOf(verdicts: readonly Verdict[]): string {
  const told = new Set(verdicts.flatMap(({ assurance }) => assurance ?? []));
  const words = glossary().filter(({ word }) => told.has(word as Assurance));
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
