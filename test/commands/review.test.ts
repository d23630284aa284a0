import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { longTest } from '../helpers/tier.ts';
import { serviceWith } from '../models/server.ts';

const content = String.raw`\begin{theorem}\label{thm:even}\lean{twice_even}
  Twice every natural number is even.
\end{theorem}
\begin{lemma}\label{lem:none}\lean{missing}
  Not in Lean.
\end{lemma}
`;
const lean =
  'def IsEven (n : Nat) : Prop := n % 2 = 0\n\ntheorem twice_even (n : Nat) (h : n > 0) : IsEven (2 * n) := by\n  sorry\n';

function project(): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'blueprint/src'), { recursive: true });
  writeFileSync(path.join(folder, 'blueprint/src/content.tex'), content);
  writeFileSync(path.join(folder, 'Main.lean'), lean);
  return folder;
}

const differs = {
  say: JSON.stringify({ verdict: 'differs', remarks: ['Lean assumes [n > 0](http://evil) @all'] }),
};
const modelOf = (url: string): Record<string, string> => ({ ORCH_MODEL: `openai:${url}/v1#reader` });

test('a model reads statement, definitions and text, and its doubts are shown', async () => {
  const cwd = project();
  const { url, asked } = await serviceWith(differs, { say: 'no idea' });
  const review = ['blueprint', 'review', '--node', 'thm:even'];
  const first = await orchHere(review, { cwd, env: modelOf(url) });
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('not a verification') as string });
  expect(first.stdout).toBe('differs  thm:even\n    Lean assumes [n > 0](http://evil) @all\n');
  const prompt = JSON.stringify(asked[0]?.body.messages);
  for (const part of [
    'Twice every natural',
    'twice_even (n : Nat) (h : n > 0) : IsEven (2 * n)',
    'n % 2 = 0',
  ])
    expect(prompt).toContain(part);
  expect(prompt).not.toContain('sorry');

  const silent = { ...modelOf(url), ORCH_MODEL_CACHE: path.join(cwd, 'other') };
  const { code, stdout } = await orchHere([...review, '--json'], { cwd, env: silent });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject([{ node: 'thm:even', verdict: 'unanswered' }]);

  expect(await orchHere(review, { cwd })).toMatchObject({ code: 2 });
  expect((await orchHere(['blueprint', 'review', '--node', 'thm:odd'], { cwd })).stderr).toContain(
    'no node thm:odd',
  );
});

longTest('orch ship --review comments once on the request', async () => {
  const {
    cwd,
    server,
    env: github,
  } = await repositoryWith({
    'blueprint/src/content.tex': content,
    'Main.lean': lean,
  });
  expect((await orchHere(['run', 'Main.lean', '--reporter', 'plain'], { cwd })).code).toBe(0);
  const { url } = await serviceWith(differs);
  const env = { ...modelOf(url), ...github };
  for (const expected of ['opened', 'unchanged']) {
    const { code, stdout } = await orchHere(['ship', '--repo', 'o/r', '--review'], { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining(expected)]);
    const [comment, ...others] = server.requests[0]?.comments ?? [];
    expect(others).toEqual([]);
    expect(comment?.body).toContain('The opinion of a language model');
    expect(comment?.body).toContain(String.raw`\[n \> 0\](http: //evil) \@all`);
  }
});
