// Over 300 lines: one algorithm over one set of equations.
import { Commuting } from './commuting.ts';
import type { TermOrder } from './order.ts';
import {
  isSame,
  isVariable,
  match,
  positionsOf,
  replaceAt,
  sizeOf,
  substitute,
  unify,
  variablesOf,
  type Application,
  type TermPosition,
  type Substitution,
  type Term,
} from './term.ts';

/** `left = right` for all values of its variables, with its derivation from other equations. */
export interface Equation {
  readonly id: number;
  readonly left: Term;
  readonly right: Term;
  /** The left side is greater for all values of the variables, so it is never used backwards. */
  readonly isOriented?: boolean;
  /** The steps from left to right; undefined for a given equation. */
  readonly steps: readonly RewriteStep[] | undefined;
}

/** An equation applied at a position, from left to right or backwards. */
export interface RewriteStep {
  readonly equation: Equation;
  readonly values: Substitution;
  readonly at: TermPosition;
  readonly isBack: boolean;
}

/** Limits are counts, so that results are reproducible. */
export interface CompletionLimits {
  /** Number of processed equations; most turn out to be redundant. */
  readonly looks: number;
  /** Number of waiting equations. */
  readonly waiting: number;
  /** Maximum number of symbols on both sides. */
  readonly size: number;
}

interface Waiting {
  readonly left: Term;
  readonly right: Term;
  readonly steps: readonly RewriteStep[];
  readonly weight: number;
  readonly age: number;
}

/** One in this many equations is chosen by age, so that a stream of small equations does not starve the others. */
const oldestEvery = 6;

/** Rules that decrease a term in the order can still make it very long, such as those of powers. */
const mostRewrites = 200;
const mostGrowth = 4;

/**
 * Unfailing completion: derives new equations, smallest first, until both sides of the goal have the same normal form. The
 * goal's variables count as constants. Every equation stores its derivation.
 *
 *     waiting ──the smallest──▶ simplified ──trivial or known──▶ dropped
 *                                   └──▶ chosen: simplifies the others and the goal, overlaps with all chosen ──▶ waiting
 */
export class Completion {
  readonly #order: TermOrder;
  readonly #limits: CompletionLimits;
  readonly #commuting = new Commuting();
  #chosen: Equation[] = [];
  #waiting: Waiting[] = [];
  #left: Simplified;
  #right: Simplified;
  #made = 0;
  #looks = 0;
  #variables = 0;

  constructor(
    given: readonly Equation[],
    goal: readonly [Term, Term],
    order: TermOrder,
    limits: CompletionLimits,
  ) {
    this.#order = order;
    this.#limits = limits;
    this.#left = { term: goal[0], steps: [] };
    this.#right = { term: goal[1], steps: [] };
    for (const { id } of given) this.#made = Math.max(this.#made, id + 1);
    // a given equation is its own derivation
    for (const equation of given) {
      for (const variable of allVariables(equation).keys())
        this.#variables = Math.max(this.#variables, variable + 1);
      this.#wait(equation.left, equation.right, [itself(equation)]);
    }
  }

  /** The steps from the left side of the goal to the right one, once found. */
  get found(): readonly RewriteStep[] | undefined {
    if (!isSame(this.#left.term, this.#right.term)) return undefined;
    return [...this.#left.steps, ...backwards(this.#right.steps)];
  }

  /** No equation is left, or a limit was reached. */
  get isOver(): boolean {
    return this.#waiting.length === 0 || this.#looks >= this.#limits.looks;
  }

  /** Processes the next equation. */
  advance(): void {
    const next = this.#take();
    if (!next) return;
    this.#looks++;
    const left = this.#simplify(next.left);
    const right = this.#simplify(next.right);
    if (isSame(left.term, right.term) || this.#isKnown(left.term, right.term)) return;
    if (this.#commuting.isIdle(left.term, right.term)) return;
    this.#commuting.learn(left.term, right.term);
    this.#commuting.learn(right.term, left.term);
    const steps = [...backwards(left.steps), ...next.steps, ...right.steps];
    const equation = this.#oriented(left.term, right.term, steps);
    this.#reduceChosen(equation);
    this.#chosen.push(equation);
    this.#left = this.#further(this.#left);
    this.#right = this.#further(this.#right);
    for (const other of this.#chosen) this.#overlap(equation, other);
  }

  #take(): Waiting | undefined {
    let best = 0;
    const byAge = this.#looks % oldestEvery === oldestEvery - 1;
    for (const [index, one] of this.#waiting.entries()) {
      const other = this.#waiting[best];
      if (!other || (byAge ? one.age < other.age : one.weight < other.weight)) best = index;
    }
    const [taken] = this.#waiting.splice(best, 1);
    return taken;
  }

  #wait(left: Term, right: Term, steps: readonly RewriteStep[]): void {
    const weight = sizeOf(left) + sizeOf(right);
    if (weight > this.#limits.size || this.#waiting.length >= this.#limits.waiting || isSame(left, right))
      return;
    this.#waiting.push({ left, right, steps, weight, age: this.#made++ });
  }

  /** Orients an equation, greater side left, with fresh variables. */
  #oriented(first: Term, second: Term, steps: readonly RewriteStep[]): Equation {
    const isForth = this.#order.isGreater(first, second);
    const isTurned = !isForth && this.#order.isGreater(second, first);
    const [left, right] = isTurned ? [second, first] : [first, second];
    const names = this.#apart({ left, right });
    return {
      id: this.#made++,
      left: substitute(left, names),
      right: substitute(right, names),
      isOriented: isForth || isTurned,
      steps: (isTurned ? backwards(steps) : steps).map((step) => ({
        ...step,
        values: under(step.values, names),
      })),
    };
  }

  /** Simplifies with the chosen equations, within limits. */
  #simplify(term: Term): Simplified {
    return this.#further({ term, steps: [] });
  }

  #further({ term, steps }: Simplified): Simplified {
    const taken = [...steps];
    let at = term;
    const isWithin = (): boolean =>
      taken.length - steps.length < mostRewrites && sizeOf(at) <= mostGrowth * this.#limits.size;
    for (let next = this.#rewrite(at, this.#chosen); next && isWithin();) {
      taken.push(next.step);
      at = next.term;
      next = this.#rewrite(at, this.#chosen);
    }
    return { term: at, steps: taken };
  }

  #rewrite(
    term: Term,
    by: readonly Equation[],
  ): { readonly term: Term; readonly step: RewriteStep } | undefined {
    for (const [at, part] of positionsOf(term))
      for (const equation of by)
        for (const isBack of equation.isOriented === true ? forth : bothWays) {
          const [from, to] = isBack ? [equation.right, equation.left] : [equation.left, equation.right];
          const values = hasHead(from, part) ? match(from, part) : undefined;
          if (!values || !isCovered(to, values)) continue;
          const result = substitute(to, values);
          if (equation.isOriented !== true && !this.#order.isGreater(part, result)) continue;
          return { term: replaceAt(term, at, result), step: { equation, values, at, isBack } };
        }
    return undefined;
  }

  /** Whether a chosen equation is more general. */
  #isKnown(left: Term, right: Term): boolean {
    return this.#chosen.some((equation) =>
      [
        [equation.left, equation.right],
        [equation.right, equation.left],
      ].some(([one, other]) => {
        const values = one && match(one, left);
        return values && other && match(other, right, values) !== undefined;
      }),
    );
  }

