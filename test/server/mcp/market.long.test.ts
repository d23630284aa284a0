import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { temporaryFolder } from '../../helpers/folders.ts';
import { call, mcpServers, type Served } from './served.ts';

const { serve } = mcpServers();

const preamble = 'def rev : List Nat → List Nat\n  | [] => []\n  | x :: xs => rev xs ++ [x]\n';
const file = `${preamble}
theorem rev_rev (xs : List Nat) : rev (rev xs) = xs := by
  sorry
`;
const Posted = z.object({ kind: z.string(), ticket: z.object({ ticket_id: z.string() }) });
const Listed = z.object({ tickets: z.array(z.object({ ticket_id: z.string(), goal: z.string() })) });
const Waited = z.object({ completed: z.array(z.object({ goal: z.string(), completed_proof: z.string() })) });

type Ask = (name: string, args: Record<string, unknown>) => Promise<unknown>;

async function agents(count: number): Promise<{ folder: string; served: Served; agents: readonly Ask[] }> {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'lakefile.toml'), 'name = "lists"\n[[lean_lib]]\nname = "Lists"\n');
  writeFileSync(path.join(folder, 'Lists.lean'), file);
  const served = await serve(folder);
  const all = Array.from({ length: count }, async (): Promise<Ask> => {
    const client = await served.connect();
    return async (name, args) => await call(client, name, args);
  });
  return { folder, served, agents: await Promise.all(all) };
}

test('two agents finish a goal together: one requests a lemma and waits, the other proves it', async () => {
  const { folder, served, agents: both } = await agents(2);
  const [writer, prover] = both;
  if (!writer || !prover) throw new Error('two agents');
  const statement = 'theorem rev_append (xs : List Nat) (x : Nat) : rev (xs ++ [x]) = x :: rev xs';
  const wish = { statement, preamble, requester: 'writer' };
  const { ticket } = Posted.parse(await writer('market_post', wish));
  const waiting = writer('market_wait', { tickets: [ticket.ticket_id], wait_s: 300 });

  const { tickets } = Listed.parse(await prover('market_list', {}));
  expect(tickets).toMatchObject([{ ticket_id: ticket.ticket_id, goal: statement }]);
  const mine = { ticket: ticket.ticket_id, claimant: 'prover' };
  expect(await prover('market_claim', mine)).toMatchObject({ kind: 'claimed' });
  expect(await writer('market_claim', { ...mine, claimant: 'writer' })).toMatchObject({ kind: 'taken' });
  expect(await prover('market_complete', { ...mine, proof: 'by sorry' })).toMatchObject({
    verdict: { verdict: 'rejected' },
  });
  const proof = 'by\n  induction xs with\n  | nil => rfl\n  | cons y ys ih => simp [rev, ih]';
  expect(await prover('market_complete', { ...mine, proof })).toMatchObject({
    verdict: { verdict: 'accepted' },
  });

  const [lemma] = Waited.parse(await waiting).completed;
  const have = `have ${lemma?.goal.replace('theorem ', '')} := ${lemma?.completed_proof.replaceAll('\n', '\n  ')}`;
  const whole = `by\n  ${have}\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => rw [rev, rev_append, ih]`;
  const place = { file_path: 'Lists.lean', line: 6, proof: whole };
  expect(await writer('lean_submit', place)).toMatchObject({ written: true });
  expect(readFileSync(path.join(folder, 'Lists.lean'), 'utf8')).not.toContain('sorry');

  // a search whose time is up asks the others, unless the goal is false
  const prove = { cpu_seconds: 1, timeout_s: 60, request_lemma: true };
  const hard = 'theorem hard (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ (c + 1) ^ 3';
  const { ticket: asked } = z
    .object({ ticket: z.string() })
    .parse(await prover('lean_prove', { ...prove, statement: hard }));
  const listed = Listed.parse(await writer('market_list', {})).tickets;
  expect(listed).toMatchObject([{ ticket_id: asked, goal: hard }]);

  // asked for once more, it is there; strangers and false or foreign texts are turned away
  expect(await prover('market_post', { ...wish, requester: 'prover' })).toMatchObject({ kind: 'reused' });
  await expect(served.connect('a-guess')).rejects.toThrow(/401|Unauthorized|token/i);
  const refused = async (changes: Record<string, unknown>, code: string): Promise<void> =>
    expect(await writer('market_post', { ...wish, ...changes })).toMatchObject({ error: { code } });
  await refused({ statement: 'theorem t (n : Nat) : n + n = n' }, 'bad-statement');
  await refused({ statement: 'theorem t : True := trivial\naxiom no : False' }, 'bad-statement');
  await refused({ statement: 'True', name: 'x : True := trivial\naxiom no' }, 'bad-name');
  await refused({ constraints: ['elegant'] }, 'bad-constraint');
  await refused({ depends_on: ['lem-0'] }, 'no-ticket');
  expect(await writer('market_wait', { tickets: ['lem-0'] })).toMatchObject({ error: { code: 'no-ticket' } });
});
