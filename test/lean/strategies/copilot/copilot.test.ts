import { expect, test } from 'vitest';
import { copilotStrategy } from '../../../../src/lean/strategies/copilot/copilot.ts';
import { Workbench } from '../../../../src/lean/workbench/workbench.ts';
import { checkClaim, conversation } from '../../../helpers/lean.ts';

const lean = conversation();

/** The proof that an arm finds for a goal; the gate must accept it. */
async function proofBy(armName: string, preamble: string, statement: string): Promise<string> {
  const goal = {
    id: 'g',
    preamble,
    statement,
    holes: { kind: 'statement' },
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
  } as const;
  const strategy = copilotStrategy({ budget: { cpu_seconds: 60, heartbeats: 20_000 } });
  const outcome = await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const arm = strategy.arms(workbench).find(({ name }) => name === armName);
    if (!arm) throw new Error(`there is no ${armName}`);
    const { signal } = new AbortController();
    const limits = strategy.budget;
    const run = { signal, limits, permit: async () => {}, place: 0, seed: 1, deadline: Infinity };
    const answer = await strategy.attempt(workbench, arm, run);
    await workbench.end();
    return answer;
  });
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  const { proof } = outcome.candidate;
  const verdict = await checkClaim(lean.pool, { ...goal, proof });
  expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
  return proof;
}

test('goals that a step creates are solved separately, by a library lemma or by induction', async () => {
  await proofBy(
    'copilot/quick',
    'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n',
    'theorem t (a b c n : Nat) (h : a ∣ b) (k : a ∣ c) : a ∣ b + c ∧ double n = n + n',
  );
});

/** Tactics with Lean Copilot's names that answer like a model. */
const odd = 'inductive Odd : Nat → Prop\n  | one : Odd 1\n  | more : Odd n → Odd (n + 2)\n';

test('with Lean Copilot imported, a complete proof that it prints is run on its own', async () => {
  const search = 'macro "search_proof" : tactic => `(tactic| show_term exact Odd.more (Odd.more Odd.one))\n';
  expect(await proofBy('copilot/lean', odd + search, 'theorem t : Odd 5')).toContain(
    'exact Odd.more (Odd.more Odd.one)',
  );
});

test('with Lean Copilot imported, the steps it suggests are tried in order', async () => {
  const steps = 'first | show_term exact Odd.one | show_term refine Odd.more ?_';
  const speaking = [
    'macro "search_proof" : tactic => `(tactic| skip)',
    `macro "suggest_tactics" str : tactic => \`(tactic| ${steps})`,
  ].join('\n');
  const proof = await proofBy('copilot/lean', `${odd}${speaking}\n`, 'theorem t : Odd 5');
  expect(proof.match(/refine Odd\.more \?_/g)).toHaveLength(2);
});
