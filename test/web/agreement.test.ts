import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { jsonReporter } from '../../src/reporters/json.ts';
import { RunSoFar } from '../../src/reporters/record.ts';
import { formatSeconds } from '../../src/reporters/format.ts';
import { resultsOf } from '../../src/reporters/results.ts';
import { summaryLine } from '../../src/reporters/summary.ts';
import type { GoalPage, GoalView, RunDetail, Stats } from '../../src/shared/api.ts';
import { defaultGoalQuery } from '../../src/shared/api.ts';
import type { Stats as LedgerStats } from '../../src/shared/ledger.ts';
import { seconds } from '../../web/data/format.ts';
import { Paper } from '../reporters/recorded.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { openDesk } from './desk.ts';
import { recordedRuns } from './recorded.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** One truth: whatever is shown of a real run, wherever, is the same figure. */
test('terminal, JSON, results, stats, API, metrics and page agree on a real run', async () => {
  const events = recordedRuns();
  const run = events.at(-1)?.run ?? '';
  const own = events.filter((event) => event.run === run);
  await using desk = await openDesk(events);
  const { page, port } = desk;
  const ask = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as Answer;

  // what the terminal, scripts and the results file say of the run
  const record = new RunSoFar();
  const paper = { stdout: new Paper(), stderr: new Paper() };
  const reporter = jsonReporter(paper);
  for (const event of own) {
    record.apply(event);
    reporter.event(event);
  }
  const lines = jsonLines(paper.stdout.text) as {
    type: string;
    id: string;
    solved: boolean;
    attempts: number;
    cpu_seconds: number;
  }[];
  const goals = lines.filter(({ type }) => type === 'goal');
  const summary = lines.at(-1) as unknown as Record<'goals_solved' | 'goals_total' | 'cpu_seconds', number>;
  const results = resultsOf(record);
  const told = { solved: summary.goals_solved, total: summary.goals_total, cpu: summary.cpu_seconds };
  expect(goals.filter(({ solved }) => solved)).toHaveLength(told.solved);
  expect(goals).toHaveLength(told.total);
  expect(summaryLine(record)).toContain(`${told.solved} of ${told.total} solved`);
  expect(results).toMatchObject({
    goals_solved: told.solved,
    goals_total: told.total,
    cpu_seconds: told.cpu,
  });

  // the ledger's views of the same run
  const stats = await ask<Stats>('/api/stats');
  const detail = await ask<RunDetail>(`/api/runs/${run}`);
  const list = await ask<GoalPage>(`/api/goals?limit=${defaultGoalQuery.limit}`);
  expect(stats.run).toMatchObject({ run, goals_solved: told.solved, goals_total: told.total });
  expect(stats.run?.so_far.cpu_seconds).toBe(told.cpu);
  expect(detail.goals).toEqual(stats.goals);
  expect(list.counts).toEqual(stats.goals);
  expect(stats.goals.solved).toBe(told.solved);
  expect(stats.goals.refuted).toBe(record.newest(false).filter(({ refuted }) => refuted !== null).length);
  expect(detail.progress.at(-1)?.solved).toBe(told.solved);
  for (const { id, cpu_seconds } of goals)
    expect(list.goals.find(({ goal }) => goal === id)?.cpu_seconds).toBeCloseTo(cpu_seconds, 6);
  const attempts = own.filter(({ type }) => type === 'attempt-finished').length;
  expect(detail.arms.reduce((sum, arm) => sum + arm.attempts, 0)).toBe(attempts);

  // all runs together: `orch stats`, the API and the metrics
  const [{ since: _since, runs: newest, ...whole }] = jsonLines(
    (await orch(['stats', '--json', '--ledger', desk.file])).stdout,
  ) as unknown as [LedgerStats];
  expect(stats).toMatchObject(whole);
  const { stdout: text } = await orch(['stats', '--ledger', desk.file]);
  const said = [
    `${whole.total_attempts} of all time, ${whole.successes} with a proof (${percent(whole.success_rate)})`,
    `${whole.goals_known} known, ${whole.goals_solved} solved (${percent(whole.solve_rate)}), ${whole.goals_refuted} refuted`,
    `${whole.cached_goals} goals with a known proof; ${percent(whole.hit_rate)} of the attempts hit it`,
    `CPU       ${formatSeconds(whole.runs_cpu_seconds)} in all runs; ${formatSeconds(whole.cpu_seconds)} in the attempts of all time`,
    `  ${told.solved}/${told.total}  `,
  ];
  for (const line of said) expect(text).toContain(line);
  expect(newest[0]).toMatchObject({ run, goals_solved: told.solved, goals_total: told.total });
  const metrics = await metricsOf(port);
  expect(metrics('orch_attempts_total')).toBe(whole.total_attempts);
  expect(metrics('orch_attempt_successes_total')).toBe(whole.successes);
  expect(metrics('orch_attempt_cpu_seconds_total')).toBeCloseTo(whole.cpu_seconds, 6);
  expect(metrics('orch_goals_known')).toBe(whole.goals_known);
  expect(metrics('orch_goals_proved')).toBe(whole.goals_solved);
  expect(metrics('orch_cache_hits_total')).toBe(whole.cache_hits);
  expect(metrics('orch_goals', 'solved')).toBe(told.solved);

  // what a person reads on the page
  await desk.open('');
  const figure = (name: string) => page.locator('.figure', { hasText: name }).locator('dd').first();
  await expect
    .poll(async () => await figure('Goals proved').textContent())
    .toBe(`${told.solved} of ${told.total}`);
  expect(await figure('CPU used').textContent()).toBe(seconds(told.cpu));
  const dearest = goals.toSorted((one, two) => two.cpu_seconds - one.cpu_seconds)[0];
  const why = await orch(['why', dearest?.id ?? '', '--json', '--ledger', desk.file]);
  const [row] = jsonLines(why.stdout) as unknown as [GoalView];
  expect(row).toMatchObject({ goal: dearest?.id, attempts: dearest?.attempts });
  expect(row.cpu_seconds).toBeCloseTo(dearest?.cpu_seconds ?? 0, 6);
  await desk.open(`goals/${encodeURIComponent(row.goal)}`);
  await expect.poll(async () => await figure('CPU used').textContent()).toBe(seconds(row.cpu_seconds));
  expect(await figure('Attempts').textContent()).toBe(String(row.attempts));
  await desk.open('goals?status=solved');
  await page.getByText(`${told.solved} of ${told.total} goals`).waitFor();
  await desk.open('runs');
  await page.getByRole('row', { name: run }).getByText(`${told.solved} of ${told.total}`).waitFor();
  await desk.open('cache');
  await expect
    .poll(async () => await figure('Attempts with a hit').textContent())
    .toContain(`${Math.round(whole.hit_rate * 100)} %`);
  expect(desk.complaints).toEqual([]);
});

/** The sum of a metric's values; with a status, of those that have it. */
async function metricsOf(port: number): Promise<(name: string, status?: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const families = parsePrometheusTextFormat(text);
  return (name, status) =>
    (families.find((family) => family.name === name)?.metrics ?? [])
      .filter(({ labels }) => status === undefined || labels?.['status'] === status)
      .reduce((sum, { value }) => sum + Number(value), 0);
}
