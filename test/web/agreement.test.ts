import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { formatSeconds } from '../../src/reporters/format.ts';
import { jsonReporter } from '../../src/reporters/json.ts';
import { RunSoFar } from '../../src/reporters/record.ts';
import { resultsOf } from '../../src/reporters/results.ts';
import { summaryLine } from '../../src/reporters/summary.ts';
import { reportOf } from '../../src/server/report.ts';
import type {
  GoalPage,
  GoalView,
  Moment,
  RunComparison,
  RunDetail,
  Runs,
  Stats,
} from '../../src/shared/api.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import type { Stats as LedgerStats } from '../../src/shared/ledger.ts';
import { count, percent, seconds } from '../../web/data/format.ts';
import { Paper } from '../reporters/recorded.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines } from '../helpers/orch.ts';
import { slice } from '../helpers/tier.ts';
import { expectHeading, openDesk, type Desk } from './desk.ts';
import { runsOfAllKinds } from './recorded.ts';

/** The values shown for each figure, and where. Two different values for one figure are a contradiction. */
class Figures {
  readonly #said = new Map<string, Map<string, string>>();

  say(figure: string, place: string, value: number | string): void {
    const places = this.#said.get(figure) ?? new Map<string, string>();
    this.#said.set(figure, places);
    places.set(place, typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : value);
  }

