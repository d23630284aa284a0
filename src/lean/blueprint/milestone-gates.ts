import type { GoalDetail, GoalRow, RunRow } from '../../shared/ledger.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { isOfProject } from '../../store/ledger/last-goals.ts';
import { goalsByJudge } from '../../store/ledger/unchecked.ts';
import type { Result } from '../../core/result.ts';
import type { Check } from '../../io/github.ts';
import { plural } from '../../shared/plural.ts';

/** One condition of a milestone, and whether it is met. */
export interface Condition {
  readonly holds: boolean;
  readonly text: string;
}

/** The result of a milestone check. Unknown if the required runs are missing; unknown is never success. */
export type MilestoneGate =
  | { readonly kind: 'judged'; readonly conditions: readonly Condition[]; readonly set: readonly string[] }
  | { readonly kind: 'unknown'; readonly message: string };

/** Size of M1's bank, and the number of lemmas that must be proved. */
const leastLemmas = 100;
const leastShare = 0.4;
/** The share of profile 1's open goals that profile 2 must solve. */
const leastLift = 0.1;
const runsLookedAt = 200;
/** Tolerance of CPU measurement. */
const tolerance = 0.02;

type Views = Ledger['views'];
type Replays = (goal: GoalDetail) => Promise<boolean>;

/** M1: micro and copilot solve 40 % of a bank of 100 within their CPU target, and every proof replays. */
export async function judgeM1(views: Views, replays: Replays, project?: string): Promise<MilestoneGate> {
  const found = await largeRun(views, project);
  if (!found)
    return unknown(
      `no run at profile 1 on ${leastLemmas} lemmas or more has ended here: orch bank --profile 1 --timeout 900, or orch prove --profile 1 in a project with as many`,
    );
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
      `${solved.length} of ${goals.length} lemmas of ${run.command === 'bank' ? 'the bank' : 'this project'} solved (${percent(leastShare)} are asked for; run ${run.run})`,
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

/** The newest run at profile 1 on enough lemmas, of the bank or of a project, with its goals. */
async function largeRun(
  views: Views,
  project: string | undefined,
): Promise<{ readonly run: RunRow; readonly goals: readonly GoalRow[] } | undefined> {
  for (const run of await views.runs(runsLookedAt)) {
    if (run.config.profile !== 1 || run.finished === null) continue;
    if (run.command !== 'bank' && !isOfProject(run.config, project)) continue;
    const all = await views.goalsOf(run.run);
    // a project's own lemmas count like the bank's
    const goals = run.command === 'bank' ? all : all.filter(({ source }) => /\.lean:\d+$/.test(source ?? ''));
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

/** How often the same arm failed again on the same goal without a larger budget. */
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

/** The check that runs this command: it cannot have passed yet. */
const asking = 'Milestone';

/** The CI part of M0: every check of a commit is green, including the Lake build and the documents. */
export function isGreen(commit: string, checks: Result<readonly Check[]>): Condition {
  const short = commit.slice(0, 8);
  if (!checks.ok) return condition(false, `CI of ${short} is unknown: ${checks.error.message}`);
  const others = checks.value.filter(({ name }) => name !== asking);
  if (others.length === 0) return condition(false, `no CI run of ${short}: push it`);
  const open = others.filter(({ state }) => state !== 'green');
  return condition(
    open.length === 0,
    open.length === 0
      ? `CI of ${short} is green: ${others.map(({ name }) => name).join(', ')}`
      : `CI of ${short}: ${open.map(({ name, state }) => `${name} is ${state}`).join(', ')}`,
  );
}

/** The ledger part of M0: a background run has written to it. */
export async function hasRows(views: Views): Promise<Condition> {
  const attempts = (await views.arms(0)).reduce((sum, arm) => sum + arm.attempts, 0);
  return condition(attempts > 0, `${plural(attempts, 'attempt')} in the ledger`);
}
