import path from 'node:path';
import { ledgerOf } from './ledger.ts';
import { stuckInLedger } from './stuck.ts';
import type { Settings } from '../config/schema.ts';
import { writeWhole } from '../io/whole-file.ts';
import { coverageByChapter } from '../lean/blueprint/coverage.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { stateBlueprint } from '../lean/blueprint/states.ts';
import { projectName } from '../lean/project/lake.ts';
import { isOfProject } from '../store/ledger/last-goals.ts';
import { withoutRepeats } from '../store/ledger/tries.ts';
import type { Shipped } from '../lean/ship/ship.ts';
import type { Coverage } from '../shared/coverage.ts';
import type { RunFinished } from '../shared/events.ts';
import type { GoalRow } from '../shared/ledger.ts';

const runsLookedAt = 200;

/** The outcome of a sweep. */
export interface Swept {
  /** Empty if nothing was open. */
  readonly run: RunFinished | undefined;
  /** Every goal is proved and written into its file. */
  readonly isAll: boolean;
  readonly patch: string;
  readonly coverage: { readonly before: Coverage | null; readonly after: Coverage | null };
  /** Blueprint nodes whose marks could not be decided and were left unchanged, with the reason. */
  readonly undecided: readonly string[];
}

/** Progress of the project's blueprint; null without one. */
export function projectCoverage(project: string): Coverage | null {
  const blueprint = blueprintOf(project);
  return blueprint ? coverageByChapter(stateBlueprint(blueprint)).total : null;
}

/** The report for people and for scripts, the proofs as a patch, and the ledger, from which another machine can continue. */
export async function writeReport(
  folder: string,
  settings: Settings,
  swept: Swept,
  shipped: readonly Shipped[],
): Promise<void> {
  await using ledger = await ledgerOf(settings);
  // workers and other projects may share the ledger
  const project = projectName(process.cwd());
  const runs = swept.run ? await ledger.views.runs(runsLookedAt) : [];
  const last = runs.find(({ command, config }) => command === 'sweep' && isOfProject(config, project));
  const all = last ? await ledger.views.goalsOf(last.run) : [];
  const goals = withoutRepeats(all.filter(({ requester }) => requester === null));
  const stuck = await stuckInLedger(settings, process.cwd());
  const report = {
    run: last?.run ?? null,
    ...swept.run,
    ...(swept.run && counted(goals)),
    coverage: swept.coverage,
    undecided: swept.undecided,
    goals: goals.map(shortly),
    stuck: stuck.map(shortly),
    shipped,
  };
  writeWhole(path.join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeWhole(path.join(folder, 'report.md'), reportText(swept, goals, stuck, shipped));
  writeWhole(path.join(folder, 'proofs.patch'), swept.patch);
  await ledger.copyTo(path.join(folder, 'ledger.db'));
}

const shortly = ({ goal, source, status, difficulty, attempts, cpu_seconds, refuted }: GoalRow) => ({
  goal,
  source,
  status,
  difficulty,
  attempts,
  cpu_seconds,
  refuted,
});

/** A goal that was tried again counts once. */
const counted = (goals: readonly GoalRow[]): Pick<RunFinished, 'goals_total' | 'goals_solved'> => ({
  goals_total: goals.length,
  goals_solved: goals.filter(({ status }) => status === 'solved').length,
});

function reportText(
  { run, coverage: { before, after }, undecided }: Swept,
  goals: readonly GoalRow[],
  stuck: readonly GoalRow[],
  shipped: readonly Shipped[],
): string {
  if (!run) return '# Sweep\n\nThere was nothing to work on.\n';
  const open = goals.filter(({ status }) => status !== 'solved');
  const { goals_solved, goals_total } = counted(goals);
  const lines = [
    '# Sweep',
    '',
    `${goals_solved} of ${goals_total} goals proved in ${run.wall_seconds.toFixed(0)} s, ${run.cpu_seconds.toFixed(0)} CPU-seconds.`,
    ...(before && after
      ? [
          `Blueprint: ${before.proved} → ${after.proved} of ${after.proofs} proofs, ${after.fully_proved} of ${after.nodes} nodes proved with all their dependencies.`,
        ]
      : []),
    ...undecided.map((node) => `Undecided: ${node.replaceAll('\n', ' ')}.`),
    ...(open.length === 0
      ? []
      : ['', '## Still open', '', '| goal | state | attempts | CPU-s |', '|---|---|---|---|']),
    ...open.map(
      ({ goal, status, refuted, attempts, cpu_seconds }) =>
        `| ${goal} | ${refuted === null ? status : `false; counterexample: ${refuted.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')}`} | ${attempts} | ${cpu_seconds.toFixed(0)} |`,
    ),
    ...(stuck.length === 0
      ? []
      : ['', `Critical goals that these budgets left open: ${stuck.map(({ goal }) => goal).join(', ')}.`]),
    ...(stuck.length === 0 ? [] : ['`orch sweep --stuck` works on those alone, with more time.']),
    ...(shipped.length === 0 ? [] : ['', '## Shipped', '', '| theorem | result | where |', '|---|---|---|']),
    ...shipped.map(
      ({ name, result, url, message }) => `| ${name} | ${result} | ${url ?? message.replaceAll('\n', ' ')} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
