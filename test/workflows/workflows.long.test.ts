import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedFolder } from '../helpers/folders.ts';
import { GitHubServer } from '../helpers/github-server.ts';
import { summaryOf } from './harness.ts';
import { failures, Sample } from './sample.ts';

const folder = sharedFolder();
let server: GitHubServer;
let sample: Sample;
beforeAll(async () => {
  server = await GitHubServer.start();
  sample = new Sample(folder);
  // true, and out of reach: it must not turn the nightly run red
  edit('Sample/Basic.lean', (text) => text.replace('end Sample', `${outOfReach}\n\nend Sample`));
  edit('blueprint/src/content.tex', (text) => `${text}${node}`);
  sample.commit('State a goal that stays open', 'main', 'dev');
});
afterAll(async () => await server.close());

const outOfReach = 'theorem primes (n : Nat) : ∃ p, n < p ∧ ∀ d, d ∣ p → d = 1 ∨ d = p := by\n  sorry';
const node = String.raw`
\begin{theorem}\label{thm:primes}\lean{Sample.primes}\leanok\uses{lem:double-eq}
  There is always a larger prime.
\end{theorem}
\begin{proof}
  Euclid.
\end{proof}
`;

function edit(name: string, change: (text: string) => string): void {
  const file = path.join(sample.clone, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const environment = (): Record<string, string> => ({ GITHUB_API_URL: server.api, ORCH_GOAL_CPU: '4' });

const request = (labels: string[]): Record<string, unknown> => ({
  event_name: 'pull_request',
  base_ref: 'main',
  head_ref: 'change',
  event: { pull_request: { number: 7, labels: labels.map((name) => ({ name })) } },
});

test('ci builds and checks a push, and judges a pull request against its base', async () => {
  const push = await sample.run('ci', { event_name: 'push', ref_name: 'main' });
  expect(failures(push.results)).toEqual([]);
  expect(push.results.find(({ step }) => step.includes('lean-action'))?.output).toContain(
    'modules are built',
  );
  expect(push.results.find(({ step }) => step.includes('work at all'))?.output).toMatch(
    /lemmas of orch's bank solved in 30 s[^]*modules are built/,
  );
  expect(push.results.filter(({ job }) => job === 'milestone').map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 5 }, () => 'skipped'),
  );

  edit('Sample/Basic.lean', (text) =>
    text.replace('2 * n := by\n  sorry', '2 * n := by\n  unfold double; omega'),
  );
  sample.commit('Prove it', 'change');
  const proved = await sample.run('ci', request([]), { jobs: ['orch'] });
  expect(failures(proved.results)).toEqual([]);
  expect(sample.artifact('orch-caches', 'caches.orch')).not.toBe('');

  edit('Sample/Basic.lean', (text) => text.replace('double n = 2 * n', 'double n = n * 2'));
  sample.git('checkout', '--quiet', '-b', 'restated');
  sample.commit('Change a statement', 'change');
  const restated = await sample.run('ci', request([]), { jobs: ['orch'] });
  expect(failures(restated.results)).toEqual([expect.stringContaining('double_eq')]);
  expect(sample.artifact('comment', 'comment.md')).toContain('this request failed');
  const allowed = await sample.run('ci', request(['restates']), { jobs: ['orch'] });
  expect(failures(allowed.results)).toEqual([]);
  sample.git('checkout', '--quiet', 'main');
  sample.git('reset', '--quiet', '--hard', 'origin/main');
});

test('docs publishes blueprint, PDF and Lean documentation as one site', async () => {
  const { results } = await sample.run('docs', { event_name: 'push', ref_name: 'main' });
  expect(failures(results)).toEqual([]);
  for (const file of ['index.html', 'blueprint/index.html', 'blueprint.pdf', 'docs/index.html'])
    expect(sample.artifact('github-pages', file)).not.toBe('');
});

