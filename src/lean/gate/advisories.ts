import type { ToolchainKind } from '../toolchain/toolchain.ts';

/**
 * Known bugs of Lean's kernel, as data: docs/kernel-advisories.md is written from it, and every verdict lists the open ones of its Lean. Add an entry here when Lean announces a bug: older proofs are then judged again before they are used.
 */
export interface Advisory {
  /** Number in leanprover/lean4: of the fix, or else of the report. */
  readonly number: number;
  readonly what: string;
  /** The first release with the fix. */
  readonly fixedIn: string;
  /** The first release with the bug; undefined: all since 4.0. */
  readonly since?: string;
  /** How the gate closes it; undefined: not at all. */
  readonly closed?: string;
  /** If only the embedded Lean is safe: what holds for a native one. */
  readonly openOn?: 'native';
  /** Name of the attack in test/soundness that demonstrates it. */
  readonly test?: string;
}

const stuckSort = 'a sort that is stuck in one place: 30 lines of plain Lean that prove `False`';
const explicitSorts =
  'The sort of every inductive type must be explicit after unfolding definitions and applying functions.';
const checkedAgain =
  'Constructors, recursors and their rules are checked again, each in a declaration of its own; each rule must have the type that its recursor promises.';
const smallMemory = 'The embedded Lean has at most 2 GiB; the bug needs 18 GB or more.';

export const advisories: readonly Advisory[] = [
  {
    number: 12746,
    what: 'Projection indices wrap at 32 bits (also #13602).',
    fixedIn: '4.33.0',
    closed: 'The index must be smaller than the number of fields.',
    test: 'a projection whose index is another one modulo 2³²',
  },
  {
    number: 12817,
    what: 'A constant with a wrong number of universes is unfolded before anyone has counted them.',
    fixedIn: '4.30.0',
    closed: 'The number of universes is checked when an export is read.',
    test: 'a constant with too many universes',
  },
  {
    number: 14484,
    what: 'Values of opaque constants may contain free variables and metavariables.',
    fixedIn: '4.32.1',
    closed: 'An export has no way to write either.',
    test: 'an opaque constant with a free variable in it',
  },
  {
    number: 14577,
    what: 'Parameters of nested occurrences are dropped before they are type-checked (report #14576).',
    fixedIn: '4.32.2',
    closed: checkedAgain,
    test: 'an unchecked parameter of a nested type: a projection out of another structure',
  },
  {
    number: 14582,
    what: 'Occurrences of a type in its own constructors may have other parameters or universes.',
    fixedIn: '4.33.1',
    closed: 'Every occurrence must have the parameters and universes of the declaration.',
    test: 'a nested occurrence with another parameter',
  },
  {
    number: 14607,
    what: 'Nested inductive types may contain free variables and metavariables.',
    fixedIn: '4.33.0',
    closed: 'An export has no way to write either.',
    test: 'a universe that is a metavariable',
  },
  {
    number: 14613,
    what: 'A sort such as `Sort (imax 1 0)` is a proposition but is not recognised as one (also #14615).',
    fixedIn: '4.33.0',
    closed:
      'A level that is always zero is read as zero; nothing is projected out of a type that is a proposition only in some universes.',
    test: 'a proposition whose universe is written `imax 1 0`',
  },
  {
    number: 14616,
    what: 'A declaration may use the names of the kernel’s auxiliary types.',
    fixedIn: '4.33.0',
    closed: 'Reserved names are refused.',
    test: 'a name that the kernel gives to its own auxiliary types',
  },
  {
    number: 14621,
    what: 'What the elimination of nested types restores is added unchecked.',
    fixedIn: '4.33.0',
    closed: checkedAgain,
    test: 'an unchecked parameter of a nested type: a projection out of another structure',
  },
  {
    number: 14631,
    what: 'Projections of different structures count as equal.',
    fixedIn: '4.33.0',
    closed:
      'Only well-typed projections reach the comparison: constructors are checked again in the final environment.',
    test: 'an unchecked parameter of a nested type: a projection out of another structure',
  },
  {
    number: 14632,
    what: 'Several invariants are assumed and not checked: names of `Quot`, names declared twice, structure names of projections.',
    fixedIn: '4.33.0',
    closed: 'An export may declare neither names of the library nor a name twice.',
    test: 'the theorem twice: once honest, once not',
  },
  {
    number: 14806,
    what: 'The cache of definitional equality is closed under transitivity, so answers depend on the order of questions. A recursor’s type and rule can disagree.',
    fixedIn: '4.33.1',
    closed: `${checkedAgain} A recursive occurrence must show by unfolding alone.`,
    test: 'a recursive occurrence that only a K-like reduction shows',
  },
  {
    number: 14807,
    what: 'A type whose sort is stuck counts as data, so data can be projected out of a proposition (also #14847).',
    fixedIn: '4.33.1',
    closed: explicitSorts,
    test: stuckSort,
  },
  {
    number: 14808,
    what: 'Generated recursors are added unchecked.',
    fixedIn: '4.33.1',
    closed: checkedAgain,
    test: 'a recursive occurrence that only a K-like reduction shows',
  },
  {
    number: 14833,
    what: 'Versions of GMP before 6.3.0 compute some numbers wrongly.',
    fixedIn: '4.33.1',
    closed: 'The embedded Lean is built without GMP.',
    openOn: 'native',
  },
  {
    number: 14838,
    what: 'Reference counts overflow at 32 bits.',
    fixedIn: '4.33.1',
    closed: smallMemory,
    openOn: 'native',
  },
  {
    number: 15241,
    what: 'Objects with a frozen reference count can still be freed.',
    fixedIn: '4.34.1',
    closed: smallMemory,
    openOn: 'native',
  },
  {
    number: 15289,
    what: 'Maximal sharing overflows the reference count of a shared term.',
    fixedIn: '4.34.1',
    closed: smallMemory,
    openOn: 'native',
  },
];

/** Whether this version has the bug. A release candidate counts as the release before it: it may predate the fix. */
export function affects({ fixedIn, since }: Advisory, version: string): boolean {
  const isCandidate = version.includes('-');
  const order = compareVersions(version, fixedIn);
  const isFixed = order > 0 || (order === 0 && !isCandidate);
  return !isFixed && (since === undefined || compareVersions(version, since) >= 0);
}

/** The open bugs of a Lean version, as `lean4#N`. */
export function openAdvisories({ version, kind }: { version: string; kind: ToolchainKind }): string[] {
  const isOpen = ({ closed, openOn }: Advisory): boolean =>
    closed === undefined || (openOn === 'native' && kind !== 'embedded');
  return advisories
    .filter((advisory) => affects(advisory, version) && isOpen(advisory))
    .map(({ number }) => `lean4#${number}`);
}

const numbersOf = (version: string): number[] => (version.split('-')[0] ?? '').split('.').map(Number);

function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  // a version that is not a number is older than everything: every bug counts
  if (left.some(Number.isNaN)) return -1;
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? 0);
}
