import type { KernelName } from './name.ts';

/**
 * The kernel's answer about an export.
 * - accept: every declaration type-checks.
 * - refuse: a rule of the calculus is violated.
 * - decline: a limit was reached, or the export uses a feature that this kernel does not judge. Never success.
 */
export type KernelOutcome =
  | { readonly answer: 'accept' }
  | { readonly answer: 'refuse' | 'decline'; readonly kind: StopKind; readonly message: string };

export type StopKind =
  | 'malformed'
  | 'type'
  | 'axiom'
  | 'sorry'
  | 'unsafe'
  | 'statement'
  | 'limit'
  | 'unsupported';

/**
 * Type checking recurses through a dozen mutually recursive functions, so it stops with an exception. The exception
 * never leaves this module: `settle` turns it into an outcome.
 */
export class Stop extends Error {
  readonly answer: 'refuse' | 'decline';
  readonly kind: StopKind;
  readonly missing: WantedConstant | undefined;
  constructor(answer: 'refuse' | 'decline', kind: StopKind, message: string, missing?: WantedConstant) {
    super(message);
    this.answer = answer;
    this.kind = kind;
    this.missing = missing;
  }
}

/** What is missing for the check: a constant that is not declared yet, or a row of an export that is not defined yet. */
export type WantedConstant = KernelName | string;

/** A message can quote names, which can have any length. */
const MAX_MESSAGE = 2000;

export const kernelRefuses = (message: string, kind: StopKind = 'type'): never => {
  throw new Stop('refuse', kind, message);
};

export const decline = (message: string, kind: StopKind = 'limit'): never => {
  throw new Stop('decline', kind, message);
};

/** Runs a check to its end. Stack overflow and exhausted memory are limits. */
export function settle(check: () => void): KernelOutcome {
  try {
    check();
    return { answer: 'accept' };
  } catch (error) {
    if (error instanceof Stop)
      return { answer: error.answer, kind: error.kind, message: error.message.slice(0, MAX_MESSAGE) };
    if (error instanceof RangeError)
      return { answer: 'decline', kind: 'limit', message: `out of stack or memory: ${error.message}` };
    throw error;
  }
}