test('sweep opens pull requests for proofs with the app’s token, leaves the rest open, and uploads a complete artifact', async () => {
  const vars = { ORCH_APP_ID: '1' };
  const { results, folder: run } = await sample.run(
    'sweep',
    { event_name: 'schedule', ref_name: 'main' },
    { vars, environment: environment() },
  );
  expect(failures(results)).toEqual([]);
  expect(server.requests.map(({ title, base }) => [title, base.ref])).toEqual([
    ['feat(lean): add Sample.double_eq', 'dev'],
  ]);
  expect(server.seen.at(-1)?.authorization).toContain('app-token');
  expect(server.requests[0]?.body).toContain('Open in the project: 2 sorrys → 1');
  expect(server.requests[0]?.body).toMatch(/hash of the elaborated statement: `[0-9a-f]{16,}`/);
  expect(server.requests[0]?.body).toContain('Still open in this file, and critical: `Sample.primes`');
  expect(server.requests[0]?.labels).toEqual([{ name: 'needs-cloud' }]);
  const { goals } = JSON.parse(sample.artifact('orch-sweep', 'report.json')) as {
    goals: { goal: string; status: string }[];
  };
  expect(goals.find(({ goal }) => goal === 'Sample.double_eq')?.status).toBe('solved');
  expect(goals.find(({ goal }) => goal === 'Sample.primes')?.status).not.toBe('solved');
  expect(summaryOf(run, 'sweep')).toContain('Sample.double_eq');
  expect(sample.artifact('orch-sweep', 'ledger.db').startsWith('SQLite format 3')).toBe(true);
});

/** A request of someone else's repository. */
const labelled = (...labels: string[]): Record<string, unknown> => ({
  ...request(labels),
  head_ref: 'dev',
  event: {
    pull_request: { labels: labels.map((name) => ({ name })), head: { repo: { full_name: 'a/fork' } } },
  },
});

test('heavy works only on the stuck goal, with five times the budget', async () => {
  const event = { event_name: 'workflow_dispatch', ref_name: 'dev', head_ref: '' };
  const { results, folder: run } = await sample.run('heavy', event, { environment: environment() });
  expect(failures(results)).toEqual([]);
  const report = JSON.parse(sample.artifact('orch-heavy', 'report.json')) as {
    goals: { goal: string; cpu_seconds: number }[];
    stuck: { goal: string }[];
    shipped: { name: string; result: string }[];
  };
  // what the nightly run shipped is still what it was
  expect(report.shipped).toMatchObject([{ name: 'Sample.double_eq', result: 'unchanged' }]);
  expect(report.goals.map(({ goal }) => goal)).toEqual(['Sample.primes']);
  expect(report.goals[0]?.cpu_seconds).toBeGreaterThan(4);
  expect(report.stuck.map(({ goal }) => goal)).toEqual(['Sample.primes']);
  expect(summaryOf(run, 'search')).toContain('`orch sweep --stuck` works on those alone');

  for (const labels of [[], ['needs-cloud']])
    expect((await sample.run('heavy', labelled(...labels))).results).toEqual([
      { job: 'search', step: '(job)', outcome: 'skipped', output: '' },
    ]);
});

test('the tag of a milestone keeps the caches that the sweep published', async () => {
  const refs = (): string => sample.git('ls-remote', 'origin', 'refs/orch/*');
  expect(refs()).toContain('refs/orch/cache/');
  const tag = { event_name: 'push', ref: 'refs/tags/stable/M1', ref_name: 'stable/M1' };
  sample.git('tag', 'stable/M1');
  sample.git('push', '--quiet', 'origin', 'stable/M1');
  const { results } = await sample.run('ci', tag, { jobs: ['caches'] });
  expect(failures(results)).toEqual([]);
  expect(refs()).toContain('refs/orch/stable/M1');
  expect(sample.artifact('orch-caches-milestone', 'caches.orch')).not.toBe('');
});

test('milestone M0 passes with the sweep’s ledger and green checks, and a red check blocks it', async () => {
  const push = { event_name: 'push', ref_name: 'main', sha: sample.git('rev-parse', 'HEAD') };
  const more = { jobs: ['milestone'], vars: { ORCH_MILESTONE: 'M0' }, environment: environment() };
  server.checks.push({ name: 'Lean build', status: 'completed', conclusion: 'success' });
  const green = await sample.run('ci', push, more);
  expect(failures(green.results)).toEqual([]);
  expect(green.results.at(-1)?.output).toMatch(/✓ CI of [0-9a-f]{8} is green: Lean build[^]*M0 passed/);
  server.checks.push({ name: 'docs', status: 'completed', conclusion: 'failure' });
  const red = await sample.run('ci', push, more);
  expect(failures(red.results)).toEqual([expect.stringContaining('docs is red')]);
});
