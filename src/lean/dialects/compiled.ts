import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { fileOf, isLibraryModule } from '../base/module-names.ts';
import { parseName, type Name } from '../base/names.ts';
import type { Gate } from '../gate/gate.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { OleanError } from './olean.ts';
import {
  OleanExport,
  oleanKey,
  readOleanModule,
  type OleanModule,
  type OleanConstant,
} from './olean-export.ts';

/** A compiled module, and all modules below it that are not of Lean's library. */
export interface CompiledTree {
  readonly own: OleanModule;
  readonly constants: ReadonlyMap<string, OleanConstant>;
  /** The modules of Lean's library that they import. */
  readonly library: readonly string[];
}

/** Bytes of a module and its imports together. */
const mostBytes = 512 << 20;

/** Reads a compiled module for a judge of this version of Lean. */
export function readCompiledTree(file: string, version: string): CompiledTree {
  const below = new Map<string, OleanModule>();
  let room = mostBytes;
  const read = (one: string): OleanModule => {
    const parts = [one, `${one}.server`, `${one}.private`].filter((part) => existsSync(part));
    if (!parts.every((part) => statSync(part).isFile())) throw broken(one, 'not a file');
    room -= parts.reduce((sum, part) => sum + statSync(part).size, 0);
    if (room < 0) throw broken(file, `with its imports it is larger than ${mostBytes} bytes`);
    return moduleAt(one, parts, version);
  };
  const own = read(file);
  const imports = own.imports.map((module) => ({ module, from: file }));
  const library = new Set<string>();
  for (const { module, from } of imports) {
    if (isLibraryModule(module)) library.add(module);
    if (isLibraryModule(module) || below.has(module)) continue;
    const found = fileBeside(from, module);
    if (found === undefined) throw broken(from, `there is no compiled module ${module} beside it`);
    const one = read(found);
    below.set(module, one);
    imports.push(...one.imports.map((next) => ({ module: next, from: found })));
  }
  const constants = new Map([...below.values(), own].flatMap((one) => [...one.constants]));
  return { own, constants, library: [...library] };
}

function moduleAt(file: string, parts: readonly string[], version: string): OleanModule {
  const module = orBroken(file, () => readOleanModule(parts.map((part) => readFileSync(part))));
  if (module.lean.replace(/-.*/, '') === version) return module;
  throw broken(file, `Lean ${module.lean} compiled it, and the judge is Lean ${version}`);
}

function orBroken<Made>(file: string, run: () => Made): Made {
  try {
    return run();
  } catch (error) {
    // beside the reader's own errors: text that is not UTF-8, sizes beyond the end of the file
    if (error instanceof OleanError || error instanceof TypeError || error instanceof RangeError)
      throw broken(file, error.message);
    throw error;
  }
}

function broken(file: string, why: string): UserError {
  return new UserError('bad-olean', `${file}: ${why}`, 'Name the .lean files, which orch compiles itself.');
}

/** A module is in a folder above the file, below the current folder. */
function fileBeside(file: string, module: string): string | undefined {
  let folder = path.dirname(path.resolve(file));
  do {
    const found = path.join(folder, fileOf(module, '.olean'));
    if (existsSync(found)) return found;
    folder = path.dirname(folder);
  } while (isInside(folder, process.cwd()));
  return undefined;
}

/**
 * SafeVerify's comparison: the submission must have every declaration of the target with the same kind, universe parameters and type,
 * and the same value unless it is a proof or the target leaves it as `sorry`. The judge's kernel checks everything again.
 */
