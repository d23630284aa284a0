import type { Facts } from '../../premises/facts.ts';
import type { Goal } from '../../base/protocol.ts';
import { unique } from '../closers.ts';
import { nearestPremises } from '../premise-moves.ts';
import { isProof, localsOf, mentions } from '../shapes.ts';
import { sidesOf } from '../terms.ts';
import { Completion, type Equation } from './completion.ts';
import { pathOrder } from './order.ts';
import { proofText, type Wording } from './proof-text.ts';
import { plainly, printedEquation, printedGoal, termOf, type PrintedGoal } from './read.ts';
import { withSorts } from './sorts.ts';
import { isVariable, positionsOf, type Term } from './term.ts';

/** Access to Lean's messages. */
export interface Questions {
  /** Lean's message for a failing tactic; undefined if it does not fail or was not run. */
  words(tactic: string): Promise<string | undefined>;
  /** Charges the time of the search, on this machine and on the reference machine; returns false when the budget is used up. */
  charge(cpuSeconds: number, workSeconds: number): boolean;
}

const mostLaws = 40;
const bounds = { waiting: 8000, size: 44 };
/** Yields to other tasks after this many equations. */
const lookSlice = 25;
/** Cost of one equation on the reference machine. */
const lookSeconds = 0.001;

/**
 * Proves an equation from equations: hypotheses, laws of the preamble's structures and its lemmas, at the terms that completion
 * finds. The result is one tactic with a `have` for every step, which Lean checks like any other.
 */
