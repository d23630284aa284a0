import type { VerdictWord, Assurance } from '../../shared/assurance.ts';
import type { Verdict } from './verdict.ts';
import { environmentFingerprint } from '../toolchain/fingerprint.ts';
import type { Failure, FailureKind } from '../base/protocol.ts';
import { conditionalKind } from '../../shared/assurance.ts';
import { openAdvisories } from './advisories.ts';
import { judgeVersion } from './judge-version.ts';
import { describeToolchain, type Toolchain } from '../toolchain/toolchain.ts';

/** The part of a verdict that does not depend on the outcome. */
export type Identity = Pick<Verdict, 'advisories' | 'judge' | 'toolchain' | 'fingerprint' | 'environments'>;

export function identify(toolchain: Toolchain, preamble: string, closure: string): Identity {
  return {
    advisories: openAdvisories(toolchain),
    judge: judgeVersion(),
    toolchain: describeToolchain(toolchain),
    fingerprint: environmentFingerprint(toolchain, preamble, closure),
  };
}

export interface ProvedClaim {
  readonly name: string;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  /** False for a definition or an instance. */
  readonly isTheorem?: boolean;
  /** The names that Lean bound automatically. */
  readonly bound: readonly string[];
}

export function accept(
  identity: Identity,
  proved: ProvedClaim,
  assurance: Assurance,
  cpuSeconds: number,
): Verdict {
  const { name, axioms, assumes, isTheorem = true, bound } = proved;
  return {
    verdict: 'accepted',
    kind: isTheorem ? 'proved' : 'defined',
    message: `the kernel accepts the ${isTheorem ? 'proof' : 'definition'}`,
    name,
    assurance,
    axioms,
    assumes,
    bound,
    ...identity,
    cpu_seconds: cpuSeconds,
  };
}

/** Proved from open theorems alone: right, but not a proof yet. */
export function conditional(
  identity: Identity,
  { name, axioms, given }: Pick<ProvedClaim, 'name' | 'axioms'> & { readonly given: readonly string[] },
  cpuSeconds: number,
): Verdict {
  return {
    verdict: 'rejected',
    kind: conditionalKind,
    message: `proved, given ${given.join(', ')}`,
    name,
    assurance: null,
    axioms,
    assumes: given,
    bound: [],
    ...identity,
    cpu_seconds: cpuSeconds,
  };
}

export interface Refused {
  readonly failure: Failure;
  readonly place?: string | undefined;
  readonly name?: string | undefined;
  /** Its unproved dependencies. */
  readonly restsOn?: readonly string[];
}

export function refuse(identity: Identity, refused: Refused, cpuSeconds: number): Verdict {
  const { failure, place, name, restsOn = [] } = refused;
  return {
    verdict: verdictOf(failure.kind),
    kind: failure.kind,
    message: place === undefined ? wordsOf(refused) : `${place}: ${wordsOf(refused)}`,
    ...(name !== undefined && { name }),
    assurance: null,
    axioms: failure.axioms,
    assumes: restsOn,
    bound: [],
    ...identity,
    cpu_seconds: cpuSeconds,
  };
}

/** Explains what to do about a missing module, which is not an error in the text. Names a `sorry` elsewhere. */
function wordsOf({ failure: { kind, message, missing }, restsOn = [] }: Refused): string {
  if (kind === 'sorry' && restsOn.length > 0)
    return `it depends on ${restsOn.join(', ')}, which contains sorry`;
  if (kind !== 'missing-import' || missing.every((module) => message.includes(module))) return message;
  return `${message} (${missing.join(', ')}): check it as a file of the project that has it`;
}

/** Rejected: the text was read and is wrong. Unknown: a limit was reached or a tool broke. */
export function verdictOf(kind: FailureKind): VerdictWord {
  switch (kind) {
    case 'statement':
    case 'parse':
    case 'elaboration':
    case 'tactic':
    case 'unread':
    case 'sorry':
    case 'axiom':
    case 'unsafe':
    case 'kernel':
    case 'statement-changed':
    case 'malformed-export':
    case 'constraint':
      return 'rejected';
    case 'heartbeats':
    case 'recursion':
    case 'timeout':
    case 'memory':
    case 'cancelled':
    case 'runs-code':
    case 'unaccounted':
    case 'no-theorem':
    case 'inseparable':
    // with missing modules nothing was checked
    case 'missing-import':
    case 'crash':
    case 'invalid-request':
    case 'unknown-session':
    case 'unknown-state':
      return 'unknown';
  }
}