  get counted(): number {
    return [...this.#said.values()].reduce((sum, places) => sum + places.size, 0);
  }

  contradictions(): string[] {
    return [...this.#said].flatMap(([figure, places]) =>
      new Set(places.values()).size < 2
        ? []
        : [`${figure}: ${[...places].map(([place, value]) => `${place} ${value}`).join(', ')}`],
    );
  }
}

interface JsonGoal {
  readonly type: string;
  readonly id: string;
  readonly solved: boolean;
  readonly refuted: string | null;
  readonly attempts: number;
  readonly cpu_seconds: number;
}

test('every figure of eleven recorded runs is the same in every view', async () => {
  const events = runsOfAllKinds();
  const runs = [...new Set(events.map(({ run }) => run))];
  expect(runs).toHaveLength(11);
  await using desk = await openDesk(events);
  const figures = new Figures();
  const onThePage = new Set(slice(runs, 3));
  for (const run of runs) {
    const own = events.filter((event) => event.run === run);
    sayReporters(figures, run, own);
    await sayApi(figures, run, desk);
    await sayReport(figures, run, desk);
    if (onThePage.has(run)) await sayPage(figures, run, desk);
  }
  await sayLedger(figures, desk);
  expect(figures.contradictions()).toEqual([]);
  expect(figures.counted).toBeGreaterThan(1000);
  expect(desk.complaints).toEqual([]);
});

/** The figures of the terminal, the JSON output and the results file. */
function sayReporters(figures: Figures, run: string, events: readonly RunEvent[]): void {
  const record = new RunSoFar();
  const paper = { stdout: new Paper(), stderr: new Paper() };
  const reporter = jsonReporter(paper);
  for (const event of events) {
    record.apply(event);
    reporter.event(event);
  }
  const lines = jsonLines(paper.stdout.text);
  const goals = lines.slice(0, -1) as unknown as JsonGoal[];
  const summary = lines.at(-1) as Record<
    'goals_solved' | 'goals_total' | 'cpu_seconds' | 'wall_seconds' | 'utilisation',
    number
  >;
  figures.say(`${run} solved`, 'JSON', summary.goals_solved);
  figures.say(`${run} solved`, 'JSON lines', goals.filter(({ solved }) => solved).length);
  figures.say(`${run} total`, 'JSON', summary.goals_total);
  figures.say(`${run} total`, 'JSON lines', goals.length);
  figures.say(`${run} refuted`, 'JSON lines', goals.filter(({ refuted }) => refuted !== null).length);
  figures.say(`${run} CPU`, 'JSON', summary.cpu_seconds);
  figures.say(`${run} CPU as written`, 'JSON', seconds(summary.cpu_seconds));
  figures.say(`${run} wall clock`, 'JSON', summary.wall_seconds);
  figures.say(`${run} utilisation`, 'JSON', summary.utilisation);
  figures.say(`${run} utilisation as written`, 'JSON', percent(summary.utilisation));
  for (const { id, attempts, cpu_seconds } of goals) {
    figures.say(`${run} ${id} attempts`, 'JSON', attempts);
    figures.say(`${run} ${id} CPU`, 'JSON', cpu_seconds);
  }
  const results = resultsOf(record);
  expect(results).toBeDefined();
  if (results === undefined) return;
  figures.say(`${run} solved`, 'results', results.goals_solved);
  figures.say(`${run} total`, 'results', results.goals_total);
  figures.say(`${run} CPU`, 'results', results.cpu_seconds);
  const line = summaryLine(record);
  figures.say(`${run} solved`, 'terminal', /^(\d+) of/.exec(line)?.[1] ?? line);
  figures.say(`${run} total`, 'terminal', /of (\d+) solved/.exec(line)?.[1] ?? line);
  figures.say(`${run} refuted`, 'terminal', /(\d+) refuted/.exec(line)?.[1] ?? 0);
  figures.say(`${run} CPU in whole seconds`, 'terminal', /(\d+) CPU-s/.exec(line)?.[1] ?? line);
  figures.say(`${run} CPU in whole seconds`, 'JSON', Math.round(summary.cpu_seconds));
  figures.say(`${run} utilisation as written`, 'terminal', /(\d+ %) of \d+ cores/.exec(line)?.[1] ?? line);
}

/** Every answer of the server that has a figure of the run. */
async function sayApi(figures: Figures, run: string, desk: Desk): Promise<void> {
  const ask = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${desk.port}${path}`)).json()) as Answer;
  const stats = await ask<Stats>(`/api/stats?run=${run}`);
  const detail = await ask<RunDetail>(`/api/runs/${run}`);
  const list = await ask<GoalPage>(`/api/goals?run=${run}&limit=500&group=file`);
  const listed = (await ask<Runs>('/api/runs')).runs.find((each) => each.run === run);
  const end = await ask<Moment>(`/api/history/${run}`);
  const same = await ask<RunComparison>(`/api/compare?a=${run}&b=${run}`);
  for (const [place, summary] of [
    ['stats', stats.run],
    ['run', detail.run],
    ['runs', listed],
    ['compare', same.a],
  ] as const) {
    figures.say(`${run} solved`, `API ${place}`, summary?.goals_solved ?? 'nothing');
    figures.say(`${run} total`, `API ${place}`, summary?.goals_total ?? 'nothing');
    figures.say(`${run} CPU`, `API ${place}`, summary?.so_far.cpu_seconds ?? 'nothing');
    figures.say(`${run} wall clock`, `API ${place}`, summary?.so_far.wall_seconds ?? 'nothing');
    figures.say(`${run} utilisation`, `API ${place}`, summary?.so_far.utilisation ?? 'nothing');
  }
  for (const status of goalStatuses)
    for (const [place, counts] of [
      ['stats', stats.goals],
      ['run', detail.goals],
      ['goals', list.counts],
      ['history', end.goals],
    ] as const)
      figures.say(`${run} ${status}`, `API ${place}`, counts[status]);
  figures.say(`${run} total`, 'API goals', list.total);
  figures.say(`${run} total`, 'API compare both', same.both);
  figures.say(
    `${run} total`,
    'API files',
    list.groups.reduce((sum, { total }) => sum + total, 0),
  );
  figures.say(
    `${run} solved`,
    'API files',
    list.groups.reduce((sum, { counts }) => sum + counts.solved, 0),
  );
  figures.say(`${run} solved`, 'API progress', detail.progress.at(-1)?.solved ?? 0);
  figures.say(`${run} solved`, 'API overlay', same.progress.a.at(-1)?.solved ?? 0);
  const attempts = detail.arms.reduce((sum, arm) => sum + arm.attempts, 0);
  const lemmas = await ask<GoalPage>(`/api/goals?run=${run}&limit=500&lemmas=yes`);
  const all = [...list.goals, ...lemmas.goals];
  figures.say(`${run} attempts`, 'API arms', attempts);
  figures.say(
    `${run} attempts`,
    'API goals',
    all.reduce((sum, goal) => sum + goal.attempts, 0),
  );
  figures.say(
    `${run} charged to goals`,
    'API goals',
    all.reduce((sum, goal) => sum + goal.cpu_seconds, 0),
  );
  figures.say(`${run} charged to goals`, 'API history', end.cpu_seconds);
  for (const goal of list.goals) {
    figures.say(`${run} ${goal.goal} CPU`, 'API goals', goal.cpu_seconds);
    figures.say(`${run} ${goal.goal} attempts`, 'API goals', goal.attempts);
    const view = await ask<GoalView>(`/api/goals/${encodeURIComponent(goal.goal)}?run=${run}`);
    const here = view.runs.find((each) => each.run === run && each.goal === goal.goal);
    figures.say(`${run} ${goal.goal} CPU`, 'API goal', view.cpu_seconds);
    figures.say(`${run} ${goal.goal} CPU`, 'API all runs', here?.cpu_seconds ?? 'nothing');
    figures.say(`${run} ${goal.goal} attempts`, 'API goal', view.attempts);
    figures.say(`${run} ${goal.goal} attempts`, 'API attempts', view.attempt_rows.length);
  }
}

async function sayReport(figures: Figures, run: string, desk: Desk): Promise<void> {
  const report = await reportOf(desk.ledger, run, systemClock.date().getTime());
  figures.say(`${run} solved`, 'report', report.run.run.goals_solved);
  figures.say(`${run} CPU`, 'report', report.run.run.so_far.cpu_seconds);
  for (const status of goalStatuses) {
    figures.say(`${run} ${status}`, 'report', report.stats.goals[status]);
    figures.say(`${run} ${status}`, 'report history', report.history.at(-1)?.goals[status] ?? 'nothing');
  }
}

/** The figures on the dashboard. */
async function sayPage(figures: Figures, run: string, desk: Desk): Promise<void> {
  const { page } = desk;
  const figure = async (name: string): Promise<string> =>
    (await page.locator('.figure', { hasText: name }).locator('dd').first().textContent()) ?? '';
  const sayProved = async (place: string): Promise<void> => {
    const [, solved, total] = /^(\d+) of (\d+)$/.exec(await figure('Goals proved')) ?? [];
    figures.say(`${run} solved`, `page ${place}`, solved ?? 'nothing');
    figures.say(`${run} total`, `page ${place}`, total ?? 'nothing');
  };
  await desk.open(`now?run=${run}`);
  await expectHeading(page, 'Now');
  await sayProved('Now');
  figures.say(`${run} CPU as written`, 'page Now', await figure('CPU used'));
  figures.say(`${run} utilisation as written`, 'page Now', await figure('Utilisation'));
  await desk.open(`runs/history?run=${run}`);
  await expectHeading(page, 'History');
  await page.getByText('CPU charged to goals').waitFor();
  await sayProved('History');
  await desk.open(`machine?run=${run}`);
  await expectHeading(page, 'Machine');
  figures.say(`${run} CPU as written`, 'page Machine', await figure('CPU used'));
  const [utilisation] = (await figure('Utilisation')).split(' target');
  figures.say(`${run} utilisation as written`, 'page Machine', utilisation ?? '');
  await desk.open(`goals?run=${run}&status=solved`);
  const words = await page.getByText(/^\d+ of \d+ goals?$/).textContent();
  figures.say(`${run} solved`, 'page Goals', /^\d+/.exec(words ?? '')?.[0] ?? 'nothing');
  figures.say(`${run} total`, 'page Goals', /of (\d+)/.exec(words ?? '')?.[1] ?? 'nothing');
  await desk.open(`project?run=${run}`);
  await page.locator('summary.file').first().waitFor();
  const files = await page.locator('summary.file > :last-child').allTextContents();
  const proved = files.map((file) => /^(\d+) of (\d+)/.exec(file) ?? []);
  figures.say(
    `${run} solved`,
    'page Project',
    proved.reduce((sum, [, each]) => sum + Number(each), 0),
  );
  figures.say(
    `${run} total`,
    'page Project',
    proved.reduce((sum, [, , each]) => sum + Number(each), 0),
  );
  await desk.open(`runs?run=${run}`);
  const row = page.getByRole('row', { name: run });
  await row.waitFor();
  const cells = await row.locator('td').allTextContents();
  const told = cells.map((cell) => /(\d+) of (\d+)$/.exec(cell)).find((match) => match !== null);
  figures.say(`${run} solved`, 'page Runs', told?.[1] ?? 'nothing');
  figures.say(`${run} total`, 'page Runs', told?.[2] ?? 'nothing');
  const cpu = await row.locator('td.n').first().textContent();
  figures.say(`${run} CPU as written`, 'page Runs', cpu ?? 'nothing');
}

/** All runs together: `orch stats`, the API, the metrics and the page. */
async function sayLedger(figures: Figures, desk: Desk): Promise<void> {
  const { page, port, file } = desk;
  const api = (await (await fetch(`http://127.0.0.1:${port}/api/stats`)).json()) as Stats;
  const [whole] = jsonLines((await orchHere(['stats', '--json', '--ledger', file])).stdout) as unknown as [
    LedgerStats,
  ];
  const metrics = await metricsOf(port);
  const names = {
    total_attempts: 'orch_attempts_total',
    successes: 'orch_attempt_successes_total',
    cpu_seconds: 'orch_attempt_cpu_seconds_total',
    runs_cpu_seconds: 'orch_cpu_seconds_total',
    goals_known: 'orch_goals_known',
    goals_solved: 'orch_goals_proved',
    cached_goals: 'orch_cached_goals',
    cache_hits: 'orch_cache_hits_total',
  } as const;
  for (const [figure, metric] of Object.entries(names) as [keyof typeof names, string][]) {
    figures.say(figure, 'stats --json', whole[figure]);
    figures.say(figure, 'API', api[figure]);
    figures.say(figure, 'metrics', metrics(metric));
  }
  for (const status of goalStatuses) {
    figures.say(`newest ${status}`, 'metrics', metrics('orch_goals', status));
    figures.say(`newest ${status}`, 'API', api.goals[status]);
  }
  figures.say('runs_cpu_seconds', 'sum of the runs', await sumOfRuns(port));
  for (const row of whole.runs) {
    figures.say(`${row.run} solved`, 'stats --json', row.goals_solved);
    figures.say(`${row.run} total`, 'stats --json', row.goals_total);
    figures.say(`${row.run} CPU`, 'stats --json', row.cpu_seconds ?? 'nothing');
  }
  const { stdout } = await orchHere(['stats', '--ledger', file]);
  for (const line of [
    `${whole.total_attempts} in total, ${whole.successes} with a proof (${share(whole.success_rate)})`,
    `${whole.goals_known} including helper lemmas, ${whole.goals_solved} solved (${share(whole.solve_rate)})`,
    `${formatSeconds(whole.cpu_seconds)} in attempts, ${formatSeconds(whole.runs_cpu_seconds)} in total`,
    ...whole.runs.map((run) => `  ${run.goals_solved}/${run.goals_total}  `),
  ])
    expect(stdout).toContain(line);
  await desk.open('cache');
  const known = page.locator('.figure', { hasText: 'Goals with a known script' }).locator('dd').first();
  figures.say('cached goals as written', 'page Cache', (await known.textContent())?.split(' of')[0] ?? '');
  figures.say('cached goals as written', 'stats --json', count(whole.cached_goals));
}

async function sumOfRuns(port: number): Promise<number> {
  const { runs } = (await (await fetch(`http://127.0.0.1:${port}/api/runs`)).json()) as Runs;
  return runs.reduce((sum, { so_far }) => sum + so_far.cpu_seconds, 0);
}

const share = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** The sum of a metric's values; with a status, of those that have it. */
async function metricsOf(port: number): Promise<(name: string, status?: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const families = parsePrometheusTextFormat(text);
  return (name, status) =>
    (families.find((family) => family.name === name)?.metrics ?? [])
      .filter(({ labels }) => status === undefined || labels?.['status'] === status)
      .reduce((sum, { value }) => sum + Number(value), 0);
}
