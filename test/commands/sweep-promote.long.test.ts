import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GitHubServer } from '../helpers/github-server.ts';
import { orch } from '../helpers/orch.ts';
import { Formalisation } from './formalisation.ts';

const files = ['Sorting/Loops.lean', 'Sorting/Steps.lean'];
const accumulators = ['totalOnto', 'flatOnto', 'sizeOnto'];

let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());

test('one command moves three helper lemmas into the file below their users, which use them by name on top', async () => {
  const clone = new Formalisation(path.resolve('examples/sorting'), server);
  const sweep = ['sweep', ...files, '--ship', '--promote', '--repo', 'o/r', '--reporter', 'plain'];
  const { code, stderr } = await clone.orch(...sweep, '--cpu-target', '1');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(clone.report().shipped.map(({ result }) => result)).toEqual(Array(9).fill('opened'));

  const requests = server.requests.map(({ head, base }) => ({ branch: head.ref, base: base.ref }));
  const lemmas = requests.filter(({ branch }) => /_eq_/.test(branch));
  expect(
    lemmas.map(({ branch }) => accumulators.find((one) => branch.includes(one)) ?? '').toSorted(),
  ).toEqual(accumulators.toSorted());
  expect(lemmas.map(({ base }) => base)).toEqual(['dev', ...lemmas.slice(0, -1).map(({ branch }) => branch)]);
  for (const { branch, base } of lemmas) {
    const name = branch.split('/').at(-1) ?? '';
    const changed = clone.git('diff', '--name-only', `origin/${base}...origin/${branch}`).split('\n');
    expect(changed.filter((file) => file.endsWith('.lean'))).toEqual(['Sorting/Defs.lean']);
    // one user in each file, on top of the lemma, without the helper that its proof had
    const users = requests.filter((one) => one.base === branch && !lemmas.includes(one));
    const used = users.map((user) => ({
      file: clone.git('diff', '--name-only', `origin/${branch}...origin/${user.branch}`, '--', '*.lean'),
      proof: clone.git('diff', '-U0', `origin/${branch}...origin/${user.branch}`, '--', '*.lean'),
    }));
    expect(used.map(({ file }) => file).toSorted()).toEqual(files);
    for (const { proof } of used) expect(proof).toMatch(new RegExp(String.raw`^\+.*\b${name}\b`, 'm'));
    for (const { proof } of used) expect(proof).not.toMatch(/^\+ *have \w+ :/m);
  }

  // the topmost lemma's branch has all three, and the gate accepts the file
  clone.git('checkout', '--quiet', '--detach', `origin/${lemmas.at(-1)?.branch}`);
  const checked = await orch(['check', 'Sorting/Defs.lean', '--json'], { cwd: clone.folder });
  const verdicts = checked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { verdict: string; kind: string; name: string });
  expect(
    verdicts.filter(({ kind }) => kind === 'proved').map(({ name, verdict }) => [name, verdict]),
  ).toEqual(lemmas.map(({ branch }) => [`Sorting.${branch.split('/').at(-1)}`, 'accepted']));
  expect(checked.code).toBe(0);
});
