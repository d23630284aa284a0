import type { Environment } from './environment.ts';
import type { Expr, Terms } from './expr.ts';

/** The interface through which the parts of the type checker call each other. */
export interface Machine {
  readonly terms: Terms;
  readonly environment: Environment;
  /** The type of a term that is known to be well typed. */
  infer(e: Expr): Expr;
  /** The type of a term, with all checks. */
  check(e: Expr): Expr;
  /** Weak head normal form. */
  whnf(e: Expr): Expr;
  /** Weak head normal form without unfolding definitions; with `cheap`, without evaluating the value of a projection. */
  whnfCore(e: Expr, cheap: boolean): Expr;
  /** One step: unfolds the definition at the head. */
  unfold(e: Expr): Expr | null;
  /** The value of a closed arithmetic term. */
  arithmetic(e: Expr): Expr | null;
  equal(a: Expr, b: Expr): boolean;
  /** Whether this type is a proposition. */
  isProposition(type: Expr): boolean;
  /** Counts one step of work and one level of recursion; `leave` ends the level. */
  enter(): void;
  leave(): void;
}
