import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { elaborateClaim, type Claim } from '../../../src/lean/gate/roles.ts';
import type { Verdict } from '../../../src/lean/gate/verdict.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();
const gate = (): Gate => new Gate(lean.pool, lean.pool);

const preamble = `opaque P : Nat → Prop
theorem base : P 0 := sorry
theorem up (n : Nat) (h : P n) : P (n + 1) := by sorry
theorem two : P 2 := up 1 (up 0 base)
def data : Nat := sorry
theorem about : data = 3 := sorry
instance inst : Nonempty (P 5) := sorry
theorem wrong : (1 : Nat) = 2 := sorry
theorem poly.{u} (α : Type u) (a : α) : ∃ b : α, b = a ∧ P 3 := sorry
private theorem hidden : P 9 := sorry
namespace N
theorem base : P 7 := sorry
end N
theorem «N.base» : P 8 := sorry
theorem within : (⟨0, base⟩ : { n // P n }).val = 0 := sorry
mutual
theorem even (n : Nat) : P (n + 20) := match n with | 0 => sorry | n + 1 => odd n
theorem odd (n : Nat) : P (n + 21) := match n with | 0 => sorry | n + 1 => up _ (odd n)
end
`;

/** The verdict on \`theorem t : STATEMENT\` as text: its kind and what it depends on. */
const judged = async (claim: Partial<Claim> & { statement: string; proof: string }): Promise<string> => {
  const { verdict, kind, assumes, assurance } = await gate().check({ preamble, ...claim });
  expect(verdict === 'accepted').toBe(assurance !== null);
  return [verdict, kind, ...assumes.toSorted()].join(' ');
};

describe('a claim that assumes open theorems', () => {
  test.each<[statement: string, proof: string, assume: string[], said: string]>([
    ['P 1', 'up 0 base', ['base', 'up'], 'rejected conditional base up'],
    ['P 2', 'two', ['base', 'up'], 'rejected conditional base up'],
    ['∃ n : Nat, n = 4 ∧ P 3', 'poly Nat 4', ['poly'], 'rejected conditional poly'],
    ['∃ n : Type, n = Nat ∧ P 3', 'poly Type Nat', ['poly'], 'rejected conditional poly'],
    ['P 7', 'N.base', ['base', 'N.base'], 'rejected conditional N.base'],
    ['P 7', 'open N in by exact N.base', ['N.base'], 'rejected conditional N.base'],
    ['P 8', '«N.base»', ['«N.base»'], 'rejected conditional «N.base»'],
    ['(3 : Nat) = 4', 'by have := wrong; omega', ['wrong'], 'rejected conditional wrong'],
    // what it does not use does not count
    ['1 + 1 = 2', 'rfl', ['base', 'up', 'wrong'], 'accepted proved'],
  ])('%s by %s given %j: %s', async (type, proof, assume, said) => {
    expect(await judged({ statement: `theorem t : ${type}`, proof, assume })).toBe(said);
  });

  test.each<[why: string, type: string, proof: string, assume: string[]]>([
    ['nothing was assumed', 'P 1', 'up 0 base', []],
    ['one of two was not', 'P 1', 'up 0 base', ['base']],
    ['its own sorry', 'P 4', 'sorry', ['base', 'up']],
    ['its own sorry, spelled out', 'P 4', 'sorryAx (P 4) true', ['base', 'sorryAx']],
    ['a sorry beside the lemma', 'P 0 ∧ P 4', '⟨base, by sorry⟩', ['base']],
    ['a lemma of its own', 'P 4', 't.aux where aux : P 4 := sorry', ['base', 't.aux']],
    ['a lemma of another namespace', 'P 7', 'N.base', ['base']],
    ['a name with a dot', 'P 8', '«N.base»', ['N.base']],
    ['the other name with a dot', 'P 7', 'N.base', ['«N.base»']],
    ['a lemma whose statement needs another', '0 = 0 ∧ P 4', '⟨within, sorry⟩', ['within', 'base']],
    ['a definition', 'P data → P data', 'fun h => h', ['data']],
    ['a theorem about such a definition', 'data = 3', 'about', ['about', 'data']],
    ['an instance', 'Nonempty (P 5)', 'inst', ['inst']],
    ['another name', 'P 0', 'base', ['base2', 'Base', '«base ».x']],
  ])('is refused for %s', async (_, type, proof, assume) => {
    expect(await judged({ statement: `theorem t : ${type}`, proof, assume })).toMatch(/^rejected sorry/);
  });

  test('it never assumes itself', async () => {
    for (const proof of ['by sorry', 't'])
      expect(await judged({ statement: 'theorem t : P 4', proof, assume: ['t'] })).toMatch(/^rejected /);
  });

  test('theorems of one recursion never count', async () => {
    for (const assume of [['even'], ['odd'], ['even', 'odd']])
      expect(await judged({ statement: 'theorem t : P 22', proof: 'even 2', assume })).toMatch(/^rejected /);
  });

  test('a private name is not found under the public one', async () => {
    expect(await judged({ statement: 'theorem t : P 9', proof: 'hidden', assume: ['hidden'] })).toMatch(
      /^rejected sorry/,
    );
  });

  test('an allowed axiom of that name changes nothing', async () => {
    for (const allowAxioms of [['base'], ['«base»'], ['sorryAx']])
      expect(
        await judged({ statement: 'theorem t : P 0', proof: 'base', assume: ['base'], allowAxioms }),
      ).toBe('rejected conditional base');
    expect(
      await judged({ statement: 'theorem t : P 0', proof: 'base', allowAxioms: ['base', 'sorryAx'] }),
    ).toMatch(/^rejected sorry/);
  });
});

