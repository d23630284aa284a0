import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lean } from '../../src/app/lean.ts';
import type { Verdict } from '../../src/lean/gate/verdict.ts';
import type { Export } from './attack.ts';
import { applyEdits, edits, type Edit } from './edits.ts';
import { exportOf, openGate } from './run.ts';
import { times } from '../helpers/tier.ts';

/** Valid exports with random edits: none may crash the judge or be accepted wrongly. */
const claims = [
  { statement: 'theorem t (a b : Nat) (h : a ≤ b) : a < b + 1', proof: 'by omega' },
  { statement: 'theorem t : ∀ n : Fin 3, n.val < 3', proof: 'by decide' },
  {
    statement: 'theorem t.{u} (α : Type u) (xs : List α) : xs ++ [] = xs',
    proof: 'by\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => exact congrArg (x :: ·) ih',
  },
  {
    statement: 'theorem t (n : Nat) : 0 + n = n',
    proof: 'go n where\n  go : (k : Nat) → 0 + k = k\n    | 0 => rfl\n    | k + 1 => congrArg (· + 1) (go k)',
  },
];
/** False statements whose exports carry the right type and a `sorry`: only kernel and axioms stop them. */
const falsehoods = ['theorem t : 1 = 2', 'theorem t (n : Nat) : n < n', 'theorem t : ∃ n : Nat, n + 1 = n'];

const seed = 20_260_801;
const runs = times(40, 120);
const limits = { deadlineMs: 10_000 };

let lean: Lean;
let honest: Export[];
let false_: Export[];

/** One gate for both properties, opened and closed here; the tests below only read what it said. */
const failures: { kind: 'died' | 'convinced'; edits: readonly Edit[]; verdict: Verdict }[] = [];
const seen = new Map<string, number>();

beforeAll(async () => {
  lean = await openGate();
  try {
    honest = await Promise.all(claims.map(async (claim) => await exportOf(lean.pool, claim)));
    false_ = await Promise.all(falsehoods.map(async (statement) => await exportSorry(statement)));
    await explore();
  } finally {
    await lean[Symbol.asyncDispose]();
  }
});
afterAll(() => seen.clear());

async function exportSorry(statement: string): Promise<Export> {
  return await lean.pool.use(async (lease) => {
    const loaded = await lease.request('load', { session: lease.rootSession, text: `${statement} := sorry` });
    if (!loaded.ok) throw new Error(loaded.message);
    const reply = await lease.request('export', { session: loaded.session, role: 'candidate' });
    if (!reply.ok) throw new Error(reply.message);
    return reply.export as Export;
  });
}

async function explore(): Promise<void> {
  const which = fc.nat();
  await fc.assert(
    fc.asyncProperty(which, which, fc.boolean(), edits, async (first, second, isSorry, changes) => {
      const index = first % claims.length;
      const wrong = second % falsehoods.length;
      const exported = isSorry ? false_[wrong] : honest[index];
      const statement = falsehoods[wrong] ?? '';
      const verdict = await lean.gate.judge({ statement }, applyEdits(exported, changes), limits);
      note(verdict);
      if (verdict.verdict === 'accepted') failures.push({ kind: 'convinced', edits: changes, verdict });
      if (verdict.kind === 'crash') failures.push({ kind: 'died', edits: changes, verdict });
      expect(verdict.verdict).not.toBe('accepted');
      expect(verdict.kind).not.toBe('crash');
      if (isSorry) return;
      const own = await lean.gate.judge(
        { statement: claims[index]?.statement ?? '' },
        applyEdits(exported, changes),
        limits,
      );
      note(own);
      if (own.kind === 'crash') failures.push({ kind: 'died', edits: changes, verdict: own });
      expect(own.kind).not.toBe('crash');
    }),
    { seed, numRuns: runs, endOnFailure: true },
  );
}

function note({ kind }: Verdict): void {
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}

test('no edited export kills the judge', () => {
  expect(failures.filter(({ kind }) => kind === 'died')).toEqual([]);
});

test('no edited export proves a false statement', () => {
  expect(failures.filter(({ kind }) => kind === 'convinced')).toEqual([]);
});

test('the edits reach every stage', () => {
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['malformed-export', 'statement-changed', 'kernel', 'sorry', 'proved']),
  );
});
