import type { GoalDetail, GoalRow, RunRow } from '../../shared/ledger.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { goalsByJudge } from '../../store/ledger/unchecked.ts';
import { plural } from '../../shared/plural.ts';

/** One condition of a milestone, as it stands. */
export interface Condition {
  readonly holds: boolean;
  readonly text: string;
}

/** What a milestone says. Without the runs that it is about it says nothing: unknown is never success. */
export type MilestoneGate =
  | { readonly kind: 'judged'; readonly conditions: readonly Condition[]; readonly set: readonly string[] }
  | { readonly kind: 'unknown'; readonly message: string };

/** Size of M1's bank, and the number of lemmas that must be proved. */
const leastLemmas = 100;
const leastShare = 0.4;
/** Profile 2 must solve so much of what profile 1 left: a double-digit percentage. */
const leastLift = 0.1;
const runsLookedAt = 200;
/** What a meter may be off by. */
const tolerance = 0.02;

type Views = Ledger['views'];
type Replays = (goal: GoalDetail) => Promise<boolean>;

/** M1: micro and copilot solve 40 % of a bank of 100 within the share of the machine that they have, and every proof replays. */
export async function judgeM1(views: Views, replays: Replays): Promise<MilestoneGate> {
  const found = await bankRun(views);
  if (!found)
    return unknown('no run of the bank at profile 1 has ended here: orch bank --profile 1 --timeout 900');
  const { run, goals } = found;
  const solved = goals.filter(({ status }) => status === 'solved');
  const lost: string[] = [];
  for (const { goal } of solved) {
    const detail = await views.goal(run.run, goal);
    if (!detail || !(await replays(detail))) lost.push(goal);
  }
  const used = run.utilisation ?? Number.NaN;
  const cap = Math.min(0.5, run.config.cpu_target);
  return judged([
    condition(
      solved.length / goals.length >= leastShare,
      `${solved.length} of ${goals.length} lemmas solved (${percent(leastShare)} are asked for; run ${run.run})`,
    ),
    condition(used <= cap + tolerance, `${percent(used)} of the machine used (${percent(cap)} are allowed)`),
    condition(
      lost.length === 0,
      lost.length === 0
        ? `all ${solved.length} proofs replay`
        : `${lost.length} of ${solved.length} proofs do not replay: ${lost.slice(0, 5).join(', ')}`,
    ),
  ]);
}

/** The newest run of a bank that is large enough, with its goals. */
async function bankRun(
  views: Views,
): Promise<{ readonly run: RunRow; readonly goals: readonly GoalRow[] } | undefined> {
  for (const run of await views.runs(runsLookedAt)) {
    if (run.command !== 'bank' || run.config.profile !== 1 || run.finished === null) continue;
    const goals = await views.goalsOf(run.run);
    if (goals.length >= leastLemmas) return { run, goals };
  }
  return undefined;
}

/** M2: of the goals that profile 1 left open, profile 2 solves a tenth or more, with premises, and repeats fewer failures. Only proofs of this judge count. */
export async function judgeM2(views: Views, judge: string): Promise<MilestoneGate> {
  const runs = (await views.runs(runsLookedAt)).filter(({ finished }) => finished !== null);
  const first = runs.find(({ config }) => config.profile === 1);
  if (!first)
    return unknown('no run at profile 1 has ended here: there is no set of goals that it left open');
  const open = (await views.goalsOf(first.run)).filter(({ status }) => status === 'unsolved');
  const set = new Map(
    open.flatMap((goal) => (goal.goal_hash === null ? [] : [[goal.goal_hash, goal] as const])),
  );
  if (set.size === 0) return unknown(`profile 1 left nothing open in run ${first.run}: the set is empty`);
  const later = runs.filter(({ config, started }) => config.profile === 2 && started >= first.started);
  const wins: GoalDetail[] = [];
  for (const { run } of later)
    for (const { goal, goal_hash, status } of await goalsByJudge(
      { views },
      await views.goalsOf(run),
      judge,
    )) {
      const isOurs = status === 'solved' && goal_hash !== null && set.has(goal_hash);
      const isNew = !wins.some((win) => win.goal_hash === goal_hash);
      const detail = isOurs && isNew ? await views.goal(run, goal) : undefined;
      if (detail) wins.push(detail);
    }
  const names = [...set.values()].map(({ goal }) => goal);
  if (later.length === 0)
    return unknown(`profile 2 has not run since ${first.run}; its set: ${names.join(', ')}`);
  const current = wins.flatMap(({ proofs }) => proofs.filter((proof) => proof.judge === judge));
  const premises = current.flatMap((proof) => proof.premises);
  const [before, after] = [await repeats(views, [first]), await repeats(views, later)];
  return judged(
    [
      condition(
        wins.length / set.size >= leastLift,
        `${wins.length} of the ${set.size} goals that profile 1 left open are solved (${percent(leastLift)} are asked for)`,
      ),
      condition(premises.length > 0, `${plural(premises.length, 'premise')} in their proofs`),
      condition(after <= before, `${after} failures were repeated, ${before} before`),
    ],
    names,
  );
}

/** How often the same arm failed again on the same goal, with no more to spend than before. */
async function repeats(views: Views, runs: readonly RunRow[]): Promise<number> {
  const seen = new Set<string>();
  let count = 0;
  for (const { run } of runs)
    for (const { goal } of await views.goalsOf(run)) {
      const detail = await views.goal(run, goal);
      for (const { outcome, signature, params } of detail?.attempt_rows ?? []) {
        if (outcome !== 'failed') continue;
        const key = JSON.stringify([detail?.goal_hash, detail?.fingerprint, signature, params]);
        if (seen.has(key)) count++;
        seen.add(key);
      }
    }
  return count;
}

const condition = (holds: boolean, text: string): Condition => ({ holds, text });
const judged = (conditions: readonly Condition[], set: readonly string[] = []): MilestoneGate => ({
  kind: 'judged',
  conditions,
  set,
});
const unknown = (message: string): MilestoneGate => ({ kind: 'unknown', message });
const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** M0, as far as the ledger goes: a run in the background has written to it. */
export async function hasRows(views: Views): Promise<Condition> {
  const attempts = (await views.arms(0)).reduce((sum, arm) => sum + arm.attempts, 0);
  return condition(attempts > 0, `${plural(attempts, 'attempt')} in the ledger`);
}
