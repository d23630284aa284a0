import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';
import { namingMove } from './moves.ts';
import { falsify, holdsAt, instanceOf } from './negation.ts';
import { isProof, localsOf, type Local } from './shapes.ts';
import { combinations, inFront, SmallValues, withValues } from './small-values.ts';

/** Number of instances, in all and per batch; more are not worth their cost. */
const maxInstances = 64;
const atOnce = 8;
const heartbeats = 400;

/** The result of a search for a counterexample. */
export interface CounterExample {
  /** Values at which the goal is false, such as `n = 1`; undefined: none was found, which proves nothing. */
  readonly instance: string | undefined;
  /** Variables for which no values were tried: types that are not built by constructors, or that depend on values. */
  readonly untried: readonly string[];
}

/** Type variables become natural numbers; in a variable universe, a lifted copy of them. */
const numbers = { plain: 'Nat', lifted: 'ULift Nat' };

/**
 * Finds a counterexample: small closed values of a goal's variables for which it is false. It is only a candidate until the
 * gate has judged it.
 */
export async function refute(workbench: Workbench, account: WorkAccount): Promise<CounterExample> {
  const [root, ...others] = workbench.open;
  if (!root?.goals[0] || others.length > 0 || workbench.goal.holes.kind !== 'statement')
    return { instance: undefined, untried: [] };
  const state = await withNames(workbench, account, await introduced(workbench, account, root));
  const [goal] = state.goals;
  if (!goal) return { instance: undefined, untried: [] };
  const locals = localsOf(goal).filter(({ name }) => !isInstance(name));
  const variables = locals.filter((one) => !isFact(one));
  const choices = await choicesFor(variables, new SmallValues(workbench, account, state));
  const untried = variables.filter((_, index) => choices[index]?.length === 0);
  const instance =
    untried.length > 0 ? undefined : await search(workbench, account, state, { locals, variables, choices });
  return { instance, untried: untried.map(({ name, type }) => `${name} : ${type}`) };
}

/** Lean finds instances for concrete types. `DecidableEq α` is a function to Lean, so it is recognised by name. */
function isInstance(name: string): boolean {
  return /^inst(_\d+)?$/.test(name);
}

/** Hypotheses stay as premises of the claim: at concrete values, Lean decides the implication. */
function isFact({ shape, kind, type }: Local): boolean {
  return isProof(shape) && kind !== 'function' && type !== 'Prop';
}

/** Values for each variable; type variables in types are replaced by their values. */
async function choicesFor(
  variables: readonly Local[],
  small: SmallValues,
): Promise<readonly (readonly string[])[]> {
  const types = new Map<string, string>();
  const choices: (readonly string[])[] = [];
  for (const { name, type, shape } of variables)
    if (shape === 'sort' && type !== 'Prop') {
      const value = type === 'Type' ? numbers.plain : type.startsWith('Type') ? numbers.lifted : undefined;
      if (value !== undefined) types.set(name, value);
      choices.push(value === undefined ? [] : [value]);
    } else choices.push(await small.of(withValues(type, types)));
  return choices;
}

interface Space {
  readonly locals: readonly Local[];
  readonly variables: readonly Local[];
  readonly choices: readonly (readonly string[])[];
}

async function search(
  workbench: Workbench,
  account: WorkAccount,
  state: WorkState,
  { locals, variables, choices }: Space,
): Promise<string | undefined> {
  const valuations = combinations(choices, maxInstances).map((values) =>
    variables.map(({ name }, index) => [name, values[index] ?? ''] as const),
  );
  const reverted = locals.length === 0 ? [] : [`revert ${locals.map(({ name }) => name).join(' ')}`];
  for (let from = 0; from < valuations.length && account.stopped === undefined; from += atOnce) {
    const some = valuations.slice(from, from + atOnce);
    const tactics = some.map((values) => {
      const disproof = `exact absurd (${holdsAt(values)}) (by ${falsify})`;
      return `(${[...reverted, inFront('¬P'), 'intro holds', disproof].join('; ')})`;
    });
    const answers = await workbench.run(state, tactics, account, { heartbeats, until: 'end' });
    const values = some[answers.findIndex(({ kind }) => kind === 'state')];
    if (values) return instanceOf(values.map(([name, value]) => [name, lowered(value)]));
  }
  return undefined;
}

/** In the first universe, numbers need no copy. */
function lowered(value: string): string {
  return value.replaceAll(numbers.lifted, numbers.plain).replaceAll(/\(ULift\.up (\d+)\)/gu, '$1');
}

/** `∀ n, P n` with `n` as a variable. */
async function introduced(workbench: Workbench, account: WorkAccount, state: WorkState): Promise<WorkState> {
  const kind = state.goals[0]?.target_kind;
  if (kind !== 'quantifier' && kind !== 'function') return state;
  return await stepped(workbench, account, state, 'intros');
}

/** Unnamed variables cannot be given a value. */
async function withNames(workbench: Workbench, account: WorkAccount, state: WorkState): Promise<WorkState> {
  const [goal] = state.goals;
  const tactic = goal && namingMove(goal);
  return tactic === undefined ? state : await stepped(workbench, account, state, tactic);
}

async function stepped(
  workbench: Workbench,
  account: WorkAccount,
  state: WorkState,
  tactic: string,
): Promise<WorkState> {
  const [answer] = await workbench.run(state, [tactic], account, { heartbeats, until: 'end' });
  return answer?.kind === 'state' ? answer.state : state;
}
