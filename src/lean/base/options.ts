/** A value that a project gives one of Lean's options. */
export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;

/** As a command line and a lakefile write it. */
export function valueOf(text: string): OptionValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1');
}

/** In an order that does not depend on who wrote them down. */
export function sortedOptions(options: Options): [string, OptionValue][] {
  return Object.entries(options).toSorted(([first], [second]) => (first < second ? -1 : 1));
}

/**
 * Options that set limits, printing and warnings, as `isPlainOption` in `lean/Worker/Plain.lean` has them. Every other one may
 * run code that no syntax shows (`doc.verso` runs what documentation says), switch off the kernel, or mean something that only
 * the project's own code knows (`weak.…`).
 */
const plainOptions: ReadonlySet<string> = new Set(
  `maxRecDepth maxHeartbeats maxUniverseOffset maxSynthPendingDepth synthInstance.maxHeartbeats synthInstance.maxSize
   autoImplicit relaxedAutoImplicit autoLift quotPrecheck smartUnfolding simprocs checkBinderAnnotations
   exponentiation.threshold tactic.hygienic tactic.simp.trace tactic.customEliminators structureDiamondWarning
   inductive.autoPromoteIndices genSizeOf genSizeOfSpec genInjectivity match.ignoreUnusedAlts warningAsError warn.sorry
   grind.warning diagnostics diagnostics.threshold`.split(/\s+/),
);
const plainRoots = /^(?:pp|linter|format|backward)\./;

const isPlain = (name: string): boolean => plainOptions.has(name) || plainRoots.test(name);

/** Whether a process that has these options may serve more than one text. */
export function arePlainOptions(options: Options): boolean {
  return Object.keys(options).every(isPlain);
}

/** Whether elaborating a text under these options can run code that its syntax does not show. */
export function runHiddenCode(options: Options): boolean {
  return !Object.keys(options).every((name) => isPlain(name.replace(/^weak\./, '')));
}

/** The options that are plain by their names. */
export const plainOptionNames: readonly string[] = [...plainOptions];
