import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';
import { namingMove } from './moves.ts';
import { falsify } from './negation.ts';
import { isProof, localsOf, mentions, type Local } from './shapes.ts';
import { atom, combinations, inFront, SmallValues, withValues } from './small-values.ts';

/** Number of instances that are tried, and per batch: more cost more than they find. */
const maxInstances = 64;
const atOnce = 8;
const heartbeats = 400;

/** What a look for a counter-example found. */
export interface CounterExample {
  /** What is false, as a text that Lean reads; undefined: nothing was found, which says nothing. */
  readonly instance: string | undefined;
  /** Variables for which no values were tried: types, functions, and whatever is not built by constructors. */
  readonly untried: readonly string[];
}

/**
 * A counterexample: small closed values for the variables of a goal for which what is left of it is false. A candidate: a caller that
 * believes it has the gate judge it.
 */
export async function refute(workbench: Workbench, account: WorkAccount): Promise<CounterExample> {
  const [root, ...others] = workbench.open;
  const goal = root?.goals[0];
  if (!goal || others.length > 0 || workbench.goal.holes.kind !== 'statement')
    return { instance: undefined, untried: [] };
  const locals = localsOf(goal);
  const untried = locals.filter((one) => hasNoValues(one, locals));
  const instance = untried.some(({ shape }) => shape !== 'function')
    ? undefined
    : await search(workbench, account, await withNames(workbench, account, root));
  return { instance, untried: untried.map(({ name, type }) => `${name} : ${type}`) };
}

/** Types, functions, and what depends on another variable, as `Fin n` does. */
function hasNoValues({ shape, kind, type }: Local, locals: readonly Local[]): boolean {
  if (shape === 'data') return locals.some(({ name }) => mentions(type, name));
  return (shape === 'sort' || kind === 'function' || shape === 'other') && type !== 'Prop';
}

async function search(
  workbench: Workbench,
  account: WorkAccount,
  state: WorkState,
): Promise<string | undefined> {
  const [goal] = state.goals;
  if (!goal) return undefined;
  const locals = localsOf(goal);
  const variables = locals.filter(({ shape, type }) => shape === 'data' || type === 'Prop');
  const assumed = locals.filter(({ shape, type }) => isProof(shape) && type !== 'Prop');
  const small = new SmallValues(workbench, account, state);
  const choices: (readonly string[])[] = [];
  for (const { type } of variables) choices.push(await small.of(type));
  const valuations = combinations(choices, maxInstances);
  for (let from = 0; from < valuations.length && account.stopped === undefined; from += atOnce) {
    const some = valuations.slice(from, from + atOnce);
    const tactics = some.map((values) => falsity(variables, assumed, values));
    const answers = await workbench.run(state, tactics, account, { heartbeats, until: 'end' });
    const values = some[answers.findIndex(({ kind }) => kind === 'state')];
    if (!values) continue;
    const byName = new Map(variables.map(({ name }, index) => [name, values[index] ?? '']));
    return [...assumed.map(({ type }) => type), goal.target]
      .map((text) => withValues(text, byName))
      .join(' → ');
  }
  return undefined;
}

/** Prove that the goal is false at values, with what is assumed of them; the goal itself stays open behind that. */
function falsity(variables: readonly Local[], assumed: readonly Local[], values: readonly string[]): string {
  const reverted = [assumed, variables].filter(({ length }) => length > 0);
  const steps = [
    ...reverted.map((locals) => `revert ${locals.map(({ name }) => name).join(' ')}`),
    inFront('¬P'),
    'intro holds',
    `exact absurd (${['@holds', ...values.map(atom)].join(' ')}) (by ${falsify})`,
  ];
  return `(${steps.join('; ')})`;
}

/** What Lean has no name for cannot be given a value. */
async function withNames(workbench: Workbench, account: WorkAccount, state: WorkState): Promise<WorkState> {
  const [goal] = state.goals;
  const tactic = goal && namingMove(goal);
  if (tactic === undefined) return state;
  const [answer] = await workbench.run(state, [tactic], account, { heartbeats, until: 'end' });
  return answer?.kind === 'state' ? answer.state : state;
}
