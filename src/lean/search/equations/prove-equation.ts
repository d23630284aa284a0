import { setImmediate as turn } from 'node:timers/promises';
import { noCost, type EquationTerm, type Equations } from '../../base/protocol.ts';
import type { WorkAccount } from '../../workbench/account.ts';
import { Completion, type Equation } from './completion.ts';
import { pathOrder } from './order.ts';
import { proofText, type Wording } from './proof-text.ts';
import { variablesOf, type Term } from './term.ts';

/** Groups need some dozens of equations (about 0.1 s), rings some hundreds (0.8 s). */
const limits = { looks: 1200, waiting: 8000, size: 44 };
/** Yields to other tasks after this many equations. */
const lookSlice = 25;
/** Cost of one equation on the reference machine. */
const lookSeconds = 0.001;

/**
 * Proves an equation from equations, at the terms that completion finds. The result is one tactic with a `have` for every step,
 * which Lean checks like any other.
 */
export async function provedByEquations(asked: Equations, account: WorkAccount): Promise<string | undefined> {
  const [left, right] = asked.sides ?? [];
  if (!left || !right || asked.given.length === 0) return undefined;
  const sides = [termOf(left, 0), termOf(right, 0)] as const;
  const { given, wording } = problemOf(asked);
  const order = pathOrder([sides, ...given.map((one) => [one.left, one.right] as const)]);
  const completion = new Completion(given, sides, order, limits);
  for (let mayGoOn = true; mayGoOn && !completion.found && !completion.isOver;) {
    const { user: before } = process.threadCpuUsage();
    let done = 0;
    for (; done < lookSlice && !completion.found && !completion.isOver; done++) completion.advance();
    const { user: after } = process.threadCpuUsage();
    account.charge({ ...noCost, cpuSeconds: (after - before) / 1e6, workSeconds: done * lookSeconds });
    mayGoOn = account.stopped === undefined;
    await turn();
  }
  return completion.found && proofText(sides[0], completion.found, wording);
}

/** The given equations with distinct variables, and the Lean names of everything. */
function problemOf({ given, values }: Equations): { readonly given: Equation[]; readonly wording: Wording } {
  let stem = 'eq';
  while (values.some(([name]) => name.startsWith(stem)) || given.some(({ name }) => name.startsWith(stem)))
    stem += 'q';
  let next = 0;
  const read = given.map((law, id) => {
    const first = next;
    next += law.sorts.length;
    const [left, right] = [termOf(law.left, first), termOf(law.right, first)];
    // a law is stated anew, with the variables that occur in it; a hypothesis takes them all
    const occurring = variablesOf(right, variablesOf(left));
    const variables = law.sorts
      .map((_, index) => first + index)
      .filter((one) => law.local || occurring.has(one));
    return { equation: { id, left, right, steps: undefined }, law, variables };
  });
  const wording = {
    stem,
    values: new Map(values.map(([name, sort]) => [sort, name])),
    locals: new Set(values.map(([name]) => name)),
  };
  const facts = read.map(({ equation, law, variables }) => {
    const fact = { name: law.local ? law.name : `${stem}g${equation.id}`, variables };
    return [equation.id, { ...fact, ...(law.local ? {} : { law: law.name, equation }) }] as const;
  });
  return { given: read.map(({ equation }) => equation), wording: { ...wording, given: new Map(facts) } };
}

function termOf(term: EquationTerm, first: number): Term {
  const { sort } = term;
  if ('variable' in term) return { variable: first + term.variable, sort };
  return { head: term.head, args: term.args.map((one) => termOf(one, first)), sort };
}
