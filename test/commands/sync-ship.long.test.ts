import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { orchHere } from '../helpers/orch-here.ts';
import { repositoryWith } from '../helpers/repository.ts';

const content = String.raw`\begin{theorem}\label{thm:done}\lean{done}
  Two and two is four.
\end{theorem}
\begin{proof}Compute.\end{proof}
\begin{theorem}\label{thm:open}\lean{still_open}
  Addition commutes.
\end{theorem}
\begin{proof}\leanok Not yet.\end{proof}
`;
const files = {
  'Main.lean':
    'theorem done : 2 + 2 = 4 := rfl\n\ntheorem still_open (a b : Nat) : a + b = b + a := by\n  sorry\n',
  'blueprint/src/content.tex': content,
};

test('orch blueprint sync --ship removes no mark of a blueprint without Lean files', async () => {
  const marked = content.replace('Two and', String.raw`\leanok Two and`);
  const { cwd, env, server } = await repositoryWith({ 'blueprint/src/content.tex': marked });
  const { code, stderr } = await orchHere(['blueprint', 'sync', '--ship', '--repo', 'o/r'], { cwd, env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('there are no Lean files next to')]);
  expect(server.requests).toEqual([]);
});

test('orch blueprint sync --ship opens one request with the marks that Lean confirms', async () => {
  const { cwd, git, server, env } = await repositoryWith(files);
  const sync = ['blueprint', 'sync', '--ship', '--repo', 'o/r'];
  for (const expected of ['opened', 'unchanged']) {
    const { code, stdout } = await orchHere(sync, { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${expected}  blueprint`)]);
  }
  expect(git('status', '--porcelain').replaceAll('?? .orch/\n', '')).toBe('');
  const [request, ...others] = server.requests;
  expect(others).toEqual([]);
  expect(request?.title).toBe('docs(blueprint): update the marks of 2 nodes');
  expect(request?.body).toContain('| `thm:done` | none | stated proved |');
  expect(request?.body).toContain('| `thm:open` | proved | stated |');
  expect(git('diff', '--name-only', 'dev', 'origin/auto/docs/blueprint').split('\n')).toEqual([
    'blueprint/src/content.tex',
    'blueprint/src/lean_statements.json',
    '',
  ]);

  // a branch with an unearned mark is left alone
  git('checkout', '--quiet', '-B', 'edited', 'origin/auto/docs/blueprint');
  const there = git('show', 'HEAD:blueprint/src/content.tex');
  writeFileSync(
    path.join(cwd, 'blueprint/src/content.tex'),
    there.replace(String.raw`\begin{proof} Not`, String.raw`\begin{proof}\leanok Not`),
  );
  git('commit', '--quiet', '--all', '--message', 'Other');
  git('push', '--quiet', 'origin', 'HEAD:auto/docs/blueprint');
  git('checkout', '--quiet', 'dev');
  const refused = await orchHere(sync, { cwd, env });
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringMatching(/^conflict {2}blueprint .*thm:open/),
  ]);

  // once merged, there is nothing to ship
  git('push', '--quiet', 'origin', '--delete', 'auto/docs/blueprint');
  expect(await orchHere(['blueprint', 'sync'], { cwd })).toMatchObject({ code: 0 });
  git('add', 'blueprint');
  git('commit', '--quiet', '--message', 'Marks');
  git('push', '--quiet', 'origin', 'HEAD:dev');
  const { code, stdout } = await orchHere(sync, { cwd, env });
  expect([code, stdout]).toEqual([
    0,
    'unchanged  blueprint  the blueprint has the marks that Lean confirms\n',
  ]);
});
