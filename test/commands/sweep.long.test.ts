import { readFileSync, writeFileSync } from 'node:fs';
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

test('one command from a clone to proofs, marks, branches and requests; a second time changes nothing', async () => {
  const clone = new Formalisation(example, server);
  const first = await clone.orch(...sweep);
  // one of the statements is false
  expect(first.code).toBe(1);
  const report = clone.report();
  const solved = report.goals.filter(({ status }) => status === 'solved').map(({ goal }) => goal);
  expect(solved.length).toBeGreaterThanOrEqual(20);
  expect(report.goals.find(({ goal }) => goal === 'Sorting.sort_append')).toMatchObject({
    status: 'refuted',
  });
  expect(report.shipped.map(({ name, result }) => [name, result])).toEqual(
    solved.map((name) => [name, 'opened']),
  );
  expect(report.coverage.after?.proved).toBeGreaterThan(report.coverage.before?.proved ?? 0);
  expect(clone.git('status', '--porcelain', '--', ':!.orch')).toBe('');
  const branches = clone.branches();
  expect(branches.size).toBe(1 + solved.length);
  expect(server.requests).toHaveLength(solved.length);

  // all of it together, on dev: what the gate says of it, and the blueprint
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

/** What somebody has put onto a branch that orch would make, in the file of its lemma. */
const forgeries: Readonly<Record<string, (text: string) => string>> = {
  // the statement is another one
  length_insert: (text) =>
    text.replace('(insert x xs).length = xs.length + 1 := by\n  sorry', 'xs.length = xs.length := rfl'),
  // it means something else
  total_insert: (text) =>
    text
      .replace('namespace Sorting\n', 'namespace Sorting\n\nlocal notation:max "total" xs:max => (0 : Nat)\n')
      .replace('= x + total xs := by\n  sorry', '= 0 := rfl'),
  // an axiom
  occ_insert: (text) =>
    text
      .replace('theorem occ_insert', 'axiom cheat {p : Prop} : p\n\ntheorem occ_insert')
      .replace('= occ a (x :: xs) := by\n  sorry', '= occ a (x :: xs) := cheat'),
  // a sorry under another name
  mem_insert: (text) =>
    text
      .replace('namespace Sorting\n', 'namespace Sorting\n\nmacro "clear" : tactic => `(tactic| sorry)\n')
      .replace('y = x ∨ y ∈ xs := by\n  sorry', 'y = x ∨ y ∈ xs := by\n  clear'),
  // a definition of its own in front of the real one
  insert_comm: (text) =>
    text
      .replace(
        'namespace Sorting\n',
        'namespace Sorting.Fake\n\ndef insert (_ : Nat) (xs : List Nat) := xs\n\nend Sorting.Fake\n\nnamespace Sorting\n\nopen Fake (insert)\n',
      )
      .replace('insert y (insert x xs) := by\n  sorry', 'insert y (insert x xs) := rfl'),
  // no theorem at all
  insert_of_le: (text) => text.replace(/theorem insert_of_le (.*) := by\n {2}sorry/, 'axiom insert_of_le $1'),
};

test('twelve hostile edits: nothing wrong is written anywhere', async () => {
  const clone = new Formalisation(example, server, {
    // marks that nobody has earned
    'blueprint/src/content.tex': (text) =>
      text.replaceAll('\\begin{proof}\n', '\\begin{proof}\n  \\leanok\n'),
    // an axiom that would prove everything, and a simp lemma that is false, on the base itself
    'Sorting/Tree.lean': (text) =>
      text.replace(
        'namespace Sorting\n',
        'namespace Sorting\n\naxiom cheat : ∀ t : Tree, t.mirror.mirror = t\n\nattribute [simp] cheat\n',
      ),
    // an example that breaks as soon as a proof is there
    'Sorting/Search.lean': (text) =>
      text.replace(
        'end Sorting\n',
        "/-- info: 'Sorting.size_plant' depends on axioms: [sorryAx] -/\n#guard_msgs in\n#print axioms size_plant\n\nend Sorting\n",
      ),
  });
  for (const [lemma, forge] of Object.entries(forgeries)) {
    const file = path.join(clone.folder, 'Sorting/Insert.lean');
    const honest = readFileSync(file, 'utf8');
    const forged = forge(honest);
    expect(forged, lemma).not.toBe(honest);
    clone.git('checkout', '--quiet', '-b', `forged-${lemma}`);
    writeFileSync(file, forged);
    clone.git('commit', '--quiet', '--all', '--message', 'A proof');
    clone.git('push', '--quiet', 'origin', `HEAD:auto/lem/Sorting/${lemma}`);
    clone.git('checkout', '--quiet', 'dev');
  }
  const before = clone.branches();
  const running = clone.orch(...sweep, '--profile', '0', '--goal-cpu', '20');
  // while it runs: an edit in the clone, and the base goes on
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  clone.edit('Sorting/Sort.lean', (text) =>
    text.replace('total (sort xs) = total xs', 'total (sort xs) = 0'),
  );
  const edited = readFileSync(path.join(clone.folder, 'Sorting/Sort.lean'), 'utf8');
  const { code } = await running;
  expect(code).toBe(1);
  expect(readFileSync(path.join(clone.folder, 'Sorting/Sort.lean'), 'utf8')).toBe(edited);

  const { shipped } = clone.report();
  for (const lemma of Object.keys(forgeries)) {
    const name = `Sorting.${lemma}`;
    expect(shipped.find((one) => one.name === name)?.result ?? 'open', lemma).toMatch(/^(?:conflict|open)$/);
    expect(
      server.requests.some(({ title }) => title.endsWith(` ${name}`)),
      lemma,
    ).toBe(false);
  }
  for (const [branch, tree] of before) expect(clone.branches().get(branch), branch).toBe(tree);
  expect(readFileSync(path.join(clone.folder, '.orch/sweep/proofs.patch'), 'utf8')).toMatch(/^-\s*\\leanok/m);

  // whatever was written: judged on its branch against the base, it is what it says
  const base = 'origin/dev';
  const opened = shipped.filter(({ result }) => result === 'opened');
  expect(opened.length).toBeGreaterThan(0);
  clone.git('stash', '--quiet');
  clone.git('fetch', '--quiet');
  for (const { name, branch } of opened) {
    clone.git('checkout', '--quiet', `origin/${branch}`);
    for (const file of clone.git('diff', '--name-only', base, '--', '*.lean').split('\n')) {
      const reference = path.join(clone.folder, '..', 'reference.lean');
      writeFileSync(reference, clone.git('show', `${base}:${file}`));
      const { stdout } = await orch(['check', file, '--against', reference, '--json'], { cwd: clone.folder });
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { verdict?: string; name?: string; axioms?: string[] });
      const own = lines.find((line) => line.name === name);
      if (own) expect(own).toMatchObject({ verdict: 'accepted' });
      expect(own?.axioms ?? []).not.toContain('Sorting.cheat');
    }
  }
});
