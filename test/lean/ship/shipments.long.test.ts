import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Git } from '../../../src/io/git.ts';
import { GitHub } from '../../../src/io/github.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { openBase } from '../../../src/lean/ship/ship.ts';
import { shipGoals } from '../../../src/lean/ship/shipments.ts';
import type { GoalDetail } from '../../../src/shared/ledger.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { GitHubServer } from '../../helpers/github-server.ts';
import { openPool } from '../../helpers/lean.ts';
import { Story } from '../../store/ledger/story.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

const text = `def twice (n : Nat) : Nat := n + n

theorem done : twice 1 = 2 := rfl

theorem low (n : Nat) : n ≤ twice n := by
  sorry

theorem high (n : Nat) : n ≤ twice n + 1 := by
  sorry
`;
const blueprint = String.raw`\chapter{One}
\begin{lemma}\label{lem:low}\lean{low}\leanok
  Low.
\end{lemma}
\begin{proof}
  Clear.
\end{proof}
\begin{lemma}\label{lem:high}\lean{high}\leanok
  High.
\end{lemma}
\begin{proof}\uses{lem:low}
  Clear.
\end{proof}
`;
const proofs: Readonly<Record<string, string>> = {
  low: 'by simp [twice]',
  high: 'Nat.le_succ_of_le (low n)',
};

