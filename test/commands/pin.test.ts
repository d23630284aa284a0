import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines } from '../helpers/orch.ts';

const content = String.raw`\begin{theorem}\label{thm:main}\lean{main}\uses{lem:a}
  Main.
\end{theorem}
\begin{lemma}\label{lem:a}\lean{a}
  First.
\end{lemma}
`;

test('a pinned node comes first on the critical path until it is taken off', async () => {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, 'blueprint/src'), { recursive: true });
  writeFileSync(path.join(cwd, 'blueprint/src/content.tex'), content);
  const critical = async (): Promise<unknown> => {
    const { stdout } = await orchHere(['blueprint', 'critical', '--json'], { cwd });
    const { nodes } = JSON.parse(stdout) as { nodes: { id: string; pinned: boolean }[] };
    return nodes.map(({ id, pinned }) => [id, pinned]);
  };
  const before = [
    ['lem:a', false],
    ['thm:main', false],
  ];
  expect(await orchHere(['pin', 'thm:main'], { cwd })).toMatchObject({ code: 0, stdout: 'thm:main\n' });
  expect(await critical()).toEqual([
    ['thm:main', true],
    ['lem:a', false],
  ]);
  const { stdout } = await orchHere(['blueprint', 'critical'], { cwd });
  expect(stdout).toContain('pinned: thm:main');
  expect(jsonLines((await orchHere(['pin', '--json'], { cwd })).stdout)).toEqual([['thm:main']]);
  expect(await orchHere(['pin', 'thm:main', '--off'], { cwd })).toMatchObject({
    stdout: 'nothing is pinned\n',
  });
  expect(await critical()).toEqual(before);
});

test('a name that nothing here has is pinned with a warning', async () => {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, 'blueprint/src'), { recursive: true });
  writeFileSync(path.join(cwd, 'blueprint/src/content.tex'), content);
  writeFileSync(path.join(cwd, 'Main.lean'), 'namespace A\n@[simp] theorem first : 1 = 1 := sorry\nend A\n');
  for (const known of ['lem:a', 'A.first', 'Main.lean: A.first'])
    expect(await orchHere(['pin', known], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout, stderr } = await orchHere(['pin', 'thm:min'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('thm:min');
  expect(stderr).toContain('called thm:min; did you mean thm:main?');
});
