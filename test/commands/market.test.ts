import path from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines, type Finished } from '../helpers/orch.ts';

test('a lemma is posted, found, claimed, and completed by an accepted proof', async () => {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'double.lean'), 'def double (n : Nat) : Nat := n + n');
  const market = async (...args: string[]): Promise<Finished> => await orchHere(['market', ...args], { cwd });
  const goal = 'theorem double_eq (n : Nat) : double n = 2 * n';
  const post = ['post', '--preamble', 'double.lean', '--priority', '0.8', '--as', 'me'];

  const unreadable = await market('post', '--goal', goal);
  expect(unreadable).toMatchObject({ code: 2, stdout: '' });
  expect(unreadable.stderr).toContain('Lean cannot read the statement');
  expect(await market('post', '--goal', goal, '--priority', '2')).toMatchObject({ code: 2 });

  const posted = await market(...post, '--goal', goal, '--json');
  expect(posted.code).toBe(0);
  const [answer] = jsonLines(posted.stdout) as [{ kind: string; ticket: { ticket_id: string } }];
  expect(answer).toMatchObject({
    kind: 'opened',
    ticket: { suggested_name: 'double_eq', priority: 0.8, requester: 'me' },
  });
  const id = answer.ticket.ticket_id;
  const again = await market(...post, '--goal', 'theorem other (m : Nat) : double m = 2 * m');
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`already requested: ${id}`) as unknown,
  });

  const listed = await market('list');
  expect(listed.stdout.split('\n')).toEqual([
    expect.stringMatching(/^ticket +priority +status +wanted by +goal$/),
    expect.stringContaining(`${id}  0.80      open    me         ${goal}`),
    '',
  ]);
  expect(await market('claim', id, '--as', 'first')).toMatchObject({ code: 0 });
  expect(await market('claim', id, '--as', 'second')).toMatchObject({ code: 1 });
  expect((await market('list')).stdout).toBe('no open tickets\n');
  expect(await market('claim', 'lem-0', '--as', 'first')).toMatchObject({ code: 2 });

  const complete = ['complete', id, '--as', 'first', '--proof'];
  expect(await market(...complete, 'by simp')).toMatchObject({ code: 1 });
  expect(await market('complete', id, '--as', 'second', '--proof', 'by simp')).toMatchObject({ code: 1 });
  const done = await market(...complete, 'by unfold double; omega', '--json');
  expect(done.code).toBe(0);
  expect(jsonLines(done.stdout)).toMatchObject([
    {
      kind: 'judged',
      verdict: { verdict: 'accepted', assurance: 'second-kernel' },
      ticket: { status: 'completed' },
    },
  ]);
  const shown = await market('show', id, '--json');
  expect(jsonLines(shown.stdout)).toMatchObject([
    {
      type: 'lemma_request',
      ticket_id: id,
      status: 'completed',
      completed_proof: 'by unfold double; omega',
      goal_hash: expect.any(String) as unknown,
    },
  ]);
  expect((await market('show', id)).stdout).toContain('completed by first');
  expect((await market('list', '--all', '--json')).stdout.trim().split('\n')).toHaveLength(1);
  for (const file of ['market.dot', 'market.svg'])
    expect(await market('graph', '--out', file)).toMatchObject({ code: 0, stderr: `${file}: 1 ticket\n` });
  expect(readFileSync(path.join(cwd, 'market.dot'), 'utf8')).toContain('fillcolor="#9CEC8B"');
  expect(readFileSync(path.join(cwd, 'market.svg'), 'utf8')).toContain('double_eq');
  expect(await market('graph', '--out', 'market.png')).toMatchObject({ code: 2 });
});

test('the engine works on requested lemmas, except those that are claimed', async () => {
  const cwd = temporaryFolder();
  const market = async (...args: string[]): Promise<Finished> => await orchHere(['market', ...args], { cwd });
  const posted = async (...args: string[]): Promise<string> => {
    const { stdout } = await market('post', '--as', 'me', '--json', ...args);
    const [answer] = jsonLines(stdout) as [{ ticket: { ticket_id: string } }];
    return answer.ticket.ticket_id;
  };
  const simple = await posted('--goal', '∀ n : Nat, n + 0 = n', '--name', 'bare_type');
  const taken = await posted('--goal', 'theorem mine (n : Nat) : 0 + n = n');
  expect(await market('claim', taken, '--as', 'me')).toMatchObject({ code: 0 });

  const done = await market('work', '--profile', '0', '--reporter', 'plain');
  expect(done).toMatchObject({ code: 0 });
  const rows = jsonLines((await market('list', '--all', '--json')).stdout);
  const of = (id: string): unknown => rows.find((row) => (row as { ticket_id: string }).ticket_id === id);
  expect(of(simple)).toMatchObject({
    status: 'completed',
    claimant: expect.stringMatching(/^orch /) as unknown,
    assurance: 'second-kernel',
  });
  expect(of(taken)).toMatchObject({ status: 'claimed', claimant: 'me', completed_proof: null });
  const none = await market('work');
  expect(none).toMatchObject({ code: 0, stderr: 'orch: no open tickets\n' });
  expect(await market('work', 'lem-0')).toMatchObject({ code: 2 });
});