test('proofs become branches with their dependencies and marks; repeated, forged or outdated ones write nothing wrong', async () => {
  await using ending = new AsyncDisposableStack();
  const server = await GitHubServer.start();
  ending.defer(async () => await server.close());
  const pool = await openPool();
  ending.defer(async () => await pool.close());
  const lean = { pool, gate: new Gate(pool, pool) };
  const work = temporaryFolder();
  const remote = path.join(temporaryFolder(), 'remote.git');
  const git = new Git(work);
  const inGit = (...args: string[]): string =>
    execFileSync('git', args, { cwd: work, encoding: 'utf8' }).trim();
  const commit = (): void => {
    inGit('add', '--all');
    inGit(
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.invalid',
      'commit',
      '--quiet',
      '--message',
      'More',
    );
  };
  mkdirSync(path.join(work, 'blueprint/src'), { recursive: true });
  writeFileSync(path.join(work, 'Work.lean'), text);
  writeFileSync(path.join(work, 'blueprint/src/content.tex'), blueprint);
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  inGit('init', '--quiet', '--initial-branch=dev');
  inGit('remote', 'add', 'origin', remote);
  commit();
  inGit('push', '--quiet', 'origin', 'dev');
  const solved = await solvedIn(path.join(work, 'Work.lean'), lean);
  const shipped = async (only?: string): Promise<string[]> => {
    const github = new GitHub({
      owner: 'o',
      repo: 'r',
      token: 'token',
      api: server.api,
      now: () => Date.now(),
      sleep: async () => undefined,
    });
    const options = { base: 'dev', remote: 'origin', github };
    const yard = { ...options, git, start: await openBase(git, options), project: '' };
    const isWanted = (name: string): boolean => only === undefined || name === only;
    const results = await shipGoals(lean, yard, new Map([['Work.lean', solved]]), isWanted);
    inGit('fetch', '--quiet');
    return results.map(({ name, result }) => `${name} ${result}`);
  };

  // its dependencies are included, requested or not
  expect(await shipped('high')).toEqual(['high opened']);
  expect(await shipped()).toEqual(['low opened', 'high unchanged']);
  // each field of the requests, counted here
  for (const [lemma, open, dependsOn] of [
    ['low', 1, 'nothing'],
    ['high', 0, '`low`'],
  ] as const) {
    const body = server.requests.find(({ title }) => title.endsWith(` ${lemma}`))?.body ?? '';
    const known = solved.find(({ goal }) => goal === lemma) ?? expect.fail(lemma);
    const proof = proofs[lemma] ?? '';
    const [found] = known.proofs;
    expect({ lemma, said: body.split('\n').filter((line) => line.startsWith('- ')) }).toEqual({
      lemma,
      said: [
        `- Lemmas/Theorems: \`${lemma}\` (\`Work.lean\`)`,
        `- Open in the project: 2 sorrys → ${open}`,
        `- Depends on (proofs included): ${dependsOn}`,
        `- Blueprint nodes touched: \`lem:${lemma}\``,
        `- Proof: 1 tactic, ${proof.length} characters; lemmas used: ${(found?.premises ?? []).map((name) => `\`${name}\``).join(', ') || 'nothing'}`,
        '- Still open in this file, and critical: nothing',
        `- Status: replayed by orch's gate on ${found?.toolchain}; strategy ${found?.strategy}`,
        '- Axioms: nothing',
        '- Second kernel: not asked',
        `- Statement: unchanged, as the gate compared it with the base; hash of the elaborated statement: \`${known.goal_hash}\``,
        '- Local: CPU 00:01:10, GPU 00:00:12',
        '- Cloud: 00:00:07; models: $0.0000',
        '- Cache: 1 of 2 attempts used one (50 %)',
        '- New typeclass instances? no',
        '- Nonterminal `sorry`? no',
        '- API changes? no',
      ],
    });
  }
  const onBranch = (lemma: string, file: string): string =>
    inGit('show', `origin/auto/lem/root/${lemma}:${file}`);
  expect(onBranch('low', 'Work.lean')).toBe(text.replace('sorry', 'simp [twice]').trim());
  expect(onBranch('high', 'Work.lean')).not.toContain('sorry');
  expect(inGit('log', '-1', '--format=%B', 'origin/auto/lem/root/high')).toContain('[with] low');
  const marks = (lemma: string): number =>
    onBranch(lemma, 'blueprint/src/content.tex').split(String.raw`\leanok`).length - 1;
  expect([marks('low'), marks('high')]).toEqual([3, 4]);

  expect(await shipped()).toEqual(['low unchanged', 'high unchanged']);

  const forge = (lemma: string, files: Readonly<Record<string, string>>): void => {
    inGit('checkout', '--quiet', '-B', 'forged', 'origin/dev');
    for (const [file, forged] of Object.entries(files)) writeFileSync(path.join(work, file), forged);
    commit();
    inGit('push', '--quiet', '--force', 'origin', `HEAD:auto/lem/root/${lemma}`);
    inGit('checkout', '--quiet', 'dev');
  };
  const both = text.replace('sorry', 'simp [twice]').replace('sorry', 'unfold twice; omega');
  // one is proved by an axiom; the other well, but its neighbour is weakened
  forge('low', {
    'Work.lean': text
      .replace('theorem low', 'axiom cheat (n : Nat) : n ≤ twice n\n\ntheorem low')
      .replace('by\n  sorry', 'cheat n'),
  });
  forge('high', { 'Work.lean': both.replace('n ≤ twice n := by\n  simp [twice]', 'n ≤ n := Nat.le_refl n') });
  const base = inGit('rev-parse', 'HEAD');
  expect(await shipped()).toEqual(['low conflict', 'high conflict']);
  // a file that no proof changes; a mark without a proof on the branch
  forge('low', { 'lakefile.toml': 'name = "other"\n' });
  forge('high', {
    'Work.lean': text.replace(/sorry\n$/, 'unfold twice; omega\n'),
    'blueprint/src/content.tex': blueprint.replaceAll('\\begin{proof}', '\\begin{proof}\\leanok'),
  });
  expect(await shipped()).toEqual(['low conflict', 'high conflict']);
  // a theorem of the base is open again
  forge('low', { 'Work.lean': text.replace('sorry', 'simp [twice]').replace('rfl', 'by sorry') });
  expect(await shipped('low')).toEqual(['low conflict']);
  expect(base).toBe(inGit('rev-parse', 'HEAD'));

  // on the base one statement has changed, and the other is proved
  writeFileSync(
    path.join(work, 'Work.lean'),
    text
      .replace('n ≤ twice n := by', 'n + n ≤ twice n := by')
      .replace(/by\n {2}sorry\n$/, 'by unfold twice; omega\n'),
  );
  commit();
  inGit('push', '--quiet', 'origin', 'dev');
  expect(await shipped()).toEqual(['low conflict']);
});

async function solvedIn(file: string, lean: Parameters<typeof goalsOfFiles>[1]): Promise<GoalDetail[]> {
  const { goals } = await goalsOfFiles([file], lean);
  const story = new Story().begin();
  for (const goal of goals)
    story
      .add(goal.id, { task: goal, statement: goal.statement, source: 'Work.lean:1' })
      .examine(goal.id)
      .slate(goal.id, 'micro/close')
      .startAttempt(`${goal.id}-1`, goal.id)
      .finishAttempt(`${goal.id}-1`, goal.id, { cpu_seconds: 40, cloud_seconds: 7 })
      .startAttempt(`${goal.id}-2`, goal.id)
      .finishAttempt(`${goal.id}-2`, goal.id, {
        outcome: 'solved',
        cpu_seconds: 30,
        gpu_seconds: 12,
        cache_hits: 1,
      })
      .judge(`${goal.id}-2`, goal.id, { proof: proofs[goal.id] ?? '' })
      .closeGoal(goal.id);
  const { ledger } = await temporaryLedger(story.end().events);
  return await Promise.all(
    goals.map(async ({ id }) => (await ledger.views.goal('run-1', id)) ?? expect.fail(id)),
  );
}
