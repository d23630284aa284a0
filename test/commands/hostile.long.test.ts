import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GitHubServer } from '../helpers/github-server.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { Formalisation, type Changes } from './formalisation.ts';

const example = path.resolve('examples/sorting');

let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());

const insertion = (change: (text: string) => string): Changes => ({ 'Sorting/Insert.lean': change });

/** Content pushed by someone else, under the branch names that orch would use. */
const forgeries: Readonly<Record<string, Changes>> = {
  // 1: the statement is another one
  length_insert: insertion((text) =>
    text.replace('(insert x xs).length = xs.length + 1 := by\n  sorry', 'xs.length = xs.length := rfl'),
  ),
  // 2: a notation gives it another meaning
  total_insert: insertion((text) =>
    text
      .replace('namespace Sorting\n', 'namespace Sorting\n\nlocal notation:max "total" xs:max => (0 : Nat)\n')
      .replace('= x + total xs := by\n  sorry', '= 0 := rfl'),
  ),
  // 3: an axiom
  occ_insert: insertion((text) =>
    text
      .replace('theorem occ_insert', 'axiom cheat {p : Prop} : p\n\ntheorem occ_insert')
      .replace('= occ a (x :: xs) := by\n  sorry', '= occ a (x :: xs) := cheat'),
  ),
  // 4: a sorry under another name
  mem_insert: insertion((text) =>
    text
      .replace('namespace Sorting\n', 'namespace Sorting\n\nmacro "clear" : tactic => `(tactic| sorry)\n')
      .replace('y = x ∨ y ∈ xs := by\n  sorry', 'y = x ∨ y ∈ xs := by\n  clear'),
  ),
  // 5: its own definition in front of the real one
  insert_comm: insertion((text) =>
    text
      .replace(
        'namespace Sorting\n',
        'namespace Sorting.Fake\n\ndef insert (_ : Nat) (xs : List Nat) := xs\n\nend Sorting.Fake\n\nnamespace Sorting\n\nopen Fake (insert)\n',
      )
      .replace('insert y (insert x xs) := by\n  sorry', 'insert y (insert x xs) := rfl'),
  ),
  // 6: no theorem
  insert_of_le: insertion((text) =>
    text.replace(/theorem insert_of_le (.*) := by\n {2}sorry/, 'axiom insert_of_le $1'),
  ),
  // 7: a proof that is good where a definition below it is another one
  flat_mirror: {
    'Sorting/Defs.lean': (text) =>
      text.replace('l.flat ++ x :: r.flat', '[]').replace('| node l x r => []', '| node _ _ _ => []'),
    'Sorting/Tree.lean': (text) =>
      text.replace('= t.flat.reverse := by\n  sorry', '= t.flat.reverse := by\n  cases t <;> rfl'),
  },
  // 8: a good proof, and with it another lakefile
  size_mirror: {
    'lakefile.toml': (text) => text.replace('false', 'true'),
    'Sorting/Tree.lean': (text) =>
      text.replace(
        't.mirror.size = t.size := by\n  sorry',
        't.mirror.size = t.size := by\n  induction t <;> simp_all [Tree.mirror, Tree.size] <;> omega',
      ),
  },
};

/** The content of the base. */
const base: Changes = {
  // 9: forged marks
  'blueprint/src/content.tex': (text) => text.replaceAll('\\begin{proof}\n', '\\begin{proof}\n  \\leanok\n'),
  // 10: an axiom as a simp lemma, which proves one of the goals
  'Sorting/Tree.lean': (text) =>
    text.replace(
      'namespace Sorting\n',
      'namespace Sorting\n\naxiom cheat : ∀ t : Tree, t.mirror.mirror = t\n\nattribute [simp] cheat\n',
    ),
  // 11: a module that no longer compiles as soon as a proof is there
  'Sorting/Search.lean': (text) =>
    text.replace(
      'end Sorting\n',
      `/--
info: theorem Sorting.size_plant : ∀ (x : Nat) (t : Tree), (Tree.plant x t).size = t.size + 1 :=
fun x t => sorry
-/
#guard_msgs in
#print size_plant

end Sorting
`,
    ),
};

