import { isVariable, sizeOf, type Term } from './term.ts';

/**
 * Associative and commutative operations. Thousands of derived equations only permute arguments. Commutativity, associativity
 * and `a + (b + c) = b + (a + c)` order any sum, so all larger ones are dropped.
 */
export class Commuting {
  readonly #commutative = new Set<string>();
  readonly #associative = new Set<string>();

  learn(left: Term, right: Term): void {
    if (isVariable(left) || isVariable(right) || left.head !== right.head) return;
    const [a, b] = left.args;
    const [c, d] = right.args;
    if (!a || !b || !c || !d || left.args.length !== 2) return;
    if (isVariable(a) && isVariable(b) && a !== b && isOne(a, d) && isOne(b, c))
      this.#commutative.add(left.head);
    const isLeft = !isVariable(a) && a.head === left.head && isVariable(b);
    const isRight = !isVariable(d) && d.head === left.head && isVariable(c);
    if (isLeft && isRight && sizeOf(left) === 5 && this.#leaves(left).join() === this.#leaves(right).join())
      this.#associative.add(left.head);
  }

  /** Whether both sides differ only in the order of arguments, and it is not one of the ordering laws. */
  isIdle(left: Term, right: Term): boolean {
    return (
      sizeOf(left) === sizeOf(right) &&
      this.#form(left) === this.#form(right) &&
      !this.#isOrdering(left, right)
    );
  }

  /** `a + b = b + a`, or `a + (b + c) = b + (a + c)`. */
  #isOrdering(left: Term, right: Term): boolean {
    if (isVariable(left) || isVariable(right) || !this.#commutative.has(left.head)) return false;
    const [one, other] = [flat(left, left.head), flat(right, left.head)];
    const [a, b, c] = one;
    const [d, e, f] = other;
    if (!one.every(isVariable) || one.length > 3 || !a || !b || !d || !e) return false;
    return isOne(a, e) && isOne(b, d) && (c === undefined || (f !== undefined && isOne(c, f)));
  }

  #form(term: Term): string {
    if (isVariable(term)) return `?${term.variable}`;
    const isFree = this.#commutative.has(term.head) && this.#associative.has(term.head);
    const parts = (isFree ? flat(term, term.head) : term.args).map((one) => this.#form(one));
    return `(${term.head} ${(isFree ? parts.sort() : parts).join(' ')})`;
  }

  #leaves(term: Term): string[] {
    return isVariable(term) ? [`?${term.variable}`] : term.args.flatMap((one) => this.#leaves(one));
  }
}

function flat(term: Term, head: string): Term[] {
  return isVariable(term) || term.head !== head ? [term] : term.args.flatMap((one) => flat(one, head));
}

function isOne(first: Term, second: Term): boolean {
  return isVariable(first) && isVariable(second) && first.variable === second.variable;
}
