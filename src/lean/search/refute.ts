import { factsOf } from '../premises/facts.ts';
import type { Goal } from '../protocol.ts';
import type { Account } from '../workbench/account.ts';
import type { Workbench, WorkState } from '../workbench.ts';
import { namingMove } from './moves.ts';
import { localsOf } from './shapes.ts';

/** Instances that are looked at, and how deep their values are nested: more cost more than they find. */
const maxInstances = 30;
const maxDepth = 6;
const heartbeats = 400;

/**
 * A counter-example: small values for the variables of a goal, constructor by constructor, for which Lean decides that what is
 * left of it is false. Each is an instance of the goal, so the goal itself is false then. Nothing found says nothing.
 */
export async function refute(workbench: Workbench, account: Account): Promise<string | undefined> {
  const [root, ...others] = workbench.open;
  if (!root || others.length > 0 || workbench.goal.holes.kind !== 'statement') return undefined;
  const facts = factsOf(workbench);
  const queue: { readonly state: WorkState; readonly depth: number }[] = [{ state: root, depth: 0 }];
  for (let seen = 0; seen < maxInstances && account.stopped === undefined; seen++) {
    const next = queue.shift();
    if (!next) return undefined;
    const state = await after(workbench, account, next.state, namingMove);
    const [goal] = state.goals;
    if (!goal) continue;
    const variable = localsOf(goal, facts).find(({ shape }) => shape === 'data')?.name;
    if (variable === undefined) {
      // what cannot be named cannot be assumed: the instance would claim more than the goal
      if (goal.hypotheses.some(({ name }) => name.endsWith('✝'))) continue;
      const [answer] = await workbench.run(state, [falsity(goal)], account, { heartbeats, until: 'end' });
      if (answer?.kind === 'state') return instanceOf(goal);
    } else if (next.depth < maxDepth) {
      const split = await constructorsOf(workbench, account, state, variable);
      queue.push(...split.map((one) => ({ state: one, depth: next.depth + 1 })));
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

/** One state for each way to build the variable, in which that way is in front. */
async function constructorsOf(
  workbench: Workbench,
  account: Account,
  state: WorkState,
  variable: string,
): Promise<WorkState[]> {
  const [split] = await workbench.run(state, [`cases ${variable}`], account, { heartbeats, until: 'end' });
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
