import type { FailureKind } from '../../src/lean/base/protocol.ts';
import type { ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';

/** The ways in which graders have been fooled; docs/ATTACKS.md explains each in a sentence. */
export const sorts = {
  sorry: '`sorryAx`, plain or built from pieces',
  axiom: 'an axiom of one’s own',
  'axiom replaced': 'an axiom or definition of the reference, replaced by something trivial',
  compiler: '`native_decide`, `implemented_by`, `extern`: the compiler’s word instead of a proof',
  output: 'output or overridden commands that fake an answer',
  'kernel skipped': '`skipKernelTC`, `addDeclWithoutChecking`, `unsafeCast`',
  shadowing: 'notation, instances, variables or auto-bound names that change what the statement says',
  'weaker statement': 'another statement under the same name',
  'hostile code': 'code at elaboration time that reads, writes, spawns or kills',
  silence: 'a timeout, a crash or an empty answer',
  'second command': 'something after the proof, or instead of it',
  'forged export': 'data that no elaborator made',
  'unchecked preamble': 'a constant of the preamble that the kernel refuses, supplied by the candidate',
  helper: 'a constant that the statement mentions, replaced by the candidate',
  environment:
    'modules, macros, options or library imports of the candidate that change what its reference says',
  reference: 'a file that evades the reference it is judged against',
  'hidden theorem': 'a theorem that a listing by syntax does not see',
  dropped: 'a declaration that is written and is dropped, or made into another, on the way',
  'refused by Lean': 'a file that Lean itself refuses',
  neighbour: 'a claim that spoils the process for the next one',
  'auto-bound': 'an unknown name that Lean would bind by itself',
  names: 'names that meet when they are written as text',
  'kernel bug': 'a bug of the kernel that later versions of Lean have fixed',
  text: 'text that closes early, swallows the rest or hides in bytes',
} as const;
export type Sort = keyof typeof sorts;

interface Row {
  readonly sort: Sort;
  readonly disguise: string;
  /** The kind of the verdict, one of several where the machine's limits decide which comes first. */
  readonly kind: FailureKind | readonly FailureKind[];
  readonly image?: ImageName;
  readonly deadlineMs?: number;
}

/** `[kind]` or the kinds: the verdicts that an entry may give. */
export const kindsOf = (kind: FailureKind | readonly FailureKind[]): readonly FailureKind[] =>
  typeof kind === 'string' ? [kind] : kind;

/** A claim that a proof proves a statement: through the library, and for some also through the command line. */
export interface ClaimAttack extends Row {
  readonly preamble?: string;
  readonly statement: string;
  readonly proof: string;
  readonly allowAxioms?: readonly string[];
  readonly commandLine?: true;
  /** Also as a proof for a ticket of the market, and as one that a ledger remembers. */
  readonly everywhere?: true;
  /** Claims that the same gate judges first, whatever their verdicts. */
  readonly before?: readonly {
    readonly preamble?: string;
    readonly statement: string;
    readonly proof: string;
  }[];
  /** The judge's verdict when the elaborator exports everything: by default the same; null if there is nothing to export. */
  readonly judged?: FailureKind | readonly FailureKind[] | null;
}

/** A whole file, by itself or against a reference. */
export interface FileAttack extends Row {
  readonly file: string;
  readonly against?: string;
  /** Modules and lakefile in the folder of the file, by name. The reference has its own folder. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The same for the folder of the reference. */
  readonly besideReference?: Readonly<Record<string, string>>;
  readonly commandLine?: true;
}

/** A forged export, given to the judge as the candidate's. */
export interface ExportAttack extends Row {
  readonly statement: string;
  readonly preamble?: string;
  readonly allowAxioms?: readonly string[];
  readonly candidate: unknown;
}

export type Attack = ClaimAttack | FileAttack | ExportAttack;

/** The export format of docs/PROTOCOL.md, as loosely as an attacker sees it. */
export interface Export {
  format: number;
  theorems: number[];
  names: unknown[];
  levels: unknown[];
  exprs: unknown[];
  declarations: Record<string, unknown>[];
}
