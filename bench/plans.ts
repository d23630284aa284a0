import type { Plan } from '../src/lean/strategies/sketch/plan.ts';
import type { Reply } from '../test/models/wire.ts';

/** The scripted model's answers to a goal of `hard.jsonl`, in order; the last one is repeated. */
export type PlanTable = Readonly<Record<string, readonly Partial<Plan>[]>>;

/** A square is never negative, which Lean's automation does not find by itself. */
const square = {
  name: 'sq',
  claim: '∀ x : Int, 0 ≤ x * x',
  tactics: [
    'intro x; rcases Int.le_total 0 x with h | h; exact Int.mul_nonneg h h; exact Int.mul_nonneg_of_nonpos_of_nonpos h h',
  ],
};

/** True only for 0: small values contradict it. */
const wrong = { name: 'wrong', claim: '∀ m, tri m = m', tactics: ['simp'] };
const unreadable = { name: 'odd', claim: '∀ m, tri m = frob m', tactics: [] };

/** Correct plans as a model would give them: some immediately, some after Lean's messages, some with open claims. */
export const rightPlans: PlanTable = {
  // the claim becomes a ticket
  'sum of cubes': [
    { steps: [unreadable, wrong] },
    {
      steps: [{ name: 'twice', claim: '∀ m, 2 * tri m = m * (m + 1)', tactics: [] }],
      finish: ['induction n with\n| zero => rfl\n| succ n ih => grind [tri, cubes]'],
    },
  ],
  'fibonacci at odd places': [
    {
      steps: [
        {
          name: 'add',
          claim: '∀ m k, fib (m + k + 1) = fib (m + 1) * fib (k + 1) + fib m * fib k',
          tactics: [
            'intro m\ninduction m with\n| zero => intro k; simp [fib]\n| succ m ih =>\n  intro k\n  have h := ih (k + 1)\n  have e : m + 1 + k + 1 = m + (k + 1) + 1 := by omega\n  rw [e, h]\n  grind [fib]',
          ],
        },
      ],
      finish: ['have h := add n n\nhave e : 2 * n + 1 = n + n + 1 := by omega\nrw [e, h]'],
    },
  ],
  'fibonacci in a loop': [
    {
      steps: [
        {
          name: 'gen',
          claim: '∀ k m, loop k (fib m) (fib (m + 1)) = fib (m + k)',
          tactics: [
            'intro k\ninduction k with\n| zero => intro m; rfl\n| succ k ih =>\n  intro m\n  have h := ih (m + 1)\n  have e : m + (k + 1) = m + 1 + k := by omega\n  rw [e, ← h]\n  simp [loop, fib, Nat.add_comm]',
          ],
        },
      ],
      finish: ['have h := gen n 0\nsimpa [fib] using h'],
    },
  ],
  'sorting twice': [
    {
      steps: [
        {
          name: 'mem',
          claim: '∀ (x y : Nat) (xs : List Nat), y ∈ place x xs → y = x ∨ y ∈ xs',
          tactics: ['intro x y xs; induction xs with | nil => simp [place] | cons z zs ih => grind [place]'],
        },
        {
          name: 'keep',
          claim: '∀ (x : Nat) (xs : List Nat), List.Pairwise (· ≤ ·) xs → List.Pairwise (· ≤ ·) (place x xs)',
          tactics: [
            'intro x xs\ninduction xs with\n| nil => simp [place]\n| cons z zs ih =>\n  intro h\n  have hm := mem x\n  unfold place\n  grind [List.pairwise_cons]',
          ],
        },
        {
          name: 'sorted',
          claim: '∀ xs : List Nat, List.Pairwise (· ≤ ·) (sort xs)',
          tactics: ['intro xs; induction xs with | nil => simp [sort] | cons z zs ih => exact keep z _ ih'],
        },
        {
          name: 'fixed',
          claim: '∀ xs : List Nat, List.Pairwise (· ≤ ·) xs → sort xs = xs',
          tactics: [
            'intro xs\ninduction xs with\n| nil => simp [sort]\n| cons z zs ih =>\n  intro h\n  cases zs with\n  | nil => simp [sort, place]\n  | cons y ys => grind [sort, place, List.pairwise_cons]',
          ],
        },
      ],
      finish: ['exact fixed _ (sorted xs)'],
    },
  ],
  'seventh powers': [
    {
      steps: [{ name: 'small', claim: '∀ r, r < 7 → r ^ 7 % 7 = r % 7', tactics: ['decide'] }],
      finish: [
        'exact (Nat.pow_mod n 7 7).trans ((small _ (Nat.mod_lt _ (by decide))).trans (Nat.mod_mod n 7))',
      ],
    },
  ],
  'two squares': [
    {
      steps: [
        {
          name: 'sq',
          claim: '∀ m : Nat, m * m % 4 = 0 ∨ m * m % 4 = 1',
          tactics: [
            'intro m; have h : m % 4 = 0 ∨ m % 4 = 1 ∨ m % 4 = 2 ∨ m % 4 = 3 := by omega\nrcases h with h | h | h | h <;> simp [Nat.mul_mod, h]',
          ],
        },
      ],
      finish: ['have ha := sq a\nhave hb := sq b\nomega'],
    },
  ],
  'ackermann at three': [
    {
      steps: [
        {
          name: 'one',
          claim: '∀ m, ack 1 m = m + 2',
          tactics: ['intro m; induction m with | zero => simp [ack] | succ m ih => simp [ack, ih]'],
        },
        {
          name: 'two',
          claim: '∀ m, ack 2 m = 2 * m + 3',
          tactics: [
            'intro m; induction m with | zero => simp [ack, one] | succ m ih => simp [ack, ih, one]; omega',
          ],
        },
      ],
      finish: [
        'induction n with\n| zero => simp [ack, one, two]\n| succ n ih =>\n  have e : 2 ^ (n + 1 + 3) = 2 * 2 ^ (n + 3) := by grind\n  simp [ack, two]\n  omega',
      ],
    },
  ],
  'a full turn': [
    {
      steps: [
        {
          name: 'gen',
          claim: '∀ xs ys : List Nat, turn xs.length (xs ++ ys) = ys ++ xs',
          tactics: [
            'intro xs\ninduction xs with\n| nil => intro ys; simp [turn]\n| cons x xs ih =>\n  intro ys\n  have h := ih (ys ++ [x])\n  simpa [turn] using h',
          ],
        },
      ],
      finish: ['have h := gen xs []\nsimpa using h'],
    },
  ],
  'three squares': [
    {
      steps: [square],
      finish: ['have h1 := sq (a - b)\nhave h2 := sq (b - c)\nhave h3 := sq (c - a)\ngrind'],
    },
  ],
  'cauchy and schwarz': [{ steps: [square], finish: ['have h := sq (a * d - b * c)\ngrind'] }],
  'squares below powers': [
    {
      steps: [
        {
          name: 'gen',
          claim: '∀ k : Nat, (k + 5) * (k + 5) < 2 ^ (k + 5)',
          tactics: [
            'intro k\ninduction k with\n| zero => decide\n| succ k ih =>\n  have e : 2 ^ (k + 1 + 5) = 2 * 2 ^ (k + 5) := by grind\n  simp only [Nat.mul_add, Nat.add_mul] at *\n  omega',
          ],
        },
      ],
      finish: ['have h1 := gen (n - 5)\nhave e : n - 5 + 5 = n := by omega\nrw [e] at h1\nexact h1'],
    },
  ],
};

