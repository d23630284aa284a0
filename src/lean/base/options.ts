/** A value that a project gives one of Lean's options. */
export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;

/** As written on a command line or in a lakefile. */
export function valueOf(text: string): OptionValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1');
}

/** In a fixed order. */
export function sortedOptions(options: Options): [string, OptionValue][] {
  return Object.entries(options).toSorted(([first], [second]) => (first < second ? -1 : 1));
}

/**
 * Options that set limits, printing and warnings, the same list as `isPlainOption` in `lean/Worker/Plain.lean`.
 * Any other option may run code invisible in the syntax (`doc.verso` runs code in documentation), switch off
 * the kernel, or have a meaning only to the project's own code (`weak.…`).
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

/** Whether a process with these options may serve more than one text. */
export function arePlainOptions(options: Options): boolean {
  return Object.keys(options).every(isPlain);
}

/** Whether elaborating a text under these options can run code that its syntax does not show. */
export function runHiddenCode(options: Options): boolean {
  return !Object.keys(options).every((name) => isPlain(name.replace(/^weak\./, '')));
}

/** The options known to be plain. */
export const plainOptionNames: readonly string[] = [...plainOptions];