  /** Chosen equations that the new one simplifies wait again. */
  #reduceChosen(equation: Equation): void {
    const kept: Equation[] = [];
    for (const other of this.#chosen) {
      if (this.#rewrite(other.left, [equation])) this.#wait(other.left, other.right, [itself(other)]);
      else kept.push(other);
    }
    this.#chosen = kept;
  }

  /** All terms that two equations can rewrite in two ways. */
  #overlap(first: Equation, second: Equation): void {
    const other = this.#apart(second);
    for (const one of waysOf(first, new Map()))
      for (const two of waysOf(second, other)) {
        this.#peaks(one, two);
        if (first !== second) this.#peaks(two, one);
      }
  }

  /** A critical pair: the left side of one equation unifies with a subterm of the other's, so both results are equal. */
  #peaks(outer: Way, inner: Way): void {
    for (const [at, part] of positionsOf(outer.from)) {
      const values = hasHead(inner.from, part) ? unify(part, inner.from) : undefined;
      if (!values) continue;
      const peak = substitute(outer.from, values);
      const left = substitute(outer.to, values);
      const right = replaceAt(peak, at, substitute(inner.to, values));
      // a step that only enlarges the term is useless
      if (this.#order.isGreater(left, peak) || this.#order.isGreater(right, peak)) continue;
      this.#wait(left, right, [
        stepOf(outer, values, [], !outer.isBack),
        stepOf(inner, values, at, inner.isBack),
      ]);
    }
  }

  /** Fresh names for an equation's variables. */
  #apart({ left, right }: Pick<Equation, 'left' | 'right'>): Map<number, Term> {
    const names = new Map<number, Term>();
    for (const [variable, { sort }] of variablesOf(right, variablesOf(left)))
      names.set(variable, { variable: this.#variables++, sort });
    return names;
  }
}

const forth = [false] as const;
const bothWays = [false, true] as const;

/** A quick test whether a pattern can match this term; most cannot. */
function hasHead(pattern: Term, { head }: Application): boolean {
  return isVariable(pattern) || pattern.head === head;
}

/** A term, and the steps that led to it. */
interface Simplified {
  readonly term: Term;
  readonly steps: readonly RewriteStep[];
}

/** An equation in one direction, with renamed variables. */
interface Way {
  readonly equation: Equation;
  readonly from: Term;
  readonly to: Term;
  readonly isBack: boolean;
  readonly names: Substitution;
}

function waysOf(equation: Equation, names: Substitution): Way[] {
  const [left, right] = [substitute(equation.left, names), substitute(equation.right, names)];
  const ways = [{ equation, from: left, to: right, isBack: false, names }];
  if (equation.isOriented !== true && !isVariable(right))
    ways.push({ equation, from: right, to: left, isBack: true, names });
  return ways;
}

function stepOf(
  { equation, names }: Way,
  values: Substitution,
  at: TermPosition,
  isBack: boolean,
): RewriteStep {
  const own = allVariables(equation);
  return { equation, at, isBack, values: under(new Map([...own, ...names]), values) };
}

/** An equation itself, as a step from its left side to its right one. */
function itself(equation: Equation): RewriteStep {
  return { equation, values: allVariables(equation), at: [], isBack: false };
}

function allVariables({ left, right }: Pick<Equation, 'left' | 'right'>): Map<number, Term> {
  return variablesOf(right, variablesOf(left));
}

function under(values: Substitution, others: Substitution): Map<number, Term> {
  return new Map([...values].map(([variable, term]) => [variable, substitute(term, others)]));
}

function backwards(steps: readonly RewriteStep[]): RewriteStep[] {
  return steps.map((step) => ({ ...step, isBack: !step.isBack })).reverse();
}

/** Whether all variables of the term have values. */
function isCovered(term: Term, values: Substitution): boolean {
  return [...variablesOf(term).keys()].every((variable) => values.has(variable));
}
