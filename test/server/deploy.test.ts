import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Metrics } from '../../src/server/metrics.ts';
import { systemClock } from '../../src/core/clock.ts';
import { GoalShelf } from '../../src/server/goal-shelf.ts';
import { LedgerFile } from '../../src/server/ledger-file.ts';
import { Tail } from '../../src/server/tail.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { underWay } from './told.ts';

const file = new URL('../../deploy/grafana/dashboards/orch.json', import.meta.url);

test('the Grafana dashboard asks only for metrics that exist', async () => {
  const { file: ledgerFile } = await temporaryLedger(underWay().events);
  const ledger = await LedgerFile.open(ledgerFile, systemClock);
  const tail = await Tail.open(ledger, (error) => expect.fail(String(error)));
  const offered = await new Metrics({ ledger, goals: new GoalShelf(), tail, clock: systemClock }).text();
  await tail.close();
  await ledger.close();
  const names = new Set([...offered.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/orch_\w+/g) ?? []));
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !names.has(name.replace(/_bucket$/, '')))).toEqual([]);
});

test('no deployment installs a public package that happens to be called orch', () => {
  const files = globSync('{deploy,scaffold}/**/*', { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  const foreign = /npx (?:--yes |-y )?orch\b|npm (?:install|i) (?:-g|--global) orch\b|\borch@[\d$]/;
  const paths = files.map(({ parentPath, name }) => `${parentPath}/${name}`);
  expect(paths.filter((name) => foreign.test(readFileSync(name, 'utf8')))).toEqual([]);
});
