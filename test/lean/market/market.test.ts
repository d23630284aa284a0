import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { valueOrThrow } from '../../../src/core/result.ts';
import { examineStatement, type ExaminedTicket } from '../../../src/lean/market/examine.ts';
import { postLemma, type Wish } from '../../../src/lean/market/post.ts';
import { theoremOf } from '../../../src/lean/market/lemma.ts';
import { Market, type TicketRequest } from '../../../src/lean/market/market.ts';
import { similarity } from '../../../src/lean/premises/similarity.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { conversation } from '../../helpers/lean.ts';
import { temporaryLedger, type HandClock } from '../../store/ledger/temporary.ts';

// two workers: the search for a counterexample holds one while the other judges
const lean = conversation({ slots: 2 });
const gate = (): Gate => new Gate(lean.pool, lean.pool);

async function examine(preamble: string, statement: string): Promise<ExaminedTicket> {
  return await examineStatement({ pool: lean.pool, gate: gate() }, { preamble, statement });
}

interface OpenMarket {
  readonly ledger: Ledger;
  readonly clock: HandClock;
  readonly market: Market;
}

async function openMarket(): Promise<OpenMarket> {
  const { ledger, clock } = await temporaryLedger();
  return { ledger, clock, market: new Market(ledger.tickets, ledger.journal, clock) };
}

const double = 'def double (n : Nat) : Nat := n + n';
function asked(body: Partial<TicketRequest> = {}): TicketRequest {
  return {
    goal: 'theorem double_eq (n : Nat) : double n = 2 * n',
    context: [double],
    suggested_name: 'double_eq',
    constraints: [],
    priority: 0.5,
    requester: 'g1',
    dependencies: [],
    ...body,
  };
}

/** A ticket that must be opened; its number. */
async function opened(market: Market, body: Partial<TicketRequest> = {}): Promise<string> {
  const answer = await market.request(asked(body));
  expect(answer.kind).toBe('opened');
  return answer.ticket.ticket_id;
}

describe('the life of a ticket', () => {
  test('requested, claimed, completed by a proof that the gate accepts, retrieved', async () => {
    const { market, ledger } = await openMarket();
    const id = await opened(market);
    expect(id).toBe('lem-2026-01-01-0001');
    expect(await market.claim(id, 'copilot', 60)).toMatchObject({
      kind: 'claimed',
      ticket: { status: 'claimed' },
    });

    const wrong = await market.complete(id, 'copilot', 'by simp', gate());
    expect(wrong).toMatchObject({
      kind: 'judged',
      verdict: { verdict: 'rejected' },
      ticket: { status: 'claimed' },
    });
    const cheat = await market.complete(id, 'copilot', 'by sorry', gate());
    expect(cheat).toMatchObject({ verdict: { verdict: 'rejected' }, ticket: { completed_proof: null } });

    const proof = 'by unfold double; omega';
    const right = await market.complete(id, 'copilot', proof, gate());
    expect(right).toMatchObject({ kind: 'judged', verdict: { verdict: 'accepted', assurance: 'replayed' } });
    expect(await market.retrieve(id)).toMatchObject({
      status: 'completed',
      completed_proof: proof,
      assurance: 'replayed',
    });
    expect(await market.complete(id, 'copilot', proof, gate())).toMatchObject({ kind: 'taken' });
    expect(await market.claim(id, 'copilot', 60)).toMatchObject({ kind: 'taken' });
    expect(await ledger.verify()).toEqual([]);
  });

  test('a claim keeps others away until it expires', async () => {
    const { market, clock } = await openMarket();
    const id = await opened(market);
    await market.claim(id, 'first', 60);
    expect(await market.claim(id, 'second', 60)).toMatchObject({
      kind: 'taken',
      ticket: { claimant: 'first' },
    });
    expect(await market.complete(id, 'second', 'by simp', gate())).toMatchObject({ kind: 'taken' });
    expect(await market.open()).toEqual([]);
    expect(await market.claim(id, 'first', 120)).toMatchObject({ kind: 'claimed' });
    clock.at += 121_000;
    expect(await market.open()).toMatchObject([{ ticket_id: id, status: 'open' }]);
    expect(await market.claim(id, 'second', 60)).toMatchObject({
      kind: 'claimed',
      ticket: { claimant: 'second' },
    });
  });

  test('the most urgent come first', async () => {
    const { market } = await openMarket();
    await opened(market, { goal: 'True', priority: 0.2 });
    await opened(market, { goal: '1 = 1', priority: 0.9 });
    await opened(market, { goal: 'True ∧ 2 = 2', priority: 0.9 });
    expect((await market.open(2)).map(({ goal }) => goal)).toEqual(['1 = 1', 'True ∧ 2 = 2']);
  });

  test('no such ticket', async () => {
    const { market } = await openMarket();
    expect(await market.retrieve('x')).toBeUndefined();
    expect(await market.claim('x', 'me', 1)).toEqual({ kind: 'no-ticket' });
    expect(await market.complete('x', 'me', 'rfl', gate())).toEqual({ kind: 'no-ticket' });
  });

  test('a statement must be a type without `theorem`', async () => {
    const { market } = await openMarket();
    const id = await opened(market, { goal: '∀ n, double n = n + n', suggested_name: 'double_def' });
    const done = await market.complete(id, 'me', 'fun _ => rfl', gate());
    expect(done).toMatchObject({ verdict: { verdict: 'accepted', name: 'double_def' } });
  });
});

