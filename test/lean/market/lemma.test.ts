import { expect, test } from 'vitest';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { lemmaStatement, withLemma } from '../../../src/lean/market/lemma.ts';
import { missingLemma } from '../../../src/lean/market/missing.ts';
import { withoutIdleLemmas } from '../../../src/lean/improve/polish/idle-lemmas.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { checkClaim, conversation, sessionOf } from '../../helpers/lean.ts';
import { longTest } from '../../helpers/tier.ts';

const talk = conversation();

const goal: LeanGoal = {
  id: 'sum',
  preamble: 'def total : List Nat → Nat\n  | [] => 0\n  | x :: xs => x + total xs\n',
  statement: 'theorem sum (xs : List Nat) : total (xs ++ [0]) = total xs',
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
};

test('a goal that a step left open becomes a statement that Lean reads', async () => {
  await talk.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: talk.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const account = new WorkAccount({
      limits: { cpu_seconds: 20, heartbeats: 20_000 },
      signal: new AbortController().signal,
      permit: async () => {},
    });
    const [root] = workbench.open;
    if (!root) throw new Error('no hole');
    await workbench.run(
      root,
      ['suffices h : ∀ n, total (xs ++ [n]) = total xs + n by simpa using h 0'],
      account,
    );
    const [left] = workbench.leftOpen;
    const lemma = left?.goals[0] && lemmaStatement(left.goals[0]);
    expect(lemma?.text).toMatch(
      /^theorem total_append_singleton_aux \(xs : List Nat\) : ∀ \(n : Nat\), total/,
    );
    const session = await sessionOf(lease, goal.preamble);
    const read = await lease.request('statement', { session, statement: lemma?.text ?? '' });
    expect(read.ok).toBe(true);
    await workbench.end();
  });
});

test('False is never requested, whatever the hypotheses', () => {
  const contradictory = [
    { name: 'n', type: 'Nat' },
    { name: 'h', type: 'n < 0' },
  ];
  for (const hypotheses of [[], contradictory])
    expect(lemmaStatement({ case: 'x', hypotheses, target: 'False' })).toBeUndefined();
});

longTest('a hard goal requests the weakest true statement that suffices', async () => {
  const app =
    'def app : List Nat → List Nat → List Nat\n  | [], ys => ys\n  | x :: xs, ys => x :: app xs ys\n';
  const rev = 'def rev : List Nat → List Nat\n  | [] => []\n  | x :: xs => app (rev xs) [x]\n';
  const twice: LeanGoal = {
    ...goal,
    preamble: app + rev,
    statement: 'theorem twice (xs : List Nat) : rev (rev xs) = xs',
  };
  await talk.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, twice, { toolchain: talk.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const run = {
      limits: { cpu_seconds: 20, heartbeats: 20_000 },
      signal: new AbortController().signal,
      permit: async () => {},
    };
    const [root] = workbench.open;
    if (!root) throw new Error('no hole');
    await workbench.run(
      root,
      ['skip', 'induction xs <;> simp_all [rev] <;> rename_i x xs ih'],
      new WorkAccount(run),
    );
    const { request } = await missingLemma(twice, workbench, run, true);
    expect(request?.statement).toMatch(/: rev \(app ys \[\w+\]\) = \w+ :: \(?rev ys\)?$/);
    expect(request?.statement).not.toContain('rev (rev');
    await workbench.end();
  });
});

test('names and holes that Lean cannot read back make no statement', () => {
  const nothing = { case: 'x', messages: [] };
  expect(
    lemmaStatement({ ...nothing, hypotheses: [{ name: 'x✝', type: 'Nat' }], target: 'True' }),
  ).toBeUndefined();
  expect(lemmaStatement({ ...nothing, hypotheses: [], target: '?a = 1' })).toBeUndefined();
  expect(
    lemmaStatement({ ...nothing, hypotheses: [{ name: 'inst', type: 'Add α' }], target: 'True' })?.text,
  ).toContain('[Add α] : True');
});

test('a goal is proved with its lemmas, and the gate accepts the whole', async () => {
  const lemma = {
    statement: 'theorem helper (xs : List Nat) (n : Nat) : total (xs ++ [n]) = total xs + n',
    proof:
      'by\n  induction xs with\n  | nil => simp [total]\n  | cons x xs ih => simp [total, ih, Nat.add_assoc]',
  };
  const idle = { statement: 'theorem idle (n : Nat) : n = n', proof: 'by\n  cases n\n  · rfl\n  · rfl' };
  const lent = withLemma(withLemma(goal, idle), lemma);
  const written = await talk.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, lent, { toolchain: talk.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const run = {
      limits: { cpu_seconds: 20, heartbeats: 20_000 },
      signal: new AbortController().signal,
      permit: async () => {},
      deadline: Number.POSITIVE_INFINITY,
      place: 0,
      seed: 1,
    };
    const account = new WorkAccount(run);
    const [root] = workbench.open;
    if (!root) throw new Error('no hole');
    expect(root.goals[0]?.hypotheses.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['helper', 'idle']),
    );
    const [answer] = await workbench.run(root, ['simp [helper]'], account);
    if (answer?.kind !== 'state') throw new Error('simp failed');
    await workbench.close(answer.state, account);
    await workbench.end();
    const proof = workbench.proof() ?? '';
    const { candidate } = await withoutIdleLemmas(workbench, { proof, premises: [] }, run);
    return { proof, shortened: candidate.proof };
  });
  expect(written.proof).toContain('have idle');
  expect(written.shortened).toContain('have helper');
  expect(written.shortened).not.toContain('idle');
  const { preamble, statement } = goal;
  for (const proof of [written.proof, written.shortened])
    expect(await checkClaim(talk.pool, { preamble, statement, proof })).toMatchObject({
      verdict: 'accepted',
      assurance: 'replayed',
    });
});
