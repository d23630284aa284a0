import type { Environment } from './environment.ts';
import type { Expr, Terms } from './expr.ts';

/** The parts of the type checker call each other through this. */
export interface Machine {
  readonly terms: Terms;
  readonly environment: Environment;
  /** The type of a term that is known to be well typed. */
  infer(e: Expr): Expr;
  /** The type of a term, all of which is checked. */
  check(e: Expr): Expr;
  /** Weak head normal form. */
  whnf(e: Expr): Expr;
  /** Weak head normal form without unfolding definitions; with `cheap`, without evaluating what is projected from. */
  whnfCore(e: Expr, cheap: boolean): Expr;
  /** One step: unfold the definition at the head. */
  unfold(e: Expr): Expr | null;
  /** The value of a closed arithmetic term. */
  arithmetic(e: Expr): Expr | null;
  equal(a: Expr, b: Expr): boolean;
  /** Is this type a proposition? */
  isProposition(type: Expr): boolean;
  /** Count one step of work and one level of recursion; `leave` takes the level back. */
  enter(): void;
  leave(): void;
}
