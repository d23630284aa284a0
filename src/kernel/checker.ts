import type { Environment } from './environment.ts';
import { CONSTANT, SORT, type Expr, type Terms } from './expr.ts';
import { Equality } from './equal.ts';
import { Inference } from './infer.ts';
import { usesOnly, type Level } from './level.ts';
import { Literals } from './literals.ts';
import type { Machine } from './machine.ts';
import { nameText, type KernelName } from './name.ts';
import { decline, kernelRefuses } from './outcome.ts';
import { Reduction } from './reduce.ts';
import { walk } from './substitute.ts';

export interface Limits {
  /** maximum steps of work per check */
  readonly steps: number;
  /** maximum depth of recursion; the caller provides a stack for it */
  readonly depth: number;
}

const defaultLimits: Limits = { steps: 200_000_000, depth: 20_000 };

/** The type checker: inference, reduction and equality over one environment. */
export class Checker implements Machine {
  readonly terms: Terms;
  readonly environment: Environment;
  readonly literals: Literals;
  private readonly limits: Limits;
  private readonly reduction: Reduction;
  private readonly equality: Equality;
  private readonly inference: Inference;
  private depth = 0;
  private steps = 0;
  private stepsBefore = 0;

  constructor(terms: Terms, environment: Environment, limits: Limits = defaultLimits) {
    this.terms = terms;
    this.environment = environment;
    this.limits = limits;
    this.literals = new Literals(this);
    this.reduction = new Reduction(this, this.literals);
    this.equality = new Equality(this, this.reduction, this.literals);
    this.inference = new Inference(this, this.literals);
  }

  /** Drops every cached result. Needed before terms are truncated. */
  forget(): void {
    this.reduction.forget();
    this.equality.forget();
    this.inference.forget();
  }

  /** Called after constants were removed: clears all caches, including the status of literals. */
  forgetConstants(): void {
    this.forget();
    this.literals.forget();
  }

  /** A new declaration starts with an empty stack, also after one that was stopped. */
  restart(): void {
    this.depth = 0;
    this.stepsBefore += this.steps;
    this.steps = 0;
  }

  /** The steps of all declarations so far. */
  get allSteps(): number {
    return this.stepsBefore + this.steps;
  }

  enter(): void {
    if (++this.depth > this.limits.depth) decline(`recursion is deeper than ${this.limits.depth}`);
    if (++this.steps > this.limits.steps) decline(`more than ${this.limits.steps} steps`);
  }
  leave(): void {
    this.depth--;
  }

  infer(e: Expr): Expr {
    return this.inference.infer(e, false);
  }
  check(e: Expr): Expr {
    return this.inference.infer(e, true);
  }
  whnf(e: Expr): Expr {
    return this.reduction.whnf(e);
  }
  whnfCore(e: Expr, cheap: boolean): Expr {
    return this.reduction.whnfCore(e, cheap);
  }
  unfold(e: Expr): Expr | null {
    return this.reduction.unfold(e);
  }
  arithmetic(e: Expr): Expr | null {
    return this.literals.arithmetic(e);
  }
  equal(a: Expr, b: Expr): boolean {
    return this.equality.equal(a, b);
  }
  isProposition(type: Expr): boolean {
    return this.inference.isProposition(type);
  }

  /** Checks a type and returns its universe. */
  checkType(type: Expr): Level {
    return this.inference.sortOf(type, true);
  }
  /** The universe of a type that is known to be well typed. */
  universe(type: Expr): Level {
    return this.inference.sortOf(type, false);
  }

  /** Checks that a declared term is closed and uses only declared universe parameters. */
  checkForm(e: Expr, params: readonly KernelName[]): void {
    if (e.loose > 0) kernelRefuses('a loose bound variable', 'malformed');
    if (e.free > 0) kernelRefuses('a free variable', 'malformed');
    const known = new Set(params);
    const seen = new Set<Level>();
    const check = (level: Level): void => {
      if (!usesOnly(level, known, seen)) kernelRefuses('a universe parameter that is not declared');
    };
    walk(e, (node) => {
      if (!node.polymorphic) return false;
      if (node.kind === SORT) check(node.value);
      if (node.kind === CONSTANT) for (const level of node.value.items) check(level);
      return true;
    });
  }

  checkParams(params: readonly KernelName[]): void {
    if (new Set(params).size !== params.length)
      kernelRefuses(`universe parameters are declared twice: ${params.map(nameText).join(', ')}`);
  }
}