test('after each of twelve hostile edits nothing wrong is written', async () => {
  const clone = new Formalisation(example, server, base);
  for (const [lemma, changes] of Object.entries(forgeries)) {
    clone.git('checkout', '--quiet', '-b', `forged-${lemma}`);
    for (const [file, change] of Object.entries(changes)) clone.edit(file, change);
    expect(clone.git('diff', '--name-only').split('\n')).toHaveLength(Object.keys(changes).length);
    clone.git('commit', '--quiet', '--all', '--message', 'A proof');
    clone.git('push', '--quiet', 'origin', `HEAD:auto/lem/Sorting/${lemma}`);
    clone.git('checkout', '--quiet', 'dev');
  }
  const before = clone.branches();
  const files = ['Sorting/Insert.lean', 'Sorting/Tree.lean'];
  const running = clone.orch(
    'sweep',
    ...files,
    '--ship',
    '--repo',
    'o/r',
    '--profile',
    '0',
    '--goal-cpu',
    '30',
  );
  // 12: an edit in the clone while it runs
  await expect.poll(() => existsSync(path.join(clone.folder, '.orch/ledger.db'))).toBe(true);
  const edited = 'Sorting/Insert.lean';
  clone.edit(edited, (text) => text.replace('x + total xs', 'total xs'));
  const text = readFileSync(path.join(clone.folder, edited), 'utf8');
  expect((await running).code).toBe(1);
  expect(readFileSync(path.join(clone.folder, edited), 'utf8')).toBe(text);

  const { shipped, coverage } = clone.report();
  // what was not swept is still stated
  expect(coverage.after?.stated).toBe(coverage.before?.stated);
  const resultOf = (lemma: string): string =>
    shipped.find(({ name }) => name === `Sorting.${lemma}`)?.result ?? 'not proved';
  const forged = Object.keys(forgeries).map((lemma) => [lemma, resultOf(lemma)]);
  // orch only handles files that it has its own proof for
  for (const [lemma, result] of forged)
    expect([lemma, result]).not.toEqual([
      lemma,
      expect.stringMatching(/^(?:opened|updated|unchanged|pushed)$/),
    ]);
  expect(forged.filter(([, result]) => result === 'conflict').length).toBeGreaterThanOrEqual(6);
  expect(resultOf('size_plant')).not.toBe('opened');
  const asked = server.requests.map(({ head }) => head.ref).toSorted();
  const opened = shipped.filter(({ result }) => result === 'opened');
  expect(asked).toEqual(opened.map(({ branch }) => branch).toSorted());
  expect(opened.length).toBeGreaterThan(0);
  const now = clone.branches();
  expect([...before].filter(([branch, tree]) => now.get(branch) !== tree)).toEqual([]);
  expect(readFileSync(path.join(clone.folder, '.orch/sweep/proofs.patch'), 'utf8')).toMatch(/^-\s*\\leanok/m);

  // everything that was written has the claimed verdict when judged on its branch against the base
  clone.git('checkout', '--quiet', '--', '.');
  clone.git('fetch', '--quiet');
  // a reference is read with what its own path imports
  const stated = path.join(clone.folder, '..', 'reference');
  clone.git('worktree', 'add', '--quiet', '--detach', stated, 'origin/dev');
  for (const { name, branch } of opened) {
    clone.git('checkout', '--quiet', `origin/${branch}`);
    const [file = '', ...others] = clone.git('diff', '--name-only', 'origin/dev', '--', '*.lean').split('\n');
    expect(others).toEqual([]);
    const reference = path.join(stated, file);
    const { stdout } = await orch(['check', file, '--against', reference, '--json'], { cwd: clone.folder });
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({
        name,
        verdict: 'accepted',
        axioms: expect.not.arrayContaining(['Sorting.cheat']) as unknown,
      }),
    );
  }
});
