import { describe, expect, test } from 'vitest';
import { Gate, stages } from '../../../src/lean/gate/gate.ts';
import { verdictOf } from '../../../src/lean/gate/verdicts.ts';
import { failureKinds } from '../../../src/lean/protocol.ts';
import { checkClaim, conversation } from '../../helpers/lean.ts';

const lean = conversation();

describe('a claim', () => {
  test('an accepted claim says how far it was checked, and under what', async () => {
    const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'by omega' };
    const verdict = await checkClaim(lean.pool, claim);
    expect(verdict).toMatchObject({
      verdict: 'accepted',
      kind: 'proved',
      name: 't',
      assurance: 'replayed',
      assumes: [],
      toolchain: 'lean-4.28.0-embedded',
    });
    expect(verdict.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect((await checkClaim(lean.pool, claim)).fingerprint).toBe(verdict.fingerprint);
    expect((await checkClaim(lean.pool, { ...claim, preamble: 'def x := 1' })).fingerprint).not.toBe(
      verdict.fingerprint,
    );
  });

  test.each([
    ['a proof that the kernel was told to skip', 'by set_option debug.skipKernelTC true in decide +kernel'],
    ['a sorry', 'by sorry'],
  ])('%s is rejected', async (_, proof) => {
    expect(await checkClaim(lean.pool, { statement: 'theorem t : (1 : Nat) = 2', proof })).toMatchObject({
      verdict: 'rejected',
      assurance: null,
    });
  });

  test('a proof by compiled code holds in Lean, and is rejected for its axiom', async () => {
    const claim = {
      preamble:
        'def sum (n : Nat) : Nat := Id.run do\n  let mut s := 0\n  for i in [0:n] do s := s + i\n  return s',
      statement: 'theorem t : sum 4 = 6',
      proof: 'by native_decide',
    };
    expect(await checkClaim(lean.pool, claim)).toMatchObject({
      verdict: 'rejected',
      kind: 'axiom',
      message: expect.stringContaining('Lean.ofReduceBool') as string,
    });
  });

  test.each([
    ['theorem t : 1 = 2', 'by decide', /^the proof, line 1, column 4: /],
    ['theorem t :\n  1 = 2', 'by\n  decide', /^the proof, line 2, column 3: /],
    ['theorem t : 1 = "a"', 'rfl', /^the statement, line 1, column \d+: /],
    ['theorem t : (1 = 2', 'rfl', /^the statement, line 1, column \d+: /],
  ])('%s := %s is refused at the place where people wrote it', async (statement, proof, place) => {
    expect((await checkClaim(lean.pool, { statement, proof })).message).toMatch(place);
  });
});

describe('a gate with fewer stages', () => {
  test('gives lower assurances', async () => {
    const claim = { statement: 'theorem t : 1 = 1', proof: 'rfl' };
    const assurances = [];
    for (const left of [
      stages,
      ['form', 'binding', 'axioms'],
      ['form', 'kernel', 'axioms'],
      ['form', 'binding', 'kernel'],
    ] as const)
      assurances.push((await new Gate(lean.pool, lean.pool, left).check(claim)).assurance);
    expect(assurances).toEqual(['replayed', 'statement-bound', 'axioms-clean', 'elaborated']);
  });
});

describe('a file', () => {
  test('judges every theorem, and never binds a statement', async () => {
    const text = 'theorem a : 1 = 1 := rfl\ntheorem b : 1 = 2 := sorry\ntheorem c : 1 = 2 := rfl';
    const verdicts = await new Gate(lean.pool, lean.pool).checkFile({ text });
    expect(verdicts.find(({ name }) => name === 'a')).toMatchObject({
      verdict: 'accepted',
      assurance: 'axioms-clean',
    });
    expect(verdicts.find(({ name }) => name === 'b')).toMatchObject({ verdict: 'rejected', kind: 'sorry' });
    expect(verdicts.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(1);
  });
});

describe('verdictOf', () => {
  test('no kind of failure is a success', () => {
    for (const kind of failureKinds) expect(verdictOf(kind)).not.toBe('accepted');
  });
});
