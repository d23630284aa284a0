import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findProgram } from '../../src/io/programs.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { Story } from '../store/ledger/story.ts';
import { started } from './started.ts';
import { ended, underWay } from './told.ts';

const deploy = new URL('../../deploy/', import.meta.url);

test('a real Prometheus reads the metrics, loads the alerts and answers every panel of the Grafana board', async () => {
  const program = findProgram('prometheus', process.env['PATH']);
  if (program === undefined) throw new Error('This test needs Prometheus. Type: apt-get install prometheus');
  const { port: ours, ledger } = await started([...ended().events, ...underWay().events]);
  const folder = temporaryFolder();
  for (const name of ['prometheus.yml', 'alerts.yml'])
    writeFileSync(
      path.join(folder, name),
      readFileSync(new URL(name, deploy), 'utf8')
        .replace('127.0.0.1:8000', `127.0.0.1:${ours}`)
        .replace('scrape_interval: 5s', 'scrape_interval: 1s\n  evaluation_interval: 1s'),
    );
  const port = await freePort();
  const child = spawn(program, [
    `--config.file=${path.join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await using _ = {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
  const ask = async (question: string): Promise<{ status: string; data: { result: unknown[] } }> =>
    (await (await fetch(`http://127.0.0.1:${port}/api/v1/${question}`)).json()) as never;
  const query = async (expression: string): ReturnType<typeof ask> =>
    await ask(`query?query=${encodeURIComponent(expression)}`);
  const scraped = async (times: number): Promise<void> => {
    for (;;) {
      const up = await query(`sum_over_time(up[1m]) >= ${times}`).catch(() => undefined);
      if ((up?.data.result.length ?? 0) > 0) return;
      if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
      await sleep(200);
    }
  };
  await scraped(2);
  const more = new Story('run-2').finishAttempt('a3', 'racing', { wall_seconds: 3 });
  await ledger.journal.append([more.events[0] ?? expect.fail()]);
  await scraped(6);

  const board = JSON.parse(readFileSync(new URL('grafana/dashboards/orch.json', deploy), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const expressions = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(15);
  const silent: string[] = [];
  for (const expression of expressions) {
    const { status, data } = await query(expression);
    expect([expression, status]).toEqual([expression, 'success']);
    if (data.result.length === 0) silent.push(expression);
  }
  expect(silent).toEqual([]);

  const rules = await ask('rules');
  expect(JSON.stringify(rules).match(/"health":"ok"/g)).toHaveLength(4);
}, 60_000);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