describe('the same lemma is not requested twice', () => {
  test('it is recognised by its text, ignoring name and spaces, on the same preamble', async () => {
    const { market } = await openMarket();
    const id = await opened(market);
    const again = asked({ goal: 'theorem  another (n : Nat) :\n  double n = 2 * n', requester: 'g2' });
    expect(await market.request(again)).toMatchObject({ kind: 'known', ticket: { ticket_id: id } });
    expect(await market.request({ ...again, context: ['def double := 1'] })).toMatchObject({
      kind: 'opened',
    });
    await market.complete(id, 'me', 'by unfold double; omega', gate());
    expect(await market.request(again)).toMatchObject({
      kind: 'reused',
      ticket: { ticket_id: id, completed_proof: 'by unfold double; omega' },
    });
  });

  test('it is recognised by its identity, which Lean knows', async () => {
    const { market } = await openMarket();
    const hash = async (statement: string): Promise<string> => {
      const examined = await examine(double, statement);
      return valueOrThrow(examined).goalHash;
    };
    const id = await opened(market, { goal_hash: await hash(asked().goal) });
    const goal = 'theorem other (m : Nat) : double m = 2 * m';
    expect(await market.request(asked({ goal, goal_hash: await hash(goal) }))).toMatchObject({
      kind: 'known',
      ticket: { ticket_id: id },
    });
    expect(await examine(double, 'theorem t : triple 1 = 3')).toMatchObject({
      ok: false,
    });
    expect(await examine('def x :=', 'theorem t : 1 = 1')).toMatchObject({ ok: false });
    expect(await examine(double, 'theorem t (n : Nat) : double n = n')).toMatchObject({
      ok: true,
      value: { counterexample: 'n = 1' },
    });
  });

  test('a false lemma is stored with its counterexample, and refused without a new search', async () => {
    const { market, ledger } = await openMarket();
    const post = async (statement: string): Promise<unknown> =>
      await postLemma({ pool: lean.pool, gate: gate() }, market, { ...wish, goal: statement });
    const refusal = {
      ok: false,
      error: { message: 'the statement is false, for example: n = 1' },
    };
    expect(await post('theorem t (n : Nat) : double n = n')).toMatchObject(refusal);
    expect(await post('theorem other (m : Nat) : double m = m')).toMatchObject(refusal);
    const all = await ledger.tickets.all();
    expect(all).toMatchObject([{ status: 'refuted', counterexample: 'n = 1' }]);
    expect(await market.claim(all[0]?.ticket_id ?? '', 'me', 60)).toMatchObject({ kind: 'taken' });
    expect(await market.open()).toEqual([]);
  });

  test('similar lemmas are listed', async () => {
    const { market } = await openMarket();
    const id = await opened(market, {
      goal: 'theorem a (xs ys : List Nat) : (xs ++ ys).length = xs.length + ys.length',
    });
    await opened(market, { goal: 'theorem b (p q : Prop) : p ∧ q → q' });
    const goal = 'theorem c (as bs : List Nat) : (as ++ bs).length = bs.length + as.length';
    expect(await market.search(goal, null)).toMatchObject([{ ticket: { ticket_id: id } }]);
    const answer = await market.request(asked({ goal }));
    expect(answer).toMatchObject({ kind: 'opened', similar: [{ ticket: { ticket_id: id } }] });
  });
});

