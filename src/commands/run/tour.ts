import type { Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import { asTyped } from '../../core/invocation.ts';
import type { Gate } from '../../lean/gate/gate.ts';
import type { LeanPool } from '../../lean/workers/pool.ts';
import { exitWith } from '../options/options.ts';

export function registerTour(program: Command): void {
  program
    .command('tour')
    .description('One-minute tour: accept real proofs, reject wrong ones, find a proof step by step')
    .action(exitWith(tour));
}

const say = (text = ''): void => void process.stdout.write(`${text}\n`);

async function tour(): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const before = performance.now();
  await using lean = await openLean(settingsFrom(), { image: 'init', slots: 1, quick: true });
  const { pool } = lean;
  const { version, kind } = pool.toolchain;
  say(`Lean ${version} (${kind}) is ready after ${((performance.now() - before) / 1000).toFixed(1)} s.`);
  const held = [
    await checkedAndRefused(lean.gate),
    await stepByStep(pool),
    await sorriesOfAFile(pool),
    await manyAttempts(pool),
  ];
  say();
  say(asTyped('Next: orch bank · orch run FILE.lean · orch dashboard · orch doctor'));
  await lean.prepareLaterStarts();
  return held.every(Boolean) ? ExitCode.done : ExitCode.broken;
}

/** True proofs pass, false ones do not, and neither do true statements with cheating proofs. */
async function checkedAndRefused(gate: Gate): Promise<boolean> {
  const claims: [statement: string, proof: string, expected: string][] = [
    ['theorem t (a b : Nat) : a + b = b + a', 'by omega', 'accepted'],
    ['theorem t (xs : List α) : xs.reverse.reverse = xs', 'by simp', 'accepted'],
    ['theorem t : 2 + 2 = 5', 'by decide', 'rejected'],
    ['theorem t (n : Nat) : n < n + 1', 'by sorry', 'rejected'],
    ['theorem t : (1 : Nat) = 2', 'by set_option debug.skipKernelTC true in decide +kernel', 'rejected'],
  ];
  say('\n1. The kernel has the last word');
  let held = true;
  for (const [statement, proof, expected] of claims) {
    const verdict = await gate.check({ statement, proof }, { deadlineMs: 20_000 });
    held &&= verdict.verdict === expected;
    say(`   ${verdict.verdict === 'accepted' ? '✓' : '✗'} ${statement} := ${proof}`);
    if (verdict.verdict !== 'accepted') say(`     ${verdict.kind}: ${verdict.message.split('\n')[0]}`);
  }
  return held;
}

async function stepByStep(pool: LeanPool): Promise<boolean> {
  const { ProofTree } = await import('../../lean/workbench/proof-tree.ts');
  say('\n2. Tactics, one step at a time');
  return await pool.use(async (lease) => {
    const started = await ProofTree.start(lease, '', 'theorem t (p q : Prop) : p ∧ q → q ∧ p', 10_000);
    if (!started.ok) return false;
    const tree = started.value;
    for (const tactic of ['intro ⟨hp, hq⟩', 'constructor', '· exact hq', '· exact hp']) {
      const failed = await tree.tryTactic(tactic);
      say(
        `   ${tactic.padEnd(16)} ${failed?.message ?? tree.describeGoals().replaceAll(/\s*\n\s*/g, '   ')}`,
      );
    }
    return tree.closed;
  });
}

async function sorriesOfAFile(pool: LeanPool): Promise<boolean> {
  const text =
    'def double (n : Nat) := n + n\n\ntheorem double_even (n : Nat) : double n % 2 = 0 := by\n  unfold double\n  sorry\n';
  say('\n3. The open goals of a file');
  return await pool.use(async (lease) => {
    const loaded = await lease.request('load', { session: lease.rootSession, text, sorries: true });
    if (!loaded.ok) return false;
    const [found] = loaded.sorries;
    say(`   line ${found?.start[0]}, ${found?.declaration}: ⊢ ${found?.goals[0]?.target}`);
    if (found?.state === undefined) return false;
    const steps = await lease.request('steps', {
      state: found.state,
      tactics: ['rfl', 'simp', 'omega'],
      stop_when_closed: true,
    });
    if (!steps.ok) return false;
    for (const [index, result] of steps.results.entries())
      say(
        `   ${['rfl', 'simp', 'omega'][index]?.padEnd(6)} ${result.ok && result.closed ? 'closes it' : 'does not close it'}`,
      );
    return steps.results.some((result) => result.ok && result.closed);
  });
}

async function manyAttempts(pool: LeanPool): Promise<boolean> {
  const proofs = [
    'by omega',
    'by simp_arith',
    'by grind',
    'by rfl',
    'Nat.add_comm a b',
    'by rw [Nat.add_comm]',
  ];
  const total = 60;
  say('\n4. Speed');
  return await pool.use(async (lease) => {
    const started = performance.now();
    for (let attempt = 0; attempt < total; attempt++)
      await lease.request('check', {
        session: lease.rootSession,
        statement: 'theorem t (a b : Nat) : a + b = b + a',
        proof: proofs[attempt % proofs.length] ?? '',
      });
    const seconds = (performance.now() - started) / 1000;
    say(
      `   ${total} attempts in ${seconds.toFixed(1)} s on one core: ${Math.round(total / seconds)} per second`,
    );
    return true;
  });
}
