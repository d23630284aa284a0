import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replayDecisions } from '../../src/core/scheduler/replay.ts';
import type { ModelUse } from '../../src/shared/events.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { serviceWith } from '../models/server.ts';
import { serveReplies } from '../models/wire.ts';
import { ofType } from '../core/scheduler/factoring.ts';
import { planned, runWithModel, type PlannedRun } from './planned-run.ts';

const preamble = `def tri : Nat → Nat
  | 0 => 0
  | n + 1 => tri n + (n + 1)
def cubes : Nat → Nat
  | 0 => 0
  | n + 1 => cubes n + (n + 1) * (n + 1) * (n + 1)
`;
const goal = { id: 'cubes', preamble, statement: 'theorem t (n : Nat) : cubes n = tri n * tri n' };

/** Lean cannot read one claim, and small values contradict the other. */
const faulty = planned({
  steps: [
    { name: 'odd', claim: '∀ m, tri m = frob m', tactics: [] },
    { name: 'wrong', claim: '∀ m, tri m = m', tactics: ['simp'] },
  ],
});
/** Right, but for a claim that the model cannot prove and plain closers do not. */
const withHole = planned({
  steps: [{ name: 'twice', claim: '∀ m, 2 * tri m = m * (m + 1)', tactics: [] }],
  finish: ['induction n with\n| zero => rfl\n| succ n ih => grind [tri, cubes]'],
});

const byInduction = 'intro m; induction m with | zero => rfl | succ m ih => grind [tri]';
const whole = planned({
  steps: [{ name: 'twice', claim: '∀ m, 2 * tri m = m * (m + 1)', tactics: [byInduction] }],
  finish: ['induction n with\n| zero => rfl\n| succ n ih => grind [tri, cubes]'],
});
const ofSquares = planned({
  steps: [
    {
      name: 'sq',
      claim: '∀ x : Int, 0 ≤ x * x',
      tactics: [
        'intro x; rcases Int.le_total 0 x with h | h; exact Int.mul_nonneg h h; exact Int.mul_nonneg_of_nonpos_of_nonpos h h',
      ],
    },
  ],
  finish: ['have h := sq (a - b)\ngrind'],
});
const ofPowers = planned({
  steps: [{ name: 'small', claim: '∀ r, r < 7 → r ^ 7 % 7 = r % 7', tactics: ['decide'] }],
  finish: ['exact (Nat.pow_mod n 7 7).trans ((small _ (Nat.mod_lt _ (by decide))).trans (Nat.mod_mod n 7))'],
});

test('the holes of a plan become goals with tickets; others prove them and the whole passes the gate', async () => {
  const service = await serviceWith(faulty, withHole);
  const folder = temporaryFolder();
  const model = { ORCH_MODEL: `openai:${service.url}/v1#planner` };
  const { code, goals, events } = await runWithModel(folder, [goal], model, '--profile', '0');
  expect(code).toBe(0);
  expect(service.asked).toHaveLength(2);

  const [told] = goals;
  expect(told).toMatchObject({ solved: true, arm: 'sketch/plan', assurance: 'replayed' });
  const [ticket, ...others] = ofType(events, 'ticket-opened');
  expect(others).toEqual([]);
  expect(ticket).toMatchObject({
    requester: 'cubes',
    goal: expect.stringContaining('2 * tri m = m * (m + 1)'),
  });
  const closed = ofType(events, 'goal-closed');
  const lemma = closed.find((one) => one.goal === ticket?.lemma_goal);
  expect(lemma).toMatchObject({ solved: true, strategy: 'micro' });
  expect(ofType(events, 'ticket-completed')).toMatchObject([
    { ticket_id: ticket?.ticket_id, completed_proof: lemma?.proof, assurance: 'replayed' },
  ]);
  expect(replayDecisions(events).differences).toEqual([]);

  writeFileSync(path.join(folder, 'Defs.lean'), preamble);
  const claim = ['--stmt', goal.statement, '--proof', told?.proof ?? '', '--preamble', 'Defs.lean'];
  expect((await orch(['check', ...claim, '--timeout', '600'], { cwd: folder })).code).toBe(0);
});

test('a run with recorded answers replays byte for byte when the service is gone', async () => {
  const goals = [
    goal,
    { id: 'squares', statement: 'theorem t (a b : Int) : 2 * (a * b) ≤ a * a + b * b' },
    { id: 'powers', statement: 'theorem t (n : Nat) : n ^ 7 % 7 = n % 7' },
  ];
  const service = await serveReplies(({ messages }) => {
    const asked = JSON.stringify(messages);
    if (asked.includes('frob')) return whole;
    if (asked.includes('cubes')) return faulty;
    return asked.includes('Int') ? ofSquares : ofPowers;
  });
  onTestFinished(service.close);
  const [folder, answers] = [temporaryFolder(), path.join(temporaryFolder(), 'answers')];
  // the plans alone: what other strategies find depends on CPU-seconds, which no two runs share to the last one
  const model = {
    ORCH_MODEL: `openai:${service.url}/v1#planner`,
    ORCH_MODEL_CACHE: answers,
    ORCH_STRATEGIES: 'sketch',
  };
  const first = await runWithModel(path.join(folder, 'first'), goals, model);
  expect(proofsOf(first).map(([id, solved]) => [id, solved])).toEqual([
    ['cubes', true],
    ['powers', true],
    ['squares', true],
  ]);
  const recorded = contentsOf(answers);
  expect(recorded).toHaveLength(4);

  service.close();
  const offline = { ...model, ORCH_MODEL_NETWORK: 'off' };
  const second = await runWithModel(path.join(folder, 'second'), goals, offline);
  expect(proofsOf(second)).toEqual(proofsOf(first));
  expect(conversations(second)).toEqual(conversations(first));
  expect(modelUses(second).every(({ calls, recorded: replayed }) => calls === replayed)).toBe(true);
  expect(contentsOf(answers)).toEqual(recorded);
});

/** By goal: whether it is solved, the arm, and the proof to the last character. */
function proofsOf({ goals }: PlannedRun): [string, boolean, string | null, string | null][] {
  return goals
    .map(({ id, solved, arm, proof }): [string, boolean, string | null, string | null] => [
      id,
      solved,
      arm,
      proof,
    ])
    .toSorted(([one], [two]) => one.localeCompare(two));
}

/** The exchange between Lean and the model, by goal. */
function conversations(run: PlannedRun): string[] {
  return modelUses(run)
    .map(({ goal: id, name, prompts, calls, said }) => JSON.stringify({ id, name, prompts, calls, said }))
    .toSorted();
}

function modelUses({ events }: PlannedRun): ({ readonly goal: string } & ModelUse)[] {
  return ofType(events, 'attempt-finished').flatMap(({ goal: id, model }) =>
    model ? [{ goal: id, ...model }] : [],
  );
}

function contentsOf(folder: string): [string, string][] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
}