export async function compareCompiled(
  gate: Gate,
  target: CompiledTree,
  submission: CompiledTree,
  allowAxioms: readonly string[],
  limits: RequestLimits,
): Promise<Verdict[]> {
  const [stated, made] = [new OleanExport(target.constants), new OleanExport(submission.constants)];
  const submitted = [...submission.own.constants.values()];
  const isSubmitted = ({ name }: OleanConstant): boolean => submission.own.constants.has(oleanKey(name));
  const named = [...target.own.constants.values()].filter((one) => isNamed(one));
  if (named.length === 0) throw new UserError('bad-olean', 'the target declares nothing that must be proved');
  const isLeftOpen = (one: OleanConstant): boolean => orBroken('the target', () => isOpen(stated, one));
  const isAsked = (one: OleanConstant): boolean => isSubmitted(one) || !isDerived(one) || isLeftOpen(one);
  const theorems = named.filter((one) => one.kind === 'theorem' && isAsked(one));
  const others = named.filter(({ kind }) => kind !== 'theorem');
  const holes = [...theorems, ...others.filter(isLeftOpen)].map(({ name }) => name);
  const statement = orBroken('the target', () => {
    for (const one of others) stated.declare(one);
    const statements = theorems.map((one) => stated.statement(one));
    return stated.data({ statements, definitions: others.map(({ name }) => stated.name(name)) });
  });
  const answers = submitted.filter(({ isUnsafe }) => !isUnsafe);
  const candidate = orBroken('the submission', () => {
    for (const one of answers) made.declare(one);
    const listed = answers.filter((one) => isNamed(one) && listedKinds.has(one.kind));
    return made.data({ theorems: listed.map(({ name }) => made.name(name)) });
  });
  const question = { statement: JSON.stringify(statement), candidate, holes, allowAxioms };
  const judged = await gate.judgeModules(question, limits);
  const [any] = judged;
  // the modules as a whole were not judged
  if (any?.name === undefined) return judged;
  const asked = new Set(named.map(({ name }) => oleanKey(name)));
  const reject = (name: Name, kind: string, message: string): Verdict => {
    const shown = name.join('.');
    return {
      ...any,
      name: shown,
      verdict: 'rejected',
      kind,
      message,
      assurance: null,
      axioms: [],
      assumes: [],
    };
  };
  const missing = others.flatMap((one) =>
    isSubmitted(one) ? [] : [reject(one.name, 'statement-changed', 'the definition is missing')],
  );
  const changed = submitted.flatMap(({ name }) => {
    const [before, now] = [flagsOf(target.own, name), flagsOf(submission.own, name)];
    if (asked.has(oleanKey(name)) && before !== now)
      return [
        reject(name, 'statement-changed', `it is ${now || 'plain'}; in the target ${before || 'plain'}`),
      ];
    const isHidden = name.at(-1) === '_unsafe_rec';
    return /unsafe|partial/.test(now) && before !== now && !isHidden
      ? [reject(name, 'unsafe', `it is ${now}`)]
      : [];
  });
  const verdicts = judged.map((verdict) => ({ verdict, key: oleanKey(parseName(verdict.name ?? '') ?? []) }));
  // what the submission declares beyond the target counts if no kernel accepts it
  const told = verdicts.filter(
    ({ verdict, key }, index) => index < theorems.length || asked.has(key) || verdict.kind === 'kernel',
  );
  const answered = new Set(verdicts.map(({ key }) => key));
  const lost = others.flatMap((one): Verdict[] => {
    const isLost = listedKinds.has(one.kind) && isSubmitted(one) && !answered.has(oleanKey(one.name));
    return isLost
      ? [{ ...reject(one.name, 'unaccounted', 'the judge did not see it'), verdict: 'unknown' }]
      : [];
  });
  return [...missing, ...changed, ...lost, ...told.map(({ verdict }) => unlessLacking(verdict))];
}

const listedKinds: ReadonlySet<string> = new Set(['theorem', 'definition', 'opaque']);

/** Someone wrote its name: Lean gives its own declarations parts that begin with `_`, numbers, or `match_1`. */
function isNamed({ name, kind, isUnsafe }: OleanConstant): boolean {
  const isInternal = name.some(
    (part) => typeof part === 'number' || /^(?:_|(?:match|proof|omega)_\d)/.test(part),
  );
  return !isInternal && !isUnsafe && kind !== 'recursor';
}

/** A lemma that Lean derives from a definition where it is first used. */
function isDerived({ name }: OleanConstant): boolean {
  const last = String(name.at(-1));
  return /^(?:eq_(?:\d+|def|unfold)|congr_simp|h?congr_\d+|(?:mutual_)?(?:induct|fun_cases)(?:_unfolding)?)$/.test(
    last,
  );
}

/** Whether the target leaves a definition as `sorry`, there or in a part that Lean has split off. */
function isOpen(target: OleanExport, constant: OleanConstant): boolean {
  const parts = new Set([constant]);
  for (const part of parts) {
    if (target.names(part, ['sorryAx'])) return true;
    for (const used of target.uses(part)) if (!isNamed(used)) parts.add(used);
  }
  return false;
}

/** What makes a declaration run otherwise than the kernel computes. */
function flagsOf({ constants, replaced }: OleanModule, name: Name): string {
  const found = constants.get(oleanKey(name));
  const isPartial = found?.kind === 'opaque' && constants.has(oleanKey([...name, '_unsafe_rec']));
  const flags = [
    found?.isUnsafe ? 'unsafe' : [],
    isPartial ? 'partial' : [],
    replaced.get(oleanKey(name)) ?? [],
  ];
  return flags.flat().join(' and ');
}

/** The judge's library may lack what the modules were compiled with; that is no fault of a proof. */
function unlessLacking(verdict: Verdict): Verdict {
  const lacks = verdict.kind === 'kernel' && verdict.message.endsWith(', which does not exist');
  return lacks ? { ...verdict, verdict: 'unknown', kind: 'missing-import' } : verdict;
}
