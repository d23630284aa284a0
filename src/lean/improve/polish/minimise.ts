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
 * A script as a maintainer would write it. Steps and names that are not needed are dropped. What ends a goal is the plainest closer
 * that does; a `simp` that others follow becomes `simp only […]`, so that they stay what they are when the library changes. Of
 * several closers one is named; argument lists are cut to what is used. The answer is again only a candidate: the caller asks
 * the gate, and keeps the original when the gate rejects the smaller one.
 */
export async function minimise(
  workbench: Workbench,
  candidate: Candidate,
  run: AttemptRun,
): Promise<Minimised> {
  const account = new WorkAccount(run);
  const scripts: string[] = [];
  for (const { hole, steps } of workbench.scripts()) {
    const shorter = await withoutIdleSteps(
      workbench,
      hole,
      await named(workbench, hole, steps, account),
      account,
    );
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
    const states = await replay(workbench, hole, kept, account);
    const [before, after] = [states?.[index], states?.[index + 1]];
    if (!before || !after || account.stopped !== undefined) return kept;
    const step = kept[index] ?? '';
    const others =
      after.goals.length < before.goals.length
        ? await plainerClosers(workbench, before, step, account)
        : await smallerSteps(workbench, before, step, account);
    for (const smaller of others) {
      const changed = kept.with(index, smaller);
      if (!(await replay(workbench, hole, changed, account))) continue;
      kept = changed;
      break;
    }
  }
  return kept;
}

/** Without the names that a step gives and never uses, where it still closes the hole. */
async function named(
  workbench: Workbench,
  hole: number,
  steps: readonly string[],
  account: WorkAccount,
): Promise<readonly string[]> {
  const fewer = steps.map(withoutIdleNames);
  const isSame = fewer.every((step, index) => step === steps[index]);
  return isSame || !(await replay(workbench, hole, fewer, account)) ? steps : fewer;
}

/** Drops each `rename_i` none of whose names occurs in the lines below it. */
export function withoutIdleNames(step: string): string {
  const lines = step.split('\n');
  const kept = lines.map((line, index) => {
    const [, bullet = '', names = ''] = /^((?:\s|· )*)rename_i (.*)$/.exec(line) ?? [];
    const used = new Set(
      lines
        .slice(index + 1)
        .join('\n')
        .split(/[^\p{L}\p{N}_'✝.]+|\./u),
    );
    return names === '' || names.split(' ').some((name) => used.has(name)) ? line : { bullet };
  });
  return kept
    .flatMap((line, index) => {
      if (typeof line !== 'string') return [];
      const before = kept[index - 1];
      // the bullet of a line that went
      return before === undefined || typeof before === 'string'
        ? line
        : before.bullet + line.slice(before.bullet.length);
    })
    .join('\n');
}

/** Plain ways to end a goal, the plainest first. */
const closers = ['rfl', 'assumption', 'omega', 'simp', 'grind', 'simp_all'];
const closerHeartbeats = 1500;

/** Other ways to end a goal, the plainest first: no list of names where none is needed. */
async function plainerClosers(
  workbench: Workbench,
  before: WorkState,
  step: string,
  account: WorkAccount,
): Promise<string[]> {
  const place = closers.indexOf(step);
  const plainer =
    place < 0 ? closers.filter((closer) => closer.length < step.length) : closers.slice(0, place);
  const answers = await workbench.run(before, plainer, account, { heartbeats: closerHeartbeats });
  const found = plainer.filter((_, index) => {
    const answer = answers[index];
    return answer?.kind === 'state' && answer.state.goals.length < before.goals.length;
  });
  return found.length > 0 || /^\(?(?:d?simp|simp_all)\b/.test(step)
    ? found
    : await smallerSteps(workbench, before, step, account);
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
