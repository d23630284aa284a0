import type { Goal } from '../base/protocol.ts';
import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';
import { isProof, localsOf } from './shapes.ts';
import { atomEnd, partsOf, sidesOf } from './terms.ts';

/** Number of values per type, and of rounds that build them; more give too many combinations. */
const mostValues = 10;
const rounds = 4;
/** Number of values for a constructor's argument, of another type and of the type itself. */
const forArguments = { other: 2, own: 3 };
const heartbeats = 400;

/** Types whose values are written as literals instead of constructors. */
const literals: Readonly<Record<string, readonly string[]>> = {
  Nat: ['0', '1', '2', '3'],
  'ULift Nat': ['(ULift.up 0)', '(ULift.up 1)', '(ULift.up 2)'],
  Int: ['(0 : Int)', '(1 : Int)', '(-1 : Int)', '(2 : Int)'],
  Bool: ['true', 'false'],
  Prop: ['True', 'False'],
  Char: ["'a'", "'b'"],
  String: ['""', '"a"', '"ab"'],
};

interface Constructor {
  /** As Lean prints it, with the names of its arguments. */
  readonly pattern: string;
  readonly arguments: readonly { readonly name: string; readonly type: string; readonly isProof: boolean }[];
}

/** Small closed values of types, as Lean text, smallest first. Lean reports the constructors of each type. */
export class SmallValues {
  readonly #workbench: Workbench;
  readonly #account: WorkAccount;
  readonly #state: WorkState;
  /**
   * Also contains types under construction: a type that needs itself through another one has no values at that
   * point.
   */
  readonly #known = new Map<string, readonly string[]>();

  constructor(workbench: Workbench, account: WorkAccount, state: WorkState) {
    this.#workbench = workbench;
    this.#account = account;
    this.#state = state;
  }

  async of(written: string): Promise<readonly string[]> {
    const type = bare(written);
    const known = this.#known.get(type) ?? literals[type];
    if (known) return known;
    this.#known.set(type, []);
    const [head, element] = partsOf(type);
    const values =
      head === 'List' && element !== undefined
        ? lists(type, await this.of(element))
        : ((await this.#functions(type)) ?? (await this.#built(type)));
    this.#known.set(type, values);
    return values;
  }

  /** Constant functions and the identity; undefined for other types. */
  async #functions(type: string): Promise<readonly string[] | undefined> {
    const sides = sidesOf(type, '→');
    if (!sides) return undefined;
    const [domain, codomain] = sides;
    const constant = (await this.of(codomain)).slice(0, 2).map((value) => `(fun _ => ${value})`);
    return domain === codomain ? ['(fun x => x)', ...constant] : constant;
  }

  async #built(type: string): Promise<readonly string[]> {
    const constructors = await this.#constructors(type);
    let values: readonly string[] = [];
    for (let round = 0; round < rounds && values.length < mostValues; round++) {
      const next: string[] = [];
      for (const constructor of constructors) {
        const choices: (readonly string[])[] = [];
        for (const argument of constructor.arguments)
          choices.push(
            argument.isProof
              ? ['(by decide)']
              : argument.type === type
                ? values.slice(0, forArguments.own)
                : (await this.of(argument.type)).slice(0, forArguments.other),
          );
        next.push(...combinations(choices).map((chosen) => filled(constructor, chosen)));
      }
      values = [...new Set([...values, ...next])].slice(0, mostValues);
    }
    return values;
  }

  async #constructors(type: string): Promise<Constructor[]> {
    const tactic = `(${inFront(`(${type}) → True`)}; intro small; cases built : small)`;
    const [answer] = await this.#workbench.run(this.#state, [tactic], this.#account, {
      heartbeats,
      until: 'end',
    });
    if (answer?.kind !== 'state') return [];
    const names = new Set(this.#state.goals[0]?.hypotheses.map(({ name }) => name));
    // the goals that were open before come after the cases
    const cases = answer.state.goals.slice(0, answer.state.goals.length - this.#state.goals.length);
    return cases.flatMap((one) => constructorIn(one, names) ?? []);
  }
}

/** A separate claim before the goal `P`, which may mention it; implicit variables of the goal are unchanged. */
export function inFront(claim: string): string {
  return `refine no_implicit_lambda% ((show ∀ {P : Prop}, (${claim}) → P → P from fun _ p => p) ?_ ?_)`;
}

/** `built : small = Tree.node l✝ x✝ r✝`, with the types of `l✝`, `x✝` and `r✝`. */
function constructorIn(goal: Goal, others: ReadonlySet<string>): Constructor | undefined {
  const [, pattern] =
    /^small = (.*)$/s.exec(goal.hypotheses.find(({ name }) => name === 'built')?.type ?? '') ?? [];
  if (pattern === undefined) return undefined;
  const own = goal.hypotheses.filter(({ name }) => !others.has(name) && name !== 'built' && name !== 'small');
  // with accessible names, because unnamed parts are not printed
  const hypotheses = own.map((one) => ({ ...one, name: `${one.name}_` }));
  return {
    pattern,
    arguments: localsOf({ ...goal, hypotheses }).map(({ name, type, shape }) => ({
      name: name.slice(0, -1),
      type,
      isProof: shape !== 'function' && isProof(shape),
    })),
  };
}

function filled({ pattern, arguments: own }: Constructor, values: readonly string[]): string {
  return withValues(pattern, new Map(own.map(({ name }, index) => [name, values[index] ?? ''])));
}

/** A text at values for its variables: `l.node x r` as `(Tree.leaf).node 0 Tree.leaf`. */
export function withValues(text: string, values: ReadonlyMap<string, string>): string {
  const variable = /(?<![\p{L}\p{N}_'.✝])([\p{L}_][\p{L}\p{N}_'₀-₉]*(?:✝[⁰¹²³⁴-⁹]*)?)(\.?)/gu;
  return text.replace(variable, (all, name: string, dot: string) => {
    const value = values.get(name);
    if (value === undefined) return all;
    return `${dot === '.' && /^[\w.]+$/.test(value) ? `(${value})` : atom(value)}${dot}`;
  });
}

/** A few values that differ in length, order and repetition. */
function lists(type: string, [first, second, third]: readonly string[]): string[] {
  const empty = `([] : ${type})`;
  if (first === undefined) return [empty];
  if (second === undefined) return [empty, `[${first}]`, `[${first}, ${first}]`];
  const pairs = [
    [first, second],
    [second, first],
    [second, second],
    third === undefined ? [] : [second, third],
  ];
  return [
    empty,
    `[${first}]`,
    `[${second}]`,
    ...pairs.filter(({ length }) => length > 0).map((pair) => `[${pair.join(', ')}]`),
  ];
}

/** One of each, the first ones first. */
export function combinations<Value>(choices: readonly (readonly Value[])[], most = Infinity): Value[][] {
  const all = choices.reduce<{ readonly chosen: Value[]; readonly rank: number }[]>(
    (before, values) =>
      before.flatMap(({ chosen, rank }) =>
        values.map((value, index) => ({ chosen: [...chosen, value], rank: rank + index })),
      ),
    [{ chosen: [], rank: 0 }],
  );
  return all
    .toSorted((one, two) => one.rank - two.rank)
    .slice(0, most)
    .map(({ chosen }) => chosen);
}

function bare(type: string): string {
  return type.startsWith('(') && atomEnd(type, 0) === type.length ? type.slice(1, -1) : type;
}

/** In parentheses where an argument needs them. */
function atom(value: string): string {
  return /^\S+$/.test(value) || atomEnd(value, 0) === value.length ? value : `(${value})`;
}
