import { isSame, isVariable, variablesOf, type Application, type Term } from './term.ts';

/** Compares two terms, for all values of their variables. */
export interface TermOrder {
  isGreater(first: Term, second: Term): boolean;
}

type Answers = Map<Term, Map<Term, boolean>>;

/** The equations from which the order is computed. */
type Sides = readonly [Term, Term];

/**
 * The lexicographic path order. An operation defined by others is greater than those: an operation that distributes over
 * another, then operations with one argument, two, more, then constants.
 */
export function pathOrder(equations: readonly Sides[]): TermOrder {
  const ranks = ranksOf(equations);
  const rank = (head: string): number => ranks.get(head) ?? -1;
  // the same parts are compared repeatedly; without memoisation the number of comparisons is exponential
  const isGreater = (first: Term, second: Term, known: Answers): boolean => {
    if (isVariable(first)) return false;
    if (isVariable(second)) return variablesOf(first).has(second.variable);
    const answers = known.get(first) ?? new Map<Term, boolean>();
    known.set(first, answers);
    const answer = answers.get(second) ?? isGreaterApplication(first, second, known);
    answers.set(second, answer);
    return answer;
  };
  const isGreaterApplication = (first: Application, second: Application, known: Answers): boolean => {
    if (first.args.some((one) => isSame(one, second) || isGreater(one, second, known))) return true;
    const [one, other] = [rank(first.head), rank(second.head)];
    if (first.head !== second.head && (one < other || (one === other && first.head < second.head)))
      return false;
    if (!second.args.every((part) => isGreater(first, part, known))) return false;
    return first.head !== second.head || isFirstGreater(first, second, known);
  };
  const isFirstGreater = (first: Application, second: Application, known: Answers): boolean => {
    for (const [index, one] of first.args.entries()) {
      const other = second.args[index];
      if (!other || !isSame(one, other)) return other !== undefined && isGreater(one, other, known);
    }
    return false;
  };
  return { isGreater: (first, second) => isGreater(first, second, new Map()) };
}

function ranksOf(equations: readonly Sides[]): Map<string, number> {
  const arities = new Map<string, number>();
  const under = new Map<string, Set<string>>();
  const visit = (term: Term): void => {
    if (isVariable(term)) return;
    arities.set(term.head, term.args.length);
    for (const one of term.args) visit(one);
  };
  for (const [left, right] of equations) {
    visit(left);
    visit(right);
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (isVariable(one) || isVariable(other) || one.head === other.head) continue;
      const isDistributed =
        one.args.some((part) => !isVariable(part) && part.head === other.head) &&
        other.args.every((part) => !isVariable(part) && part.head === one.head);
      if (isDistributed) under.set(one.head, (under.get(one.head) ?? new Set()).add(other.head));
    }
  }
  const heads = [...arities.keys()].sort((first, second) => {
    if (under.get(first)?.has(second) === true) return 1;
    if (under.get(second)?.has(first) === true) return -1;
    return place(arities.get(first)) - place(arities.get(second)) || (first < second ? -1 : 1);
  });
  return new Map(heads.map((head, index) => [head, index]));
}

/** One argument ranks above two, two above three, constants below all. */
function place(arity = 0): number {
  return arity === 0 ? -100 : -arity;
}
