import type { AttemptRun } from '../../../core/strategy.ts';
import { suggestionsOf } from '../../base/suggestions.ts';
import { WorkAccount } from '../../workbench/account.ts';
import { renderScript } from '../../workbench/script.ts';
import type { WorkState, Workbench } from '../../workbench/workbench.ts';
import { premisesIn, type Candidate } from '../../workbench/candidate.ts';

export interface Minimised {
  readonly candidate: Candidate;
  readonly cpuSeconds: number;
  readonly workSeconds: number;
  readonly peakBytes: number;
}

/**
 * A script that says no more than it must, and says it stably. Steps that are not needed are dropped. A `simp` that depends
 * on what the library tags becomes `simp only […]`. Of several closers one is named; argument lists are cut to what is used. The answer is again only a
 * candidate: the caller asks the gate, and keeps the original when the gate rejects the smaller one.
 */
export async function minimise(
  workbench: Workbench,
  candidate: Candidate,
  run: AttemptRun,
): Promise<Minimised> {
  const account = new WorkAccount(run);
  const scripts: string[] = [];
  for (const { hole, steps } of workbench.scripts()) {
    const shorter = await withoutIdleSteps(workbench, hole, steps, account);
    const stable = await withStableSteps(workbench, hole, shorter, account);
    const states = await replay(workbench, hole, stable, account);
    // what cannot be run again, because the budget is spent, stays as it was
    if (!states) return spent(candidate, account);
    scripts.push(renderScript(scriptOf(stable, states)));
  }
  const proof = workbench.assemble(scripts);
  return spent({ proof, premises: premisesIn(proof, workbench) }, account);
}

function spent(candidate: Candidate, { cpuSeconds, workSeconds, peakBytes }: WorkAccount): Minimised {
  return { candidate, cpuSeconds, workSeconds, peakBytes };
}

async function withoutIdleSteps(
  workbench: Workbench,
  hole: number,
  steps: readonly string[],
  account: WorkAccount,
): Promise<readonly string[]> {
  let kept = steps;
  for (let index = steps.length - 2; index >= 0 && account.stopped === undefined; index--) {
    const shorter = kept.toSpliced(index, 1);
    if (await replay(workbench, hole, shorter, account)) kept = shorter;
  }
  return kept;
}

async function withStableSteps(
  workbench: Workbench,
  hole: number,
  steps: readonly string[],
  account: WorkAccount,
): Promise<readonly string[]> {
  let kept = steps;
  for (const index of steps.keys()) {
    const before = (await replay(workbench, hole, kept, account))?.[index];
    if (!before || account.stopped !== undefined) return kept;
    for (const smaller of await smallerSteps(workbench, before, kept[index] ?? '', account)) {
      const changed = kept.with(index, smaller);
      if (!(await replay(workbench, hole, changed, account))) continue;
      kept = changed;
      break;
    }
  }
  return kept;
}

/** Other ways to say one step, the best first. */
async function smallerSteps(
  workbench: Workbench,
  before: WorkState,
  step: string,
  account: WorkAccount,
): Promise<string[]> {
  const simp = /^\(?((?:d?simp|simp_all)(?! only)\b(?: \+\w+)*(?: \[[^\]]*\])?)/.exec(step)?.[1];
  if (simp !== undefined) {
    const asking = simp.replace(/^\w+/, (word) => `${word}?`);
    const [answer] = await workbench.run(before, [asking], account, { until: 'end' });
    const said = answer?.kind === 'state' ? suggestionsOf(answer.state.messages) : [];
    return said.map((only) => step.replace(simp, only));
  }
  const chosen = singleChoices(step);
  if (chosen.length > 0) return chosen;
  const listed = /^(grind|solve_by_elim) \[([^\]]*)\]$/.exec(step);
  if (listed) {
    const [, tactic = '', names = ''] = listed;
    return await withFewerNames(workbench, before, tactic, names.split(', '), account);
  }
  return [];
}

/** `move <;> (first | a | b)` says more than it must where one of them does for every case. */
export function singleChoices(step: string): string[] {
  const [, move = '', choices = ''] = /^\((.*) <;> \(first \| (.*)\)\)$/s.exec(step) ?? [];
  if (choices === '') return [];
  return choices.split(' | ').map((choice) => {
    const closer = choice.replace(/^\((.*); done\)$/, '$1');
    return move.includes(';') ? `(${move} <;> ${closer})` : `${move} <;> ${closer}`;
  });
}

/** Take one name after the other away, for as long as the goal in front still closes. */
async function withFewerNames(
  workbench: Workbench,
  before: WorkState,
  tactic: string,
  names: readonly string[],
  account: WorkAccount,
): Promise<string[]> {
  const written = (some: readonly string[]): string =>
    some.length === 0 ? tactic : `${tactic} [${some.join(', ')}]`;
  let kept = names;
  for (const name of names) {
    const fewer = kept.filter((other) => other !== name);
    const [answer] = await workbench.run(before, [written(fewer)], account, { heartbeats: 3500 });
    if (account.stopped !== undefined) break;
    if (answer?.kind === 'state' && answer.state.goals.length < before.goals.length) kept = fewer;
  }
  return kept.length < names.length ? [written(kept)] : [];
}

/** The states before each step and after the last; nothing when the steps do not close the hole. */
async function replay(
  workbench: Workbench,
  hole: number,
  steps: readonly string[],
  account: WorkAccount,
): Promise<WorkState[] | undefined> {
  const states = [workbench.root(hole)];
  for (const step of steps) {
    const from = states.at(-1);
    if (!from || from.closed) return undefined;
    const [answer] = await workbench.run(from, [step], account, { until: 'end' });
    if (answer?.kind !== 'state') return undefined;
    states.push(answer.state);
  }
  return states.at(-1)?.closed === true ? states : undefined;
}

function scriptOf(
  steps: readonly string[],
  states: readonly WorkState[],
): { tactic: string; before: number; after: number }[] {
  return steps.map((tactic, index) => ({
    tactic,
    before: states[index]?.goals.length ?? 0,
    after: states[index + 1]?.goals.length ?? 0,
  }));
}
