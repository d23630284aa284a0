import type { Premise } from '../../store/premises/premise.ts';
import type { Constant } from '../base/protocol.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { PremiseDeclarations, lastPart } from './declarations.ts';
import { isClassPath, nearestLemmas } from './nearest-lemmas.ts';
import { isTacticCode, isTacticName } from './tactic-code.ts';

/** Facts of the preamble that tactics can use, most relevant first. */
export interface Facts {
  /** Definitions that the goal mentions, directly or through others. */
  readonly definitions: readonly string[];
  /** Lemmas and axioms that share symbols with the goal. */
  readonly lemmas: readonly string[];
  /** All lemmas, if there are more than the relevant ones. */
  readonly allLemmas: readonly string[];
  readonly allDefinitions: readonly string[];
  /** Instances behind the goal's operators. */
  readonly instances: readonly string[];
  /** The library operators that these instances implement; they are unfolded together. */
  readonly operators: readonly string[];
  /** Inductive predicates: `grind` splits them and uses their constructors if asked to. */
  readonly predicates: readonly string[];
  readonly constructors: readonly string[];
  /** Theorems for cases and inductions: they mention a `motive`. */
  readonly eliminators?: readonly string[];
  /** Operations: fields of the preamble's structures that map elements to an element. */
  readonly operations?: readonly Operation[];
  /** The constants that the type of a lemma mentions. */
  readonly lemmaSymbols: ReadonlyMap<string, readonly string[]>;
  /** The lemmas among them that were found in the library. */
  readonly library?: ReadonlySet<string>;
  /**
   * Names that `grind` accepts as arguments, once checked: a single refused name would invalidate the whole
   * list.
   */
  readonly grindable?: ReadonlySet<string>;
}

interface Operation {
  readonly name: string;
  /** Its number of arguments. */
  readonly arity: number;
}

/**
 * Long argument lists slow down `simp` and `grind`; above this length, the relevant facts are tried alone
 * first.
 */
const maxLemmas = 10;
const maxDefinitions = 12;
/** A project may have thousands: the nearest ones are kept. */
const maxAll = 100;

/** Declarations that Lean generates. */
const generated =
  /^(?:rec|recOn|casesOn|below|brecOn|ibelow|binductionOn|noConfusion\w*|sizeOf_spec|injEq|inj|toCtorIdx|ctorIdx|ctorElim\w*|elim|eq_\d+|eq_def|eq_unfold|induct\w*|fun_cases\w*|mutual_induct|match_\d+\w*|congr_simp|hcongr\w*|ofNat_toCtorIdx|_.*|inst\w*|decEq\w*|repr\w*|hash\w*|beq\w*|proof_\d+)$/;

/**
 * Adds library lemmas. Those of the preamble come first, because a goal with its own lemmas is mostly about
 * them.
 */
export function withPremises(facts: Facts, found: readonly Premise[]): Facts {
  const library = found.map(({ name }) => name);
  return {
    ...facts,
    lemmas: [...facts.lemmas, ...library],
    lemmaSymbols: new Map([...facts.lemmaSymbols, ...found.map((one) => [one.name, one.symbols] as const)]),
    library: new Set(library),
  };
}

export function isGenerated(name: string): boolean {
  return generated.test(lastPart(name)) || /\.(?:below|brecOn\.)/.test(name);
}

/** The constructors of the inductive predicates. */
export function rulesOf({ predicates, constructors }: Pick<Facts, 'predicates' | 'constructors'>): string[] {
  return constructors.filter((name) => predicates.some((predicate) => name.startsWith(`${predicate}.`)));
}

