import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { goalView } from '../../src/shared/schemas/goal-view.ts';
import { PageSource } from '../../src/server/page.ts';
import { reportHtml, reportOf } from '../../src/server/report.ts';
import type { Report } from '../../src/shared/api.ts';
import { defaultGoalQuery } from '../../src/shared/api.ts';
import { queryGoals } from '../../src/shared/goal-query.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { smallPage, started } from './started.ts';
import { ended, hostileError, hostileName, underWay } from './told.ts';

const both = () => [...ended().events, ...underWay().events];

test('a report is one file that makes no requests and whose content cannot inject code', async () => {
  const { ledger } = await temporaryLedger(both());
  const page = await new PageSource(smallPage()).page();
  const html = reportHtml(page, await reportOf(ledger, 'latest', both().at(-1)?.at ?? 0));
  // the glossary terms, the data, the program
  expect(html.match(/<\/script>/gi)).toHaveLength(3);

  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  for (const text of [style, script])
    expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const global: { greeting?: string } = {};
  runInNewContext(script, global);
  expect(global.greeting).toBe('</script><!-- not the end -->');

  const data = /<script type="application\/json" id="orch-report">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(html.replace(data, '')).not.toMatch(/\b(?:src|href)=|url\(/);
  expect(data).not.toContain('<');
  const report = JSON.parse(data) as Report;
  expect(report.views[hostileName]).toMatchObject({ goal: hostileName, latest_error: hostileError });
});

test('a report contains the server’s answers', async () => {
  const { get, ledger, clock } = await started(both());
  const report = await reportOf(ledger, 'run-2', clock.at);
  expect((await get('/api/stats?run=run-2')).json()).toEqual(report.stats);
  expect((await get('/api/runs/run-2')).json()).toEqual(report.run);
  expect((await get('/api/runs')).json()).toEqual(report.runs);
  expect((await get('/api/marketplace')).json()).toEqual(report.marketplace);
  expect((await get('/api/goals?sort=goal&search=e')).json()).toMatchObject(
    queryGoals(report.goals, { ...defaultGoalQuery, sort: 'goal', search: 'e' }),
  );
  for (const { goal } of report.goals)
    expect((await get(`/api/goals/${encodeURIComponent(goal)}`)).json()).toEqual(report.views[goal]);
  for (const view of Object.values(report.views)) expect(goalView.parse(view)).toEqual(view);
});
