import type { SeededRandom } from '../../helpers/random.ts';
import {
  apply,
  bound,
  constant,
  equal,
  lambda,
  levelOne,
  pi,
  prop,
  type,
  zero,
  type Declaration,
  type Name,
  type Term,
} from './export.ts';

/**
 * Small theories whose truth is known without Lean: finite types, functions given by tables, predicates given by
 * rules. The truth is the oracle of the forged exports: only true statements may be accepted, whatever a forger
 * writes.
 */
interface Finite {
  readonly name: Name;
  readonly size: number;
}
interface Table {
  readonly name: Name;
  readonly of: Finite;
  readonly values: readonly boolean[];
}
/** `facts` hold; each rule leads from one element to another. */
interface Predicate {
  readonly name: Name;
  readonly of: Finite;
  readonly facts: readonly number[];
  readonly rules: readonly (readonly [from: number, to: number])[];
}
export type Formula =
  | { readonly says: 'value'; readonly table: Table; readonly at: number; readonly value: boolean }
  | { readonly says: 'everywhere'; readonly table: Table; readonly value: boolean }
  | { readonly says: 'holds'; readonly predicate: Predicate; readonly at: number }
  /** The kernel computes with large numbers itself. */
  | {
      readonly says: 'number';
      readonly operation: Operation;
      readonly of: readonly [bigint, bigint];
      readonly is: bigint;
    }
  | { readonly says: 'both' | 'either'; readonly left: Formula; readonly right: Formula };

export interface Theory {
  readonly types: readonly Finite[];
  readonly tables: readonly Table[];
  readonly predicates: readonly Predicate[];
  readonly goal: Formula;
}

export function randomTheory(random: SeededRandom): Theory {
  const types = upTo(random, 1, 2).map((index) => ({ name: ['E', index], size: 2 + random.below(3) }));
  const tables = upTo(random, 1, 3).map((index) => {
    const of = random.pick(types);
    const values = Array.from({ length: of.size }, () => random.below(2) === 1);
    return { name: ['f', index], of, values };
  });
  const predicates = upTo(random, 1, 2).map((index) => {
    const of = random.pick(types);
    const element = (): number => random.below(of.size);
    const facts = Array.from({ length: random.below(2) + 1 }, element);
    const rules = Array.from({ length: random.below(3) }, () => [element(), element()] as const);
    return { name: ['P', index], of, facts: [...new Set(facts)], rules };
  });
  return { types, tables, predicates, goal: randomFormula(random, tables, predicates, 2) };
}

const upTo = (random: SeededRandom, least: number, most: number): number[] =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, index) => index);

function randomFormula(
  random: SeededRandom,
  tables: readonly Table[],
  predicates: readonly Predicate[],
  depth: number,
): Formula {
  const value = random.below(2) === 1;
  const choice = random.below(depth > 0 ? 6 : 4);
  if (choice >= 4) {
    const left = randomFormula(random, tables, predicates, depth - 1);
    const right = randomFormula(random, tables, predicates, depth - 1);
    return { says: choice === 4 ? 'both' : 'either', left, right };
  }
  if (choice === 3) return randomSum(random);
  const table = random.pick(tables);
  const predicate = random.pick(predicates);
  if (choice === 0) return { says: 'value', table, at: random.below(table.of.size), value };
  if (choice === 1) return { says: 'everywhere', table, value };
  return { says: 'holds', predicate, at: random.below(predicate.of.size) };
}

/** Sizes around which machine-word arithmetic goes wrong. */
const words = [0, 8, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 200] as const;
const operations = {
  add: (a, b) => a + b,
  sub: (a, b) => (a > b ? a - b : 0n),
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? 0n : a / b),
  mod: (a, b) => (b === 0n ? a : a % b),
  gcd: (a, b) => greatestDivisor(a, b),
  land: (a, b) => a & b,
  lor: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shiftLeft: (a, b) => a << (b % 300n),
  shiftRight: (a, b) => a >> (b % 300n),
} satisfies Record<string, (a: bigint, b: bigint) => bigint>;
type Operation = keyof typeof operations;

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));

function randomSum(random: SeededRandom): Formula {
  const number = (): bigint => {
    const near = (1n << BigInt(random.pick(words))) + BigInt(random.below(5) - 2);
    return near < 0n ? 0n : near;
  };
  const operation = random.pick(Object.keys(operations) as Operation[]);
  const isShift = operation === 'shiftLeft' || operation === 'shiftRight';
  const of = [number(), isShift ? BigInt(random.below(300)) : number()] as const;
  const right = operations[operation](...of);
  const wrong = [
    right + 1n,
    right - 1n,
    right + (1n << 32n),
    right % (1n << 64n),
    right ^ (1n << 31n),
    number(),
  ];
  const is = random.below(2) === 0 ? right : random.pick(wrong);
  return { says: 'number', operation, of, is: is < 0n ? 0n : is };
}

/* ---- the oracle ---- */

export function isTrue(formula: Formula): boolean {
  switch (formula.says) {
    case 'value':
      return formula.table.values[formula.at] === formula.value;
    case 'everywhere':
      return formula.table.values.every((value) => value === formula.value);
    case 'holds':
      return derivation(formula.predicate, formula.at) !== undefined;
    case 'number':
      return operations[formula.operation](...formula.of) === formula.is;
    case 'both':
      return isTrue(formula.left) && isTrue(formula.right);
    case 'either':
      return isTrue(formula.left) || isTrue(formula.right);
  }
}