/** Longer than any valid answer. */
const tenMegabytes = '1 + '.repeat(2_500_000);

/**
 * Invalid plans, one per goal: leaves a hole, declares an axiom, proves something else, never ends, is too long, is
 * false, is not a plan at all. None may be accepted, and none may cost more than its budget.
 */
export const hostileReplies: Readonly<Record<string, Reply>> = {
  'sum of cubes': planReply({
    steps: [{ name: 'all', claim: '∀ m, cubes m = tri m * tri m', tactics: ['intro m; sorry'] }],
    finish: ['exact all n'],
  }),
  'fibonacci at odd places': planReply({
    steps: [
      {
        name: 'cheat',
        claim: 'True) := trivial\naxiom cheat : False\nexample : (True',
        tactics: ['trivial'],
      },
    ],
    finish: ['exact absurd cheat (fun h => h)', 'exact (Classical.choice (inferInstance : Nonempty _))'],
  }),
  'fibonacci in a loop': planReply({
    opening: 'suffices h : True from by trivial',
    steps: [{ name: 'fact', claim: 'True ∧ True', tactics: ['exact ⟨trivial, trivial⟩'] }],
    finish: ['change 0 = 0; rfl', 'show True; trivial', 'revert n; exact fun _ => rfl'],
  }),
  'sorting twice': { endless: 'and then ' },
  'seventh powers': planReply({
    steps: [{ name: 'long', claim: `${tenMegabytes}1 = n`, tactics: ['rfl'] }],
  }),
  'two squares': planReply({
    steps: [{ name: 'sq', claim: '∀ m : Nat, m * m % 4 = 0', tactics: ['simp'] }],
    finish: ['have ha := sq a\nhave hb := sq b\nomega'],
  }),
  'squares below powers': planReply({
    steps: Array.from({ length: 12 }, (_, index) => ({
      name: `slow${index}`,
      claim: `∀ m : Nat, m + ${index} = ${index} + m ∧ (2 ^ 40) % 7 = ${index}`,
      tactics: ['repeat (first | skip)', 'iterate 1000000 skip', 'decide', 'exact (by omega)'],
    })),
  }),
  'ackermann at three': { refusal: 'I would rather not' },
  'a full turn': { silent: true },
  'three squares': { say: 'I think that induction will do.' },
};

/** A plan in the format of a service's reply. */
export function planReply(plan: Partial<Plan>): Reply {
  const whole = { opening: '', steps: [], finish: [], lemmas: [], risk: 'none', ...plan };
  return { say: JSON.stringify(whole) };
}
