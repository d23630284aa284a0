import { factsOf, type Facts } from '../premises/facts.ts';
import type { Goal } from '../protocol.ts';
import type { Account } from '../workbench/account.ts';
import type { Workbench, WorkState } from '../workbench.ts';
import { namingMove } from './moves.ts';
import { localsOf, type Shape } from './shapes.ts';

/** Instances that are looked at, and how deep their values are nested: more cost more than they find. */
const maxInstances = 30;
const maxDepth = 6;
const heartbeats = 400;

/** What a look for a counter-example found. */
export interface CounterExample {
  /** What is false, as a text that Lean reads; undefined: nothing was found, which says nothing. */
  readonly instance: string | undefined;
  /** Variables for which no values were tried: types, functions, and whatever is not built by constructors. */
  readonly untried: readonly string[];
}

/**
 * A counter-example: small values for the variables of a goal, constructor by constructor and for a proposition true or false,
 * for which Lean decides that what is left of the goal is false. A candidate: whoever believes it has the gate judge it.
 */
export async function refute(workbench: Workbench, account: Account): Promise<CounterExample> {
  const [root, ...others] = workbench.open;
  const goal = root?.goals[0];
  if (!goal || others.length > 0 || workbench.goal.holes.kind !== 'statement')
    return { instance: undefined, untried: [] };
  const facts = factsOf(workbench);
  const untried = localsOf(goal, facts).filter(
    ({ shape, type }) => valueless.has(shape) && type !== 'Prop' && !/^[∀¬]/.test(type),
  );
  const instance = await search(workbench, account, root, facts);
  return { instance, untried: untried.map(({ name, type }) => `${name} : ${type}`) };
}

const valueless: ReadonlySet<Shape> = new Set(['sort', 'function', 'other']);

async function search(
  workbench: Workbench,
  account: Account,
  root: WorkState,
  facts: Facts,
): Promise<string | undefined> {
  const queue: { readonly state: WorkState; readonly depth: number }[] = [{ state: root, depth: 0 }];
  for (let seen = 0; seen < maxInstances && account.stopped === undefined; seen++) {
    const next = queue.shift();
    if (!next) return undefined;
    const state = await after(workbench, account, next.state, namingMove);
    const [goal] = state.goals;
    if (!goal) continue;
    const split = splitOf(goal, facts);
    if (split === undefined) {
      // what cannot be named cannot be assumed: the instance would claim more than the goal
      if (goal.hypotheses.some(({ name }) => name.endsWith('✝'))) continue;
      const [answer] = await workbench.run(state, [falsity(goal)], account, { heartbeats, until: 'end' });
      if (answer?.kind === 'state') return instanceOf(goal);
    } else if (next.depth < maxDepth) {
      const values = await valuesOf(workbench, account, state, split);
      queue.push(...values.map((one) => ({ state: one, depth: next.depth + 1 })));
    }
  }
  return undefined;
}

/** Prove that the goal in front is false, with what is assumed in it; the goal itself stays open behind that. */
function falsity({ hypotheses }: Goal): string {
  const names = hypotheses.map(({ name }) => name);
  const closed = names.length > 0 ? `revert ${names.join(' ')}; ` : '';
  return `(${closed}refine (show ∀ {P : Prop}, ¬P → P → P from fun _ p => p) ?_ ?_; decide)`;
}

function instanceOf({ hypotheses, target }: Goal): string {
  return [...hypotheses.map(({ type }) => type), target].join(' → ');
}

/** The tactic that gives the first variable with values its values: each way to build it, or true and false. */
function splitOf(goal: Goal, facts: Facts): string | undefined {
  const locals = localsOf(goal, facts);
  const data = locals.find(({ shape }) => shape === 'data');
  if (data) return `cases ${data.name}`;
  const proposition = locals.find(({ type }) => type === 'Prop');
  return proposition && `rcases Classical.propComplete ${proposition.name} with rfl | rfl`;
}

/** One state for each value, in which that one is in front. */
async function valuesOf(
  workbench: Workbench,
  account: Account,
  state: WorkState,
  tactic: string,
): Promise<WorkState[]> {
  const [split] = await workbench.run(state, [tactic], account, { heartbeats, until: 'end' });
  if (split?.kind !== 'state') return [];
  const count = split.state.goals.length - state.goals.length + 1;
  const states: WorkState[] = [];
  for (let index = 0; index < count; index++)
    states.push(
      await after(workbench, account, split.state, () => (index === 0 ? undefined : `rotate_left ${index}`)),
    );
  return states;
}

/** The state after a step, where there is one to take. */
async function after(
  workbench: Workbench,
  account: Account,
  state: WorkState,
  step: (goal: Goal) => string | undefined,
): Promise<WorkState> {
  const [goal] = state.goals;
  const tactic = goal && step(goal);
  if (tactic === undefined) return state;
  const [answer] = await workbench.run(state, [tactic], account, { heartbeats, until: 'end' });
  return answer?.kind === 'state' ? answer.state : state;
}
