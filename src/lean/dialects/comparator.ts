import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { UserError, messageOf } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { countsAsSolved } from '../../shared/assurance.ts';
import type { Verdict } from '../gate/verdict.ts';
import { findProject } from '../project/project.ts';

/** comparator's config: a solution module must prove what a challenge module states. */
const Config = z.object({
  challenge_module: z.string().min(1),
  solution_module: z.string().min(1),
  theorem_names: z.array(z.string().min(1)).min(1),
  /** Definitions of the challenge whose value the solution supplies. */
  definition_names: z.array(z.string().min(1)).default([]),
  permitted_axioms: z.array(z.string()),
  enable_nanoda: z.boolean().default(false),
  external_kernels: z.record(z.string(), z.array(z.string()).min(1)).default({}),
  json_output_path: z.string().nullish(),
});
export type ComparatorConfig = z.infer<typeof Config>;

export interface ComparatorResult {
  readonly config: ComparatorConfig;
  /** Files of the two modules. */
  readonly challenge: string;
  readonly solution: string;
  readonly output: string | undefined;
}

/** Modules are found in the project that contains the config. */
export function readComparison(file: string): ComparatorResult {
  let body: unknown;
  try {
    body = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError('bad-config', `cannot read ${file}: ${messageOf(error)}`);
  }
  const parsed = Config.safeParse(body);
  if (!parsed.success) throw new UserError('bad-config', `${file}: ${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  const folder = path.dirname(path.resolve(file));
  const project = findProject(folder);
  const fileOf = (module: string): string => {
    const found = project.find(module);
    if (!found) throw new UserError('no-module', `${file}: ${project.folder} has no module ${module}`);
    return found.file;
  };
  return {
    config,
    challenge: fileOf(config.challenge_module),
    solution: fileOf(config.solution_module),
    output: config.json_output_path ? outputOf(file, folder, config.json_output_path) : undefined,
  };
}

/** A repository can bring the config along, so it writes nowhere else. */
function outputOf(file: string, folder: string, name: string): string {
  const output = path.resolve(folder, name);
  if (isInside(path.dirname(output), folder)) return output;
  throw new UserError(
    'bad-config',
    `${file}: json_output_path is outside the folder ${folder}`,
    'Use --json and redirect the output.',
  );
}

/** No command of a config is ever run. Ours takes the place of nanoda: both are kernels independent of Lean's. */
type ExternalKernel = 'ours' | 'nanoda' | 'foreign';

function kernelOf(command: readonly string[]): ExternalKernel {
  const [program = '', word] = command.slice(-2);
  if (/^orch(?:\.js)?$/.test(path.basename(program)) && word === 'kernel') return 'ours';
  return command.length === 1 && path.basename(program) === 'nanoda_bin' ? 'nanoda' : 'foreign';
}

function kernelsOf({ external_kernels, enable_nanoda }: ComparatorConfig): Map<string, ExternalKernel> {
  const named = Object.entries(external_kernels).map(([name, command]) => [name, kernelOf(command)] as const);
  return new Map([...(enable_nanoda ? [['nanoda', 'nanoda'] as const] : []), ...named]);
}

/** Whether the config asks for a kernel that our second kernel is or replaces. */
export function asksForSecondKernel(config: ComparatorConfig): boolean {
  return kernelsOf(config)
    .values()
    .some((kernel) => kernel !== 'foreign');
}

/** The entries of the config for which our second kernel is used instead. */
export function replacedKernels(config: ComparatorConfig): string[] {
  return [...kernelsOf(config)].flatMap(([name, kernel]) => (kernel === 'nanoda' ? name : []));
}

/** Axioms that the gate allows by default. */
const standard: ReadonlySet<string> = new Set(['propext', 'Classical.choice', 'Quot.sound']);

export function extraAxioms({ permitted_axioms }: ComparatorConfig): string[] {
  return permitted_axioms.filter((name) => !standard.has(name));
}

/** What the solution may replace: the body of a definition, the proof of a theorem. */
export function holesOf({ theorem_names, definition_names }: ComparatorConfig): string[] {
  return [...definition_names, ...theorem_names];
}

/**
 * The gate's verdicts for the config: only for the named theorems and definitions, with no axiom beyond the permitted ones. Names
 * that the challenge does not declare and requests for another kernel are unknown.
 */
export function verdictsFor(
  config: ComparatorConfig,
  judged: readonly Verdict[],
  declared: ReadonlySet<string> = new Set(),
): Verdict[] {
  const [any] = judged;
  // a file that could not be judged has one verdict without a name
  const ofFile = judged.filter(({ name, verdict }) => name === undefined && verdict !== 'accepted');
  if (!any || judged.every(({ name }) => name === undefined)) return [...ofFile];
  const verdictOn = (word: string, name: string, isStated: (verdict: Verdict) => boolean): Verdict => {
    const found = judged.find((verdict) => verdict.name === name);
    if (!found) return notStated(config, word, { ...any, name });
    if (found.verdict !== 'accepted') return found;
    return isStated(found) ? permitted(config, found) : notStated(config, word, found);
  };
  // what the solution declares beyond the challenge answers nothing
  const theorems = config.theorem_names.map((name) => verdictOn('theorem', name, countsAsSolved));
  const definitions = config.definition_names.map((name) =>
    verdictOn('definition', name, ({ kind }) => kind === 'defined' && declared.has(name)),
  );
  // a rejected theorem decides, whatever is known about the definitions
  const isDecided = theorems.some(({ verdict }) => verdict === 'rejected');
  return [...theorems, ...definitions.filter(({ verdict }) => !isDecided || verdict !== 'unknown')];
}

/** An accepted verdict, unless the config permits too little or asks for too much. */
function permitted(config: ComparatorConfig, found: Verdict): Verdict {
  const notPermitted = found.axioms.filter((axiom) => !config.permitted_axioms.includes(axiom));
  if (notPermitted.length > 0)
    return {
      ...found,
      verdict: 'rejected',
      kind: 'axiom',
      assurance: null,
      message: `it depends on ${notPermitted.join(', ')}, which the config does not permit`,
    };
  const [foreign] = [...kernelsOf(config)].find(([, kernel]) => kernel === 'foreign') ?? [];
  if (foreign !== undefined)
    return doubt(found, 'second-kernel', `the config asks for ${foreign}, which orch does not run`);
  if (!asksForSecondKernel(config)) return found;
  // a definition is checked with the theorems that use it
  if (found.kind === 'defined') return found;
  if (found.assurance !== 'second-kernel') return doubt(found, 'second-kernel', found.message);
  const replaced = replacedKernels(config);
  return replaced.length === 0
    ? found
    : {
        ...found,
        message: `${found.message}; orch's second kernel was used instead of ${replaced.join(', ')}`,
      };
}

function notStated({ challenge_module }: ComparatorConfig, word: string, verdict: Verdict): Verdict {
  return doubt(verdict, 'no-theorem', `${challenge_module} states no ${word} ${verdict.name}`);
}

function doubt(verdict: Verdict, kind: string, message: string): Verdict {
  return { ...verdict, verdict: 'unknown', kind, message, assurance: null };
}
