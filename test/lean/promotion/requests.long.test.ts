import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Git } from '../../../src/io/git.ts';
import { GitHub } from '../../../src/io/github.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { promoteTickets, type PromotedAll } from '../../../src/lean/promotion/requests.ts';
import { openBase } from '../../../src/lean/ship/ship.ts';
import type { GoalDetail, TicketRow } from '../../../src/shared/ledger.ts';
import { GitHubServer } from '../../helpers/github-server.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { conversation } from '../../helpers/lean.ts';
import { Story } from '../../store/ledger/story.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

const files: Readonly<Record<string, string>> = {
  'Lists.lean': `namespace Lists

/-- The length, counted by hand. -/
def len : List Nat → Nat
  | [] => 0
  | _ :: xs => len xs + 1

def twin (n : Nat) : Nat := n + n

theorem len_twice (xs : List Nat) : len (xs ++ xs) = 2 * len xs := by
  sorry

theorem twin_two (n : Nat) : twin (twin n) = 4 * n := by
  sorry

theorem len_thrice (xs ys : List Nat) : len (xs ++ (ys ++ xs)) = 2 * len xs + len ys := by
  sorry

theorem turned (a b c : Nat) (h : a = b) : b + c = c + a := by
  sorry

theorem twin_sum (a b c : Nat) : twin (a + b + c) = twin a + twin b + twin c := by
  sorry

end Lists
`,
  'blueprint/src/content.tex': String.raw`\chapter{Lists}
\begin{definition}\label{def:len}\lean{Lists.len}
  Length.
\end{definition}
\begin{lemma}\label{lem:twice}\lean{Lists.len_twice}\uses{def:len}
  Twice.
\end{lemma}
`,
};

const append =
  'theorem len_append_aux (xs ys : List Nat) (k : Nat) (hk : k = k) : len (xs ++ ys) = len xs + len ys';
const appendProof = `by
  induction xs with
  | nil => simp [len]
  | cons x xs ih => simp [len, ih]; omega`;
const twin = 'theorem helper (n : Nat) : twin n = 2 * n';
const sum = 'theorem twin_add_aux (a b : Nat) : twin (a + b) = twin a + twin b';
const byUnfolding = 'by\n  unfold twin\n  omega';
const swap = 'theorem add_swap_aux (a b : Nat) : b + a = a + b';

const inProof = (statement: string, proof: string, ...rest: string[]): string =>
  [
    'by',
    `  have ${statement.replace('theorem ', '')} := ${proof.replaceAll('\n', '\n  ')}`,
    ...rest.map((line) => `  ${line}`),
  ].join('\n');
const proofs: Readonly<Record<string, string>> = {
  len_twice: inProof(append, appendProof, 'rw [len_append_aux xs xs 0 rfl]', 'omega'),
  len_thrice: inProof(append, appendProof, 'simp only [len_append_aux _ _ 0 rfl]', 'omega'),
  twin_two: inProof(twin, byUnfolding, 'rw [helper, helper]', 'omega'),
  twin_sum: inProof(sum, byUnfolding, 'rw [twin_add_aux, twin_add_aux]'),
  turned: inProof(swap, 'by\n  omega', 'rw [h, add_swap_aux]'),
};

const talk = conversation();
let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());

const ticket = (
  number: number,
  goal: string,
  completed_proof: string,
  suggested_name: string,
): TicketRow => ({
  ticket_id: `lem-${number}`,
  kind: 'lemma',
  counterexample: null,
  merged_into: null,
  cpu_seconds: 0,
  goal,
  goal_hash: null,
  context: [''],
  environment: null,
  suggested_name,
  constraints: [],
  priority: 0.5,
  status: 'completed',
  requester: 'g',
  dependencies: [],
  completed_proof,
  run: null,
  opened: number,
  claimant: null,
  expires: null,
  assurance: 'replayed',
});

const lemma = (name: string): string => `auto/lem/Lists/${name}`;

