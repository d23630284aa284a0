import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GitHubServer } from '../helpers/github-server.ts';
import { orch } from '../helpers/orch.ts';
import { Formalisation } from './formalisation.ts';

const example = path.resolve('examples/sorting');
const sweep = ['sweep', '--ship', '--repo', 'o/r', '--reporter', 'plain', '--cpu-target', '1'];

let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());
beforeEach(() => {
  server.requests.length = 0;
});

test('one command turns a clone into proofs, marks, branches and pull requests; a second run changes nothing', async () => {
  const clone = new Formalisation(example, server);
  const first = await clone.orch(...sweep);
  // one of the statements is false
  expect(first.code).toBe(1);
  const report = clone.report();
  const solved = report.goals.filter(({ status }) => status === 'solved').map(({ goal }) => goal);
  expect(solved.length).toBeGreaterThanOrEqual(20);
  expect(solved).not.toContain('Sorting.sort_append');
  expect(report.undecided).toEqual([]);
  expect(report.shipped.map(({ name, result }) => [name, result])).toEqual(
    solved.map((name) => [name, 'opened']),
  );
  expect(report.coverage.after?.proved).toBeGreaterThan(report.coverage.before?.proved ?? 0);
  expect(clone.git('status', '--porcelain', '--', ':!.orch')).toBe('');
  const branches = clone.branches();
  expect(branches.size).toBe(1 + solved.length);
  expect(server.requests).toHaveLength(solved.length);

  // everything merged on dev: the gate's verdict, and the blueprint
  clone.git('apply', '.orch/sweep/proofs.patch');
  const checked = await orch(['check', 'Sorting', '--json'], { cwd: clone.folder });
  const verdicts = checked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { verdict?: string; name?: string });
  for (const name of solved)
    expect(verdicts.find((one) => one.name === name)).toMatchObject({ verdict: 'accepted' });
  clone.git('checkout', '--', '.');

  const second = await clone.orch(...sweep);
  expect(second.code).toBe(1);
  expect(clone.report().shipped.map(({ name, result }) => [name, result])).toEqual(
    solved.map((name) => [name, 'unchanged']),
  );
  expect(clone.branches()).toEqual(branches);
  expect(server.requests).toHaveLength(solved.length);
});