/** With `isUsable`, also lemmas that rest on open theorems. */
export function factsOf(
  workbench: Pick<Workbench, 'goal' | 'own' | 'symbols'>,
  isUsable: (constant: Constant) => boolean = isFinished,
): Facts {
  const source = new PremiseDeclarations(workbench.goal.preamble);
  const isAboutTactics = workbench.symbols.some(isTacticName);
  const own = workbench.own.filter(
    (one) => !isGenerated(one.name) && (!isImported(one) || isAboutTactics || !isTacticCode(one)),
  );
  const byPlace = (first: Constant, second: Constant): number =>
    source.placeOf(second.name) - source.placeOf(first.name);
  const definitions = own
    .filter(
      (one) =>
        one.kind === 'definition' && (isImported(one) ? !isClassPath(one.name) : one.role === 'function'),
    )
    .sort(byPlace);
  const lemmas = own
    .filter((one) => (one.kind === 'theorem' || one.kind === 'axiom') && isUsable(one))
    .sort(byPlace);
  const instances = workbench.own.filter(
    (one) => one.role === 'instance' || (isImported(one) && lastPart(one.name).startsWith('inst')),
  );
  const near = closure(workbench, [...definitions, ...instances]);
  const relevant = definitions.filter(({ name }) => near.has(name));
  return {
    definitions: names(relevant).slice(0, maxDefinitions),
    lemmas: (lemmas.some(isImported)
      ? nearestLemmas(lemmas, workbench.symbols)
      : rank(lemmas, near, workbench)
    ).slice(0, maxLemmas),
    allLemmas: names(lemmas).slice(0, maxAll),
    allDefinitions: names(definitions).slice(0, maxAll),
    instances: names(instances.filter(({ name }) => near.has(name))),
    operators: operatorsOf(workbench.symbols, near, instances),
    predicates: names(own.filter(({ role }) => role === 'predicate')),
    constructors: names(own.filter(({ kind }) => kind === 'constructor')),
    eliminators: names(lemmas.filter(({ name }) => source.isEliminator(name))),
    operations: own.flatMap(({ name }) => {
      const arity = source.arityOf(name);
      return arity === undefined ? [] : [{ name, arity }];
    }),
    lemmaSymbols: new Map(lemmas.map((lemma) => [written(lemma), lemma.symbols])),
  };
}

/** The same with the open theorems that a proof may assume. */
export function factsWithOpen(workbench: Workbench): Facts {
  return factsOf(workbench, (constant) => workbench.isUsable(constant));
}

const isFinished = ({ unfinished }: Constant): boolean => unfinished !== true;

/** It is from a module of the project, whose source is not part of the preamble. */
function isImported({ module }: Constant): boolean {
  return module !== '';
}

/** The goal's own symbols, and the definitions and instances that those use, directly or through others. */
function closure(
  { symbols, own }: Pick<Workbench, 'own' | 'symbols'>,
  usable: readonly Constant[],
): Set<string> {
  const uses = new Map(own.map((one) => [one.name, one.uses ?? []]));
  const isUsable = new Set(usable.map(({ name }) => name));
  const near = new Set(symbols.filter((symbol) => uses.has(symbol)));
  // iterating a set includes elements added meanwhile
  for (const name of near) for (const other of uses.get(name) ?? []) if (isUsable.has(other)) near.add(other);
  return near;
}

/** `a + b` on a type of the preamble is `HAdd.hAdd`, then `Add.add`, then the instance. */
function operatorsOf(
  symbols: readonly string[],
  near: ReadonlySet<string>,
  instances: readonly Constant[],
): string[] {
  if (!instances.some(({ name }) => near.has(name))) return [];
  return symbols.flatMap((symbol) => {
    const [, kind, method] = /^H(\w+)\.h(\w+)$/.exec(symbol) ?? [];
    if (kind !== undefined && method !== undefined)
      return [symbol, `${kind}.${method.charAt(0).toLowerCase()}${method.slice(1)}`];
    return /^(?:LE\.le|LT\.lt|Neg\.neg|Inv\.inv|BEq\.beq)$/.test(symbol) ? [symbol] : [];
  });
}

/**
 * Lemmas ordered by the share of their symbols that the goal has too; lemmas without common symbols are
 * dropped.
 */
function rank(
  lemmas: readonly Constant[],
  near: ReadonlySet<string>,
  { own }: Pick<Workbench, 'own'>,
): string[] {
  const ownNames = new Set(own.map(({ name }) => name));
  return lemmas
    .map((lemma) => {
      const mine = lemma.symbols.filter((symbol) => ownNames.has(symbol));
      const shared = mine.filter((symbol) => near.has(symbol)).length;
      return { name: written(lemma), score: mine.length === 0 ? 0.1 : shared / mine.length };
    })
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .map(({ name }) => name);
}

function names(constants: readonly Constant[]): string[] {
  return constants.map(written);
}

/** A name that tactics resolve correctly: the library also has short names such as `Subset` and `insert`. */
function written({ name, ambiguous }: Constant): string {
  return ambiguous ? `_root_.${name}` : name;
}