describe('finished helper lemmas', () => {
  test('become theorems in the right files, used by name, in pull requests that build on each other', async () => {
    const git = repository();
    const solved = await solvedGoals(git.folder);
    const tickets = [
      ticket(1, append, appendProof, 'len_append_aux'),
      ticket(2, twin, byUnfolding, 'Nat.add_comm'),
      ticket(3, swap, 'by\n  omega', 'add_swap_aux'),
      ticket(4, sum, byUnfolding, 'twin_add_aux'),
    ];
    const promoted = await promoteAll(git, tickets, solved);
    expect(promoted.lemmas).toMatchObject([
      { result: 'promoted', name: 'Lists.len_append', file: 'Lists.lean' },
      { result: 'promoted', name: 'Lists.twin_eq_two_mul', file: 'Lists.lean' },
      { result: 'known', name: 'Nat.add_comm' },
      { result: 'promoted', name: 'Lists.twin_add', file: 'Lists.lean' },
    ]);
    expect(promoted.shipped.map(({ result }) => result)).toEqual(Array(8).fill('opened'));
    expect(server.requests.map(({ head, base }) => [head.ref, base.ref])).toEqual([
      [lemma('len_append'), 'dev'],
      [lemma('twin_eq_two_mul'), lemma('len_append')],
      [lemma('twin_add'), lemma('twin_eq_two_mul')],
      [lemma('len_twice'), lemma('len_append')],
      [lemma('len_thrice'), lemma('len_append')],
      [lemma('twin_two'), lemma('twin_eq_two_mul')],
      [lemma('turned'), lemma('twin_eq_two_mul')],
      [lemma('twin_sum'), lemma('twin_add')],
    ]);

    const onBranch = (name: string, file = 'Lists.lean'): string =>
      execFileSync('git', ['show', `origin/${lemma(name)}:${file}`], { cwd: git.folder, encoding: 'utf8' });
    // before its first use, without the hypothesis that its proof does not need, and nothing else has changed
    const added = `/-- Used in the proofs of \`Lists.len_twice\` and \`Lists.len_thrice\`. -/
theorem len_append (xs ys : List Nat) : len (xs ++ ys) = len xs + len ys := ${appendProof}

`;
    expect(onBranch('len_append')).toBe(
      files['Lists.lean']?.replace('theorem len_twice', `${added}theorem len_twice`),
    );
    const content = onBranch('len_append', 'blueprint/src/content.tex');
    expect(content).toMatch(
      /label\{lem:Lists\.len_append\}[\s\S]*\\uses\{def:len\}[\s\S]*label\{lem:twice\}/,
    );
    expect(onBranch('twin_sum')).toContain('rw [twin_add, twin_add]');
    expect(onBranch('twin_two')).toContain('rw [twin_eq_two_mul, twin_eq_two_mul]');
    for (const name of ['len_twice', 'len_thrice']) expect(onBranch(name)).toContain(':= len_append ..');
    expect(onBranch('turned')).toContain('Nat.add_comm');

    // killed after it pushed a lemma's branch and a goal's, before their requests: the next run opens only these
    for (const name of ['twin_add', 'twin_two'])
      server.requests.splice(
        server.requests.findIndex(({ head }) => head.ref === lemma(name)),
        1,
      );
    const branches = execFileSync('git', ['rev-parse', '--remotes'], { cwd: git.folder, encoding: 'utf8' });
    const again = await promoteAll(git, tickets, solved);
    expect(again.shipped.map(({ branch, result }) => [branch, result])).toEqual(
      promoted.shipped.map(({ branch }) => [
        branch,
        [lemma('twin_add'), lemma('twin_two')].includes(branch) ? 'opened' : 'unchanged',
      ]),
    );
    expect(server.requests).toHaveLength(8);
    expect(execFileSync('git', ['rev-parse', '--remotes'], { cwd: git.folder, encoding: 'utf8' })).toBe(
      branches,
    );
    // the work tree is as it was
    expect(readFileSync(path.join(git.folder, 'Lists.lean'), 'utf8')).toBe(files['Lists.lean']);
  });
});

async function promoteAll(
  git: Git,
  tickets: readonly TicketRow[],
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
): Promise<PromotedAll> {
  const github = new GitHub({
    owner: 'o',
    repo: 'r',
    token: 'secret',
    api: server.api,
    now: () => Date.now(),
    sleep: async () => {},
  });
  const options = { base: 'dev', remote: 'origin', github };
  const yard = { ...options, git, start: await openBase(git, options), project: '' };
  return await promoteTickets(
    { pool: talk.pool, gate: new Gate(talk.pool, talk.pool) },
    yard,
    tickets,
    solved,
  );
}

function repository(): Git {
  const folder = temporaryFolder();
  const remote = path.join(temporaryFolder(), 'remote.git');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder });
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  git('init', '--quiet', '--initial-branch=dev');
  git('config', 'user.name', 'A Person');
  git('config', 'user.email', 'person@example.invalid');
  git('remote', 'add', 'origin', remote);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  git('push', '--quiet', 'origin', 'dev');
  onTestFinished(() => {
    server.requests.length = 0;
  });
  return new Git(folder);
}

async function solvedGoals(folder: string): Promise<Map<string, GoalDetail[]>> {
  const names = ['Lists.lean'];
  const { goals } = await goalsOfFiles(
    names.map((name) => path.join(folder, name)),
    { pool: talk.pool },
  );
  const story = new Story().begin();
  const sources = new Map<string, string>();
  for (const goal of goals) {
    const source = path.relative(folder, goal.source ?? '');
    sources.set(goal.id, source.replace(/:\d+$/, ''));
    story
      .add(goal.id, { task: goal, statement: goal.statement, source })
      .examine(goal.id)
      .judge(null, goal.id, { proof: proofs[goal.id.replace(/^.*[ .]/, '')] ?? '' })
      .closeGoal(goal.id);
  }
  const { ledger } = await temporaryLedger(story.end().events);
  const found = await Promise.all(
    goals.map(async ({ id }) => (await ledger.views.goal('run-1', id)) ?? expect.fail(id)),
  );
  return Map.groupBy(found, ({ goal }) => sources.get(goal) ?? '');
}