/* ---- the same in Lean's terms ---- */

const bool = constant('Bool');
const boolean = (value: boolean): Term => constant(value ? 'Bool.true' : 'Bool.false');
const natural = constant('Nat');
const literal = (value: bigint): Term => ({ term: 'number', digits: String(value) });
const part = (name: Name, last: string): Name => [...name, last];
const element = (of: Finite, index: number): Term => constant(part(of.name, `c${index}`));
const elements = (of: Finite): number[] => Array.from({ length: of.size }, (_, index) => index);

/** Case analysis over a finite type, with a motive that is a function. */
const cases = (of: Finite, motive: Term, inProp: boolean, branches: readonly Term[], target: Term): Term =>
  apply(constant(part(of.name, 'rec'), inProp ? zero : levelOne), motive, ...branches, target);

export function declarationsOf({ types, tables, predicates }: Omit<Theory, 'goal'>): Declaration[] {
  return [...types.map(typeOf), ...tables.map(tableOf), ...predicates.map(predicateOf)];
}

const typeOf = (of: Finite): Declaration => ({
  kind: 'inductive',
  parameters: 0,
  types: [
    {
      name: of.name,
      type,
      constructors: elements(of).map((index) => ({
        name: part(of.name, `c${index}`),
        type: constant(of.name),
      })),
    },
  ],
});

const tableOf = ({ name, of, values }: Table): Declaration => ({
  kind: 'definition',
  name,
  type: pi(constant(of.name), bool),
  value: lambda(
    constant(of.name),
    cases(of, lambda(constant(of.name), bool), false, values.map(boolean), bound(0)),
  ),
});

const predicateOf = ({ name, of, facts, rules }: Predicate): Declaration => ({
  kind: 'inductive',
  parameters: 0,
  types: [
    {
      name,
      type: pi(constant(of.name), prop),
      constructors: [
        ...facts.map((at, index) => ({
          name: part(name, `fact${index}`),
          type: apply(constant(name), element(of, at)),
        })),
        ...rules.map(([from, to], index) => ({
          name: part(name, `rule${index}`),
          type: pi(apply(constant(name), element(of, from)), apply(constant(name), element(of, to))),
        })),
      ],
    },
  ],
});

export function typeOfFormula(formula: Formula): Term {
  switch (formula.says) {
    case 'value': {
      const { table, at, value } = formula;
      return equal(bool, apply(constant(table.name), element(table.of, at)), boolean(value));
    }
    case 'everywhere':
      return pi(constant(formula.table.of.name), everywhere(formula, bound(0)));
    case 'holds':
      return apply(constant(formula.predicate.name), element(formula.predicate.of, formula.at));
    case 'number': {
      const [left, right] = formula.of.map(literal) as [Term, Term];
      return equal(natural, apply(constant(`Nat.${formula.operation}`), left, right), literal(formula.is));
    }
    case 'both':
    case 'either':
      return apply(
        constant(formula.says === 'both' ? 'And' : 'Or'),
        typeOfFormula(formula.left),
        typeOfFormula(formula.right),
      );
  }
}

const everywhere = ({ table, value }: Extract<Formula, { says: 'everywhere' }>, at: Term): Term =>
  equal(bool, apply(constant(table.name), at), boolean(value));
const reflexive = (value: boolean): Term => apply(constant('Eq.refl', levelOne), bool, boolean(value));

/** A proof of a true formula; for a false one, what a proof would look like if it were true. */
export function proofOf(formula: Formula): Term {
  switch (formula.says) {
    case 'value':
      return reflexive(formula.value);
    case 'everywhere': {
      const { table, value } = formula;
      const domain = constant(table.of.name);
      const motive = lambda(domain, everywhere(formula, bound(0)));
      return lambda(
        domain,
        cases(
          table.of,
          motive,
          true,
          elements(table.of).map(() => reflexive(value)),
          bound(0),
        ),
      );
    }
    case 'holds': {
      const { predicate, at } = formula;
      const steps = derivation(predicate, at) ?? ['fact0'];
      return steps.reduceRight<Term | undefined>((below, step) => {
        const made = constant(part(predicate.name, step));
        return below === undefined ? made : apply(made, below);
      }, undefined) as Term;
    }
    case 'number':
      return apply(constant('Eq.refl', levelOne), natural, literal(formula.is));
    case 'both':
      return apply(
        constant('And.intro'),
        typeOfFormula(formula.left),
        typeOfFormula(formula.right),
        proofOf(formula.left),
        proofOf(formula.right),
      );
    case 'either': {
      const isLeft = isTrue(formula.left);
      return apply(
        constant(isLeft ? 'Or.inl' : 'Or.inr'),
        typeOfFormula(formula.left),
        typeOfFormula(formula.right),
        proofOf(isLeft ? formula.left : formula.right),
      );
    }
  }
}

/** The constructors that lead to an element, the outermost first. */
function derivation(
  { facts, rules }: Predicate,
  at: number,
  seen: readonly number[] = [],
): string[] | undefined {
  const fact = facts.indexOf(at);
  if (fact >= 0) return [`fact${fact}`];
  if (seen.includes(at)) return undefined;
  for (const [index, [from, to]] of rules.entries()) {
    if (to !== at) continue;
    const below = derivation({ facts, rules } as Predicate, from, [...seen, at]);
    if (below) return [`rule${index}`, ...below];
  }
  return undefined;
}
