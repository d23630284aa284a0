import parse from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { Story } from '../store/ledger/story.ts';
import { started } from './started.ts';
import { ended, hostileName, underWay } from './told.ts';

test('metrics are in Prometheus format, in base units and without goal names', async () => {
  const { get, ledger } = await started([...ended().events, ...underWay().events]);
  const more = new Story('run-2').finishAttempt('a3', 'racing', { wall_seconds: 3 });
  await ledger.journal.append([more.events[0] ?? expect.fail()]);
  const { status, headers, text } = await get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const families = new Map(parse(text).map((family) => [family.name, family]));
  const values = (name: string) =>
    families.get(name)?.metrics.map(({ labels, value }) => [labels ?? {}, Number(value)]);

  expect(families.get('orch_attempts_total')?.type).toBe('COUNTER');
  expect(values('orch_attempts_total')).toEqual([
    [{ strategy: 'micro', outcome: 'failed' }, 2],
    [{ strategy: 'micro', outcome: 'solved' }, 2],
  ]);
  expect(values('orch_attempt_successes_total')).toEqual([[{ strategy: 'micro' }, 2]]);
  expect(values('orch_cpu_seconds_total')).toEqual([[{}, 13.5]]);
  expect(values('orch_cpu_utilisation_ratio')).toEqual([[{}, 0.5]]);
  expect(values('orch_goals')).toContainEqual([{ status: 'unsolved' }, 1]);
  expect(values('orch_worker_rss_bytes')).toEqual([[{ worker: '0' }, 1e8]]);
  expect(values('orch_cache_hits_total')).toEqual([[{}, 2]]);
  expect(values('orch_tickets')).toContainEqual([{ status: 'open' }, 2]);
  expect(values('orch_run_paused')).toEqual([[{}, 1]]);
  expect(families.get('orch_attempt_seconds')).toMatchObject({
    type: 'HISTOGRAM',
    metrics: [{ buckets: { '2.5': '0', '5': '1', '+Inf': '1' } }],
  });
  for (const { name, help } of families.values()) {
    expect(name).toMatch(/^(?:orch|process)_[a-z_]+$/);
    expect(help).not.toBe('');
  }
  for (const name of [hostileName, 'waiting', 'queued 10']) expect(text).not.toContain(name);
});

test('a scrape does not count anything twice', async () => {
  const { get } = await started(ended().events);
  const scrape = async () => (await get('/metrics')).text.replace(/^process_.*$/m, '');
  expect(await scrape()).toBe(await scrape());
});

test('remote workers have one label each', async () => {
  const story = new Story().begin().add('g1').add('g2');
  for (const [index, worker] of ['one', 'two', 'one'].entries())
    story.finishAttempt(`a${index}`, 'g1', {
      strategy: 'remote',
      arm: `remote/${worker}`,
      cloud_seconds: 0.5,
      outcome: 'solved',
    });
  const { get } = await started(story.events);
  const { text } = await get('/metrics');
  expect(text).toContain('orch_remote_answers_total{worker="one",outcome="solved"} 2\n');
  expect(text).toContain('orch_remote_cpu_seconds_total{worker="two"} 0.5\n');
});