export async function provedByEquations(
  goal: Goal,
  facts: Facts,
  lean: Questions,
  looks: number,
): Promise<string[]> {
  if (!sidesOf(goal.target, '=')) return [];
  const stem = stemFor(goal);
  const statements = await statementsOf(goal, facts, stem, lean);
  if (statements.length === 0) return [];
  const names = statements.map((_, index) => `${stem}g${index}`);
  const asked = statements.map((text, index) => `(try have ${names[index]} := ${text})`);
  const printed = printedGoal((await lean.words(`(${[...asked, plainly].join('; ')})`)) ?? '');
  const problem =
    printed && problemOf(printed, new Map(names.map((name, index) => [name, statements[index] ?? ''])));
  if (!problem) return [];
  const { given, sides, wording } = problem;
  const order = pathOrder([sides, ...given.map(({ left, right }) => [left, right] as const)]);
  const completion = new Completion(given, sides, order, { ...bounds, looks });
  for (let mayGoOn = true; mayGoOn && !completion.found && !completion.isOver;) {
    const { user: before } = process.threadCpuUsage();
    let done = 0;
    for (; done < lookSlice && !completion.found && !completion.isOver; done++) completion.advance();
    const { user: after } = process.threadCpuUsage();
    mayGoOn = lean.charge((after - before) / 1e6, done * lookSeconds);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const steps = completion.found;
  return steps ? [proofText(sides[0], steps, { ...wording, stem })] : [];
}

/** The lemmas that may be equations, most similar first. */
export function lawsFor(goal: Goal, facts: Facts): string[] {
  return nearestPremises(goal, facts)
    .filter((lemma) => facts.lemmaSymbols.get(lemma)?.includes('Eq') ?? true)
    .slice(0, mostLaws);
}

/** Every equational law and hypothesis, at the types of the goal, as a function of its variables. */
async function statementsOf(goal: Goal, facts: Facts, stem: string, lean: Questions): Promise<string[]> {
  const locals = localsOf(goal);
  const laws = lawsFor(goal, facts);
  const asked = laws.map((law, index) => `(try have ${stem}l${index} := @${law})`);
  const printed = printedGoal((await lean.words(`(${[...asked, plainly].join('; ')})`)) ?? '');
  if (!printed) return [];
  const types = unique([
    ...locals.filter(({ shape }) => shape === 'sort').map(({ name }) => name),
    ...locals
      .filter(({ name, shape }) => !isProof(shape) && mentions(goal.target, name))
      .map(({ type }) => type),
  ]).slice(0, 2);
  const known = locals.filter(({ shape }) => isProof(shape)).map(({ name }) => [name, name] as const);
  return unique(
    [...known, ...laws.map((law, index) => [law, `${stem}l${index}`] as const)].flatMap(([law, name]) => {
      const equation = printedEquation(printed.locals.get(name) ?? '');
      if (!equation || equation.types.length > 1) return [];
      const [type] = equation.types;
      return type === undefined
        ? [functionOf(law, equation.binders, undefined)]
        : types.map((by) => functionOf(law, equation.binders, { type, by }));
    }),
  );
}

/** `fun (x0 : G) (x1 : G) => law (α := G) (a := x0) (b := x1)`. */
function functionOf(
  law: string,
  binders: ReadonlyMap<string, string>,
  at: { readonly type: string; readonly by: string } | undefined,
): string {
  const all = [...binders];
  const sort = (type: string): string =>
    at
      ? type.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_.])${at.type}(?![\\p{L}\\p{N}_])`, 'gu'), at.by)
      : type;
  const taken = all.map(([, type], index) => `(x${index} : ${sort(type)})`);
  const args = [
    ...(at ? [`(${at.type} := ${at.by})`] : []),
    ...all.map(([name], index) => `(${name} := x${index})`),
  ];
  const applied = [law, ...args].join(' ');
  return taken.length === 0 ? applied : `fun ${taken.join(' ')} => ${applied}`;
}

interface Problem {
  readonly given: readonly Equation[];
  readonly sides: readonly [Term, Term];
  readonly wording: Omit<Wording, 'stem'>;
}

/** The goal and the facts that Lean could elaborate, as terms. */
function problemOf(
  { locals, target }: PrintedGoal,
  statements: ReadonlyMap<string, string>,
): Problem | undefined {
  const goal = equationOf(target, 0);
  if (!goal) return undefined;
  let next = 0;
  const read = [...statements].flatMap(([name, text]) => {
    const type = locals.get(name);
    const equation = type === undefined ? undefined : equationOf(type, next);
    if (!equation) return [];
    next += equation.variables.length;
    return [{ name, text, ...equation }];
  });
  const near = connected(goal.sides, read);
  const [sides, ...given] = withSorts([goal.sides, ...near.map((one) => one.sides)], locals);
  if (!sides || given.length === 0) return undefined;
  return {
    sides,
    given: given.map(([left, right], id) => ({ id, left, right, steps: undefined })),
    wording: {
      given: new Map(
        near.map(({ name, text, variables }, id) => [
          id,
          { name, variables, statement: `have ${name} := ${text}` },
        ]),
      ),
      values: new Map(
        [...locals].filter(([name]) => !name.includes('✝')).map(([name, type]) => [type, name]),
      ),
      locals: new Set(locals.keys()),
    },
  };
}

interface ReadEquation {
  readonly sides: readonly [Term, Term];
  readonly variables: readonly number[];
}

function equationOf(text: string, first: number): ReadEquation | undefined {
  const printed = printedEquation(text);
  if (!printed || printed.types.length > 0) return undefined;
  const names = [...printed.binders];
  const variables = new Map(
    names.map(([name, sort], index): [string, Term] => [name, { variable: first + index, sort }]),
  );
  const [left, right] = printed.sides.map((side) => termOf(side, variables));
  return left && right && { sides: [left, right], variables: names.map((_, index) => first + index) };
}

/** The equations related to the goal's operations, directly or through each other. */
function connected<Read extends ReadEquation>(goal: readonly [Term, Term], all: readonly Read[]): Read[] {
  const heads = new Set(goal.flatMap(headsOf));
  const found = new Set<Read>();
  for (let size = -1; size !== found.size;) {
    ({ size } = found);
    for (const one of all) {
      const its = one.sides.flatMap(headsOf);
      if (found.has(one) || !its.some((head) => heads.has(head))) continue;
      found.add(one);
      for (const head of its) heads.add(head);
    }
  }
  return [...found];
}

function headsOf(term: Term): string[] {
  return isVariable(term) ? [] : [...positionsOf(term)].map(([, { head }]) => head);
}

/** A prefix that no name of the goal has. */
function stemFor({ hypotheses }: Goal): string {
  let stem = 'eq';
  while (hypotheses.some(({ name }) => name.startsWith(stem))) stem += 'q';
  return stem;
}
