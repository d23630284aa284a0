import { UserError } from './errors.ts';

/** The error of an expected failure. */
export interface Fault<Kind extends string = string> {
  /** A stable word that programs compare. */
  readonly kind: Kind;
  /** The reason, for people. */
  readonly message: string;
  /** How to fix it. */
  readonly fix?: string;
}

/**
 * A value, or why there is none. Every expected failure has this shape, and `ok` is the one way to test for it.
 * A function throws only because of a bug, or to end the command with a `UserError`.
 */
export type Result<Value, Problem extends Fault = Fault> =
  | { readonly ok: true; readonly value: Value }
  | Failed<Problem>;

export interface Failed<Problem extends Fault = Fault> {
  readonly ok: false;
  readonly error: Problem;
}

export function success<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function failed<Problem extends Fault>(error: Problem): Failed<Problem> {
  return { ok: false, error };
}

/** The value, or a `UserError` that ends the command. */
export function valueOrThrow<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  const { kind, message, fix } = result.error;
  throw new UserError(kind, message, fix);
}
