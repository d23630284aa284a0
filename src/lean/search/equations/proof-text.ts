import type { Equation, RewriteStep } from './completion.ts';
import {
  isVariable,
  replaceAt,
  subterm,
  substitute,
  variablesOf,
  type TermPosition,
  type Term,
} from './term.ts';

/** How names are chosen, and the Lean names of the given equations. */
export interface Wording {
  /** A prefix of names that is unused in the goal. */
  readonly stem: string;
  /** Name and type of each given equation, by number. */
  readonly given: ReadonlyMap<number, GivenFact>;
  /** A value of each sort that the goal mentions. */
  readonly values: ReadonlyMap<string, string>;
  readonly locals: ReadonlySet<string>;
}

interface GivenFact {
  readonly name: string;
  /** The theorem that states it, and the equation as stated; absent for a hypothesis. */
  readonly law?: string;
  readonly equation?: Equation;
  /** Its variables in the order of its binders. */
  readonly variables: readonly number[];
}

/** The tactic that proves an equation by these steps, with a `have` for every derived equation. */
export function proofText(left: Term, taken: readonly RewriteStep[], wording: Wording): string {
  const steps = taken.map(direct);
  const used = [...usedBy(steps)].sort((first, second) => first.id - second.id);
  const facts = used.map((equation) => factText(equation, wording));
  return `(${[...facts.filter((text) => text !== ''), `exact ${chainText(left, steps, new Map(), wording)}`].join('; ')})`;
}

/** Equations that only repeat another are omitted. */
function direct(step: RewriteStep): RewriteStep {
  const [only, ...more] = step.equation.steps ?? [];
  if (!only || more.length > 0 || only.at.length > 0) return step;
  const values = new Map(
    [...only.values].map(([variable, term]) => [variable, substitute(term, step.values)] as const),
  );
  return direct({ ...step, equation: only.equation, values, isBack: step.isBack !== only.isBack });
}

function usedBy(steps: readonly RewriteStep[], found = new Set<Equation>()): Set<Equation> {
  for (const { equation } of steps) {
    if (found.has(equation)) continue;
    found.add(equation);
    usedBy((equation.steps ?? []).map(direct), found);
  }
  return found;
}

function factText(equation: Equation, wording: Wording): string {
  const { left, right, steps, id } = equation;
  const given = wording.given.get(id);
  if (!steps && given?.law === undefined) return '';
  const names = namesOf(equation, wording);
  const said = `${termText(left, names, wording)} = ${termText(right, names, wording)}`;
  const all = variablesOf(right, variablesOf(left));
  const variables = given?.variables.flatMap((one) => all.get(one) ?? []) ?? [...all.values()];
  const bound = variables.map((one) => ` (${termText(one, names, wording)} : ${one.sort ?? '_'})`).join('');
  const forAll = bound === '' ? '' : `∀${bound}, `;
  const taking = variables.map((one) => ` ${termText(one, names, wording)}`).join('');
  const proof =
    steps === undefined
      ? `(by intros; apply ${given?.law ?? ''})`
      : chainText(left, steps.map(direct), names, wording);
  const isFunction = taking !== '' && steps !== undefined;
  return `have ${nameOf(equation, wording)} : ${forAll}${said} := ${isFunction ? `fun${taking} => ${proof}` : proof}`;
}

type Names = ReadonlyMap<number, string>;

function namesOf({ left, right }: Equation, { stem }: Wording): Names {
  return new Map(
    [...variablesOf(right, variablesOf(left)).keys()].map((one, index) => [one, `${stem}x${index}`]),
  );
}

function nameOf({ id }: Equation, { stem, given }: Wording): string {
  return given.get(id)?.name ?? `${stem}${id}`;
}

/** `first.trans (second.trans third)`. */
function chainText(left: Term, steps: readonly RewriteStep[], names: Names, wording: Wording): string {
  const texts: string[] = [];
  let at = left;
  for (const step of steps) {
    texts.push(stepText(at, step, names, wording));
    at = after(at, step);
  }
  const [last = 'rfl', ...before] = texts.reverse();
  return before.reduce((rest, text) => `(Eq.trans ${text} ${rest})`, last);
}

function after(term: Term, { equation, values, at, isBack }: RewriteStep): Term {
  return replaceAt(term, at, substitute(isBack ? equation.left : equation.right, values));
}

function stepText(
  term: Term,
  { equation, values, at, isBack }: RewriteStep,
  names: Names,
  wording: Wording,
): string {
  const { given } = wording;
  const order = given.get(equation.id)?.variables ?? [
    ...variablesOf(equation.right, variablesOf(equation.left)).keys(),
  ];
  const taken = order.map((variable) => {
    const value = values.get(variable);
    return ` ${value ? termText(value, names, wording) : '_'}`;
  });
  const instance = `(${nameOf(equation, wording)}${taken.join('')})`;
  const turned = isBack ? `(Eq.symm ${instance})` : instance;
  return at.length === 0 ? turned : `(congrArg ${contextText(term, at, names, wording)} ${turned})`;
}

function contextText(term: Term, at: TermPosition, names: Names, wording: Wording): string {
  const { sort } = subterm(term, at);
  const hole = `${wording.stem}z`;
  const marked = replaceAt(term, at, { head: hole, args: [], sort: undefined });
  const bound = sort === undefined ? hole : `(${hole} : ${sort})`;
  return `(fun ${bound} => ${termText(marked, names, wording)})`;
}

const operators: ReadonlyMap<string, string> = new Map([
  ['HAdd.hAdd', '+'],
  ['HMul.hMul', '*'],
  ['HSub.hSub', '-'],
  ['HDiv.hDiv', '/'],
  ['HAppend.hAppend', '++'],
]);

/** Operators use their notation, so that Lean infers the types of numerals. */
function termText(term: Term, names: Names, wording: Pick<Wording, 'values' | 'locals'>): string {
  // a variable that occurs only in intermediate steps may have any value
  if (isVariable(term)) return names.get(term.variable) ?? wording.values.get(term.sort ?? '') ?? '_';
  const { head, args, sort } = term;
  if (args.length === 0) {
    const isPlain = sort === undefined || wording.locals.has(head) || head.startsWith('(');
    return isPlain ? head : `(${head} : ${sort})`;
  }
  const texts = args.map((one) => termText(one, names, wording));
  const operator = operators.get(head);
  return operator !== undefined && texts.length === 2
    ? `(${texts.join(` ${operator} `)})`
    : `(${head} ${texts.join(' ')})`;
}