/** A candidate that was elaborated after another preamble, judged for this one. */
const forged = async (
  other: string,
  type: string,
  proof: string,
  assume: string[],
): Promise<Pick<Verdict, 'verdict' | 'kind'>> => {
  const question = { preamble, statement: `theorem t : ${type}`, assume };
  const stated = await gate().state(question);
  if (!stated.ok) throw new Error(stated.error.message);
  const candidate = {
    ...question,
    preamble: `opaque P : Nat → Prop\n${other}`,
    proof,
    assume: ['base', 'fake'],
  };
  const made = await lean.pool.use(
    async (lease) => await elaborateClaim(lease, { ...candidate, allowAxioms: ['base', 'fake'] }, {}),
    { preamble: candidate.preamble },
  );
  if (!made.ok) return { verdict: 'rejected', kind: made.error.kind };
  return await gate().judgeData(question, stated.value.data, made.value.data);
};

describe('a candidate that tells another story about its lemmas', () => {
  test.each<[why: string, other: string, type: string, proof: string, kind: string]>([
    ['the same lemma', 'theorem base : P 0 := sorry', 'P 0', 'base', 'conditional'],
    ['the lemma as an axiom', 'axiom base : P 0', 'P 0', 'base', 'conditional'],
    ['the lemma with another statement', 'theorem base : P 4 := sorry', 'P 4', 'base', 'sorry'],
    ['an axiom with another statement', 'axiom base : P 4', 'P 4', 'base', 'axiom'],
    ['a lookalike', 'theorem fake : P 0 := sorry', 'P 0', 'fake', 'sorry'],
    ['a lookalike with another statement', 'theorem fake : ∀ n, P n := sorry', 'P 0', 'fake 0', 'sorry'],
    ['a stronger lemma', 'theorem base : ∀ n, P n := sorry', 'P 4', 'base 4', 'sorry'],
    ['a definition instead', 'def base : P 0 := sorry', 'P 0', 'base', 'sorry'],
  ])('%s', async (_, other, type, proof, kind) => {
    expect(await forged(other, type, proof, ['base'])).toMatchObject({ verdict: 'rejected', kind });
  });
});

describe('a file that assumes open theorems of its reference', () => {
  const reference = `opaque P : Nat → Prop
theorem base : P 0 := sorry
theorem mine : P 1 := sorry
theorem below : P 1 := sorry
`;
  const kinds = async (text: string, assume: string[], against = reference): Promise<string[]> =>
    (await gate().checkFile({ text, against, assume }))
      .filter(({ name }) => name === 'mine')
      .map(({ verdict, kind, assumes }) => [verdict, kind, ...assumes].join(' '));
  const withProof = (proof: string): string =>
    reference.replace('theorem mine : P 1 := sorry', `theorem mine : P 1 := ${proof}`);

  test('a theorem above counts as an assumption', async () => {
    const up = reference.replace('base : P 0', 'base : ∀ n, P n');
    const text = up.replace('mine : P 1 := sorry', 'mine : P 1 := base 1');
    expect(await kinds(text, ['base'], up)).toEqual(['rejected conditional base']);
    expect(await kinds(text, [], up)).toEqual([expect.stringMatching(/^rejected sorry/)]);
    expect(await kinds(text, ['below', 'mine'], up)).toEqual([expect.stringMatching(/^rejected sorry/)]);
    // the lemma is proved from nothing in the same file: no assumption is left
    const both = text.replace('base : ∀ n, P n := sorry', 'base : ∀ n, P n := fun _ => nonsense');
    expect(await kinds(both, ['base'], up)).toEqual([expect.stringMatching(/^rejected /)]);
  });

  test('a theorem below does not, wherever the file puts it', async () => {
    const [first, base, , last] = reference.split('\n');
    const text = [first, base, last, 'theorem mine : P 1 := below', ''].join('\n');
    expect(await kinds(text, ['base', 'below', 'mine'])).toEqual([expect.stringMatching(/^rejected sorry/)]);
  });

  test('a lemma whose statement the file changes does not', async () => {
    const text = withProof('base').replace('base : P 0', 'base : P 1');
    expect(await kinds(text, ['base'])).toEqual([expect.stringMatching(/^rejected (?:sorry|statement)/)]);
  });

  test('a new lemma of the file does not', async () => {
    const text = withProof('extra').replace('theorem mine', 'theorem extra : P 1 := sorry\ntheorem mine');
    expect(await kinds(text, ['extra', 'base'])).toEqual([expect.stringMatching(/^rejected sorry/)]);
  });
});

test('a candidate elaborated after a preamble with more proofs is judged for the statement it was made for', async () => {
  const open = 'theorem base : 2 + 2 = 4 := sorry\n';
  const claim = { preamble: open, statement: 'theorem t : 2 + 2 = 4 ∧ True', proof: '⟨base, trivial⟩' };
  expect(await gate().check(claim)).toMatchObject({ kind: 'sorry' });
  expect(await gate().checkAfter(open.replace('sorry', 'rfl'), claim)).toMatchObject({
    verdict: 'accepted',
    assumes: [],
  });
  const changed = 'theorem base : 2 + 2 = 5 := sorry\n';
  expect(await gate().checkAfter(changed, { ...claim, proof: '⟨base, trivial⟩' })).toMatchObject({
    verdict: 'rejected',
  });
});