describe('similarity', () => {
  test.each([
    ['theorem t (a b : Nat) : a + b = b + a', 'theorem s (x y : Nat) : x + y = y + x', 1],
    ['1 + 1 = 2', 'True', 0],
    ['', '', 0],
  ])('the similarity of %j and %j is %d', (first, second, expected) => {
    expect(similarity(first, second)).toBe(expected);
  });

  test('names of definitions count', () => {
    expect(similarity('foo a = bar a', 'foo a = baz a')).toBeLessThan(1);
  });

  test('a ticket that says `theorem` is treated as a theorem', () => {
    expect(theoremOf({ goal: 'theorem t : 1 = 1', suggested_name: 'other' })).toBe('theorem t : 1 = 1');
    expect(theoremOf({ goal: '1 = 1', suggested_name: 'other' })).toBe('theorem other : 1 = 1');
  });
});

const wish = {
  name: 'wanted',
  preamble: double,
  environment: undefined,
  constraints: [],
  priority: 0.5,
  requester: 'g1',
  dependencies: [],
};

async function posted(market: Market, more: Partial<Wish> & Pick<Wish, 'goal'>): Promise<string> {
  const answer = await postLemma({ pool: lean.pool, gate: gate() }, market, { ...wish, ...more });
  return valueOrThrow(answer).ticket.ticket_id;
}
const solve = async (market: Market, id: string, value: string): Promise<unknown> =>
  await market.complete(id, 'me', value, gate());

describe('tickets for something other than a lemma', () => {
  test('a definition is a value of the type, with its required properties', async () => {
    const { market } = await openMarket();
    const goal = 'def half (n : Nat) : { m : Nat // m ≤ n }';
    const id = await posted(market, { goal, kind: 'definition' });
    expect(await solve(market, id, '⟨n + 1, by omega⟩')).toMatchObject({ verdict: { verdict: 'rejected' } });
    expect(await solve(market, id, '⟨n / 2, by omega⟩')).toMatchObject({
      ticket: { status: 'completed', kind: 'definition' },
    });
  });

  test('a definition must run, unless the ticket says noncomputable', async () => {
    const { market } = await openMarket();
    const goal = 'def some_number : Nat';
    const value = 'Classical.choice ⟨0⟩';
    const id = await posted(market, { goal, kind: 'definition' });
    expect(await solve(market, id, value)).toMatchObject({
      ticket: { status: 'open' },
      verdict: { kind: 'constraint', message: expect.stringContaining('noncomputable') as unknown },
    });
    const freed = await posted(market, {
      goal: 'def any_number (n : Nat) : Nat',
      kind: 'definition',
      constraints: ['noncomputable'],
    });
    expect(await solve(market, freed, value)).toMatchObject({ ticket: { status: 'completed' } });
  });

  test('an instance can only be requested of a class', async () => {
    const { market } = await openMarket();
    const id = await posted(market, { goal: 'Inhabited (Fin 3)', kind: 'instance' });
    expect(await solve(market, id, '⟨2⟩')).toMatchObject({ ticket: { status: 'completed' } });
    const none = { ...wish, goal: 'Nat', kind: 'instance' } as const;
    expect(await postLemma({ pool: lean.pool, gate: gate() }, market, none)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('not a class') as unknown },
    });
  });

  test('a refactoring is shorter than the proof that is there', async () => {
    const { market } = await openMarket();
    const goal = 'theorem double_zero : double 0 = 0';
    const proof = 'by\n  unfold double\n  exact Nat.add_zero 0';
    const id = await posted(market, { goal, kind: 'refactor', proof });
    expect(await solve(market, id, 'by\n  unfold double\n  exact (Nat.add_zero 0)')).toMatchObject({
      verdict: { kind: 'constraint', message: expect.stringContaining('refactor:') as unknown },
    });
    expect(await solve(market, id, 'rfl')).toMatchObject({ ticket: { status: 'completed' } });
    const without = { ...wish, goal, kind: 'refactor' } as const;
    expect(await postLemma({ pool: lean.pool, gate: gate() }, market, without)).toMatchObject({ ok: false });
  });
});

