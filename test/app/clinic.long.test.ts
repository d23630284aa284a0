import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { serveReplies } from '../models/wire.ts';

const draft = `theorem lost (n : Nat) : n < n + 1 := by
  exact no_such_lemma

theorem narrowed (a b : Nat) (h : a ≤ b) : a + 1 ≤ b + 1 := by
  apply Nat.le_trans (m := b)
  · exact no_such_lemma
  · omega

theorem wrong (n : Nat) : n * 2 = n := by
  simp
`;

test('the clinic gives different advice for a false step and a false statement, and creates a ticket for neither', async () => {
  const cwd = temporaryFolder();
  const file = path.join(cwd, 'Draft.lean');
  writeFileSync(file, draft);
  const { code, stderr } = await orch(['clinic', 'Draft.lean', '--write', '--profile', '0'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Draft.lean:6: the goal that the kept steps of narrowed leave is false (counterexample: a = 0, b = 0): change one of these steps',
  );
  expect(stderr).toContain('Draft.lean:10: wrong is false (counterexample: n = 1): change the statement');
  expect(stderr).not.toContain('ticket lem-');
  const repaired = readFileSync(file, 'utf8');
  expect(repaired).toMatch(/n < n \+ 1 := by\n {2}(?!exact no_such_lemma)/);
  expect(repaired.slice(repaired.indexOf('theorem narrowed'))).toBe(
    draft.slice(draft.indexOf('theorem narrowed')),
  );
});

const contested = `def tri : Nat → Nat
  | 0 => 0
  | n + 1 => tri n + (n + 1)

theorem twice_tri (n : Nat) : 2 * tri n = n * (n + 1) := by
  exact no_such_lemma

theorem cubes (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ (c + 1) ^ 3 := by
  exact no_such_lemma
`;
const plan = {
  opening: '',
  steps: [],
  finish: ['induction n with\n| zero => rfl\n| succ n ih =>\n  show 2 * (tri n + (n + 1)) = _\n  grind'],
  lemmas: [],
  risk: '',
};

test('writer, verifier and golfer compete; the shortest accepted proof wins and the verifier asks for the rest', async () => {
  const service = await serveReplies(({ messages, model }) => {
    const asked = JSON.stringify(messages);
    if (model === 'golfer')
      return { say: JSON.stringify({ proofs: ['sorry', 'induction n <;> grind [tri]'] }) };
    return asked.includes('theorem twice_tri') ? { say: JSON.stringify(plan) } : { say: 'no idea' };
  });
  onTestFinished(service.close);
  const cwd = temporaryFolder();
  const file = path.join(cwd, 'Draft.lean');
  writeFileSync(file, contested);
  const model = (name: string): string => `openai:${service.url}/v1#${name}`;
  const env = { ORCH_MODEL_WRITER: model('writer'), ORCH_MODEL_GOLFER: model('golfer') };
  const args = ['clinic', 'Draft.lean', '--agents', '--write', '--profile', '0', '--goal-cpu', '8'];
  const { code, stderr } = await orch([...args, '--reporter', 'plain'], { cwd, env });
  for (const agent of ['writer', 'verifier'])
    expect(stderr).toMatch(new RegExp(`[ ✓] twice_tri: ${agent}, \\d+ tactics?, \\d+ characters`));
  expect(stderr).toMatch(/cubes is still open: ticket lem-/);
  expect(code).toBe(1);
  const repaired = readFileSync(file, 'utf8');
  expect(repaired).toContain('n * (n + 1) := by');
  expect(repaired.match(/no_such_lemma/g)).toHaveLength(1);
  expect(new Set(service.asked.map(({ body }) => body.model))).toEqual(new Set(['writer', 'golfer']));

  const listed = await orch(['market', 'list', '--json'], { cwd });
  expect(JSON.parse(listed.stdout)).toMatchObject({ requester: 'verifier: cubes', status: 'open' });
  expect((await orch(['check', 'Draft.lean'], { cwd })).stdout).toContain('accepted');
  // the proofs that lost stay as scripts
  const kept = await orch(['cache', 'export', 'all.orch'], { cwd });
  expect(kept.stderr + kept.stdout).toMatch(/[2-9] scripts/);
});
