import { expect, test } from 'vitest';
import { readConstraints } from '../../../src/lean/gate/constraints.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();
const preamble = `def twice (n : Nat) : Nat := n + n
theorem twice_zero : twice 0 = 0 := rfl
def odd (n : Nat) : Nat := n`;
const statement = 'theorem t (n : Nat) : twice n + 0 = twice n';

async function verdict(constraint: string, proof: string, asked = statement): Promise<string> {
  const gate = new Gate(lean.pool, lean.pool);
  const claim = { preamble, statement: asked, proof, constraints: [constraint] };
  const { kind, message } = await gate.check(claim);
  return kind === 'proved' ? 'proved' : `${kind}: ${message}`;
}

test('a valid proof is rejected for the constraint it breaks, with the reason', async () => {
  const em = '(Classical.em (n = 0)).elim (fun _ => Nat.add_zero _) (fun _ => Nat.add_zero _)';
  const hidden =
    'by\n  have h : n = 0 ∨ n ≠ 0 := by exact Classical.em _\n  exact h.elim (fun _ => rfl) (fun _ => rfl)';
  expect(await verdict('without: Classical.*', em)).toBe(
    'constraint: it uses Classical.em, which without: forbids',
  );
  expect(await verdict('without: Classical.*', hidden)).toContain('it uses Classical.em');
  expect(await verdict('without: Classical.*', 'Nat.add_zero _')).toBe('proved');
  expect(await verdict('names: Nat.*', em)).toContain('which is not among names: Nat.*');
  expect(await verdict('names: Nat.*', 'Nat.add_zero _')).toBe('proved');
  const choice = 'by\n  have := Classical.choice (⟨0⟩ : Nonempty Nat)\n  rfl';
  expect(await verdict('axioms: none', choice)).toBe(
    'constraint: it uses the axiom Classical.choice itself; allowed: none',
  );
  expect(await verdict('axioms: Classical.choice', choice)).toBe('proved');
  // an axiom below a theorem of the library is not used directly
  expect(await verdict('axioms: none', em)).toBe('proved');
});

test('the statement must be usable by simp, and a constraint that cannot be checked never passes', async () => {
  expect(await verdict('[simp] desirable', 'rfl')).toBe('proved');
  const turning = 'theorem t (n : Nat) (h : n = 0) : odd n = odd (odd n)';
  expect(await verdict('[simp] desirable', 'rfl', turning)).toMatch(
    /^constraint: \[simp\] desirable: simp cannot/,
  );
  expect(await verdict('noncomputable', 'rfl')).toBe('proved');
  expect(await verdict('elegant', 'rfl')).toBe('constraint: there is no check for the constraint elegant');
  expect(readConstraints(['imports: A, B', 'axioms: none', 'short'])).toMatchObject({
    imports: ['A', 'B'],
    axioms: [],
    unread: ['short'],
  });
});

test('if a proof’s dependencies cannot be determined, it is not accepted', async () => {
  // this pool cannot import a part of the library
  expect(await verdict('imports: Init.Prelude', 'rfl')).toMatch(/^missing-import/);
});