test('a lemma that follows from a more general one is merged into it, and done when that is', async () => {
  const { market } = await openMarket();
  const parts = { pool: lean.pool, gate: gate() };
  const special = await posted(market, { goal: 'theorem at_three (h : 0 < 3) : double 3 = 2 * 3' });
  const general = await posted(market, { goal: 'theorem double_eq (n : Nat) : double n = 2 * n' });
  expect(await market.retrieve(special)).toMatchObject({ status: 'merged', merged_into: general });
  expect((await market.posted()).map(({ ticket_id }) => ticket_id)).toEqual([general]);
  const later = await postLemma(parts, market, {
    ...wish,
    goal: 'theorem turned (m : Nat) : 2 * m = double m',
  });
  const { ticket_id } = valueOrThrow(later).ticket;
  expect(await market.retrieve(ticket_id)).toMatchObject({ status: 'merged', merged_into: general });
  expect(await market.complete(general, 'me', 'by unfold double; omega', gate())).toMatchObject({
    ticket: { status: 'completed' },
  });
  for (const id of [special, ticket_id])
    expect(await market.retrieve(id)).toMatchObject({ status: 'completed', assurance: 'replayed' });
});

test('two lemmas that follow from one general statement are merged into it, unless it is false', async () => {
  const { market } = await openMarket();
  const preamble = `def rev : List Nat → List Nat\n  | [] => []\n  | x :: xs => rev xs ++ [x]\n`;
  const more = { preamble, priority: 0.9 };
  const first = await posted(market, {
    ...more,
    goal: 'theorem once (xs : List Nat) (x : Nat) : rev (rev xs ++ [x]) = x :: rev (rev xs)',
  });
  const second = await posted(market, {
    ...wish,
    preamble,
    goal: 'theorem doubled (ys : List Nat) (y : Nat) : rev ((ys ++ ys) ++ [y]) = y :: rev (ys ++ ys)',
  });
  const [general, ...others] = await market.posted();
  expect(others).toEqual([]);
  expect(general).toMatchObject({
    priority: 0.9,
    goal: expect.stringMatching(/theorem rev_\w+_aux : ∀/) as unknown,
  });
  for (const id of [first, second])
    expect(await market.retrieve(id)).toMatchObject({ status: 'merged', merged_into: general?.ticket_id });
  const proof = 'by\n  intro x ys\n  induction ys with\n  | nil => rfl\n  | cons y ys ih => simp_all [rev]';
  const proofs = [proof, proof.replace('x ys', 'ys x')];
  for (const one of proofs) await market.complete(general?.ticket_id ?? '', 'me', one, gate());
  for (const id of [first, second])
    expect(await market.retrieve(id)).toMatchObject({ status: 'completed', assurance: 'replayed' });
});
