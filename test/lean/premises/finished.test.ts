import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { firstWeights } from '../../../src/core/difficulty.ts';
import { EventBus } from '../../../src/core/events.ts';
import type { MissingLemma } from '../../../src/core/scheduler/domain.ts';
import { Engine } from '../../../src/core/scheduler/engine.ts';
import { Throttle } from '../../../src/core/throttle.ts';
import { readMachine } from '../../../src/io/machine.ts';
import { LeanDomain } from '../../../src/lean/domain.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { FinishedLemmas } from '../../../src/lean/premises/finished.ts';
import { microStrategy } from '../../../src/lean/strategies/micro/micro.ts';
import type { RunEvent, Ticket } from '../../../src/shared/events.ts';
import { forgetful } from '../../core/scheduler/factoring.ts';
import { checkClaim, conversation } from '../../helpers/lean.ts';
import { lists } from '../lists.ts';
import { longTest } from '../../helpers/tier.ts';

const lean = conversation({ slots: 2 });

function goalOf(id: string, statement: string, body: Partial<LeanGoal> = {}): LeanGoal {
  return {
    id,
    preamble: lists,
    statement,
    holes: wholeStatement,
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
    ...body,
  };
}

const lengths = goalOf('lengths', 'theorem t (xs ys : List Nat) : len (app xs ys) = len xs + len ys');
const swapped = goalOf('swapped', 'theorem t (xs ys : List Nat) : len (app xs ys) = len (app ys xs)');
const reversal = goalOf('reversal', 'theorem t (xs : List Nat) : len (rev xs) = len xs');

function shelfWith(...goals: readonly LeanGoal[]): FinishedLemmas {
  const shelf = new FinishedLemmas();
  for (const goal of goals) shelf.add(goal, 'by simp');
  return shelf;
}

describe('the finished lemmas offered to a goal', () => {
  test('those that mention constants of its conclusion, each under a separate name', () => {
    const [found, ...others] = shelfWith(lengths).find(reversal);
    expect(others).toEqual([]);
    expect(found?.statement).toMatch(/^theorem t_[0-9a-f]{6} \(xs ys : List Nat\) : len/);
    expect(shelfWith(goalOf('sums', 'theorem s (n : Nat) : total n = n')).find(reversal)).toEqual([]);
  });

  test('a few of the closest, each once', () => {
    const many = ['a', 'b', 'c'].map((name) =>
      goalOf(name, `theorem ${name} (xs : List Nat) : rev (rev xs) = xs`),
    );
    const others = ['app xs [] = xs', 'rev (app xs xs) = app (rev xs) (rev xs)'].map((type) =>
      goalOf(type, `theorem u (xs : List Nat) : ${type}`),
    );
    expect(shelfWith(...many).find(reversal)).toHaveLength(1);
    expect(shelfWith(...many, ...others, lengths).find(reversal)).toHaveLength(4);
  });

  test('none that depends on more than the goal does, or is from another environment', () => {
    expect(shelfWith(lengths).find({ ...reversal, preamble: `${lists}\ndef more := 1\n` })).toHaveLength(1);
    expect(shelfWith({ ...lengths, preamble: `${lists}\ndef more := 1\n` }).find(reversal)).toEqual([]);
    const environment = { imports: ['Std'], options: {}, project: null };
    expect(shelfWith(lengths).find({ ...reversal, environment })).toEqual([]);
  });

  test('none with axioms that the goal does not allow, or with section variables', () => {
    expect(shelfWith({ ...lengths, allowAxioms: ['ghost'] }).find(reversal)).toEqual([]);
    const preamble = `${lists}\nvariable (k : Nat)\n`;
    expect(shelfWith({ ...lengths, preamble }).find({ ...reversal, preamble })).toEqual([]);
  });
});

describe('a run', () => {
  test('a goal uses the lemma finished for another one, and its proof includes it', async () => {
    const { events, proofOf } = await runOf([swapped, lengths]);
    expect(proofOf('lengths')).not.toBeNull();
    const proof = proofOf('swapped') ?? '';
    expect(proof).toContain('have t_');
    expect(notes(events)).toContainEqual(expect.stringContaining('swapped may use completed lemmas'));
    const { statement } = swapped;
    expect(await checkClaim(lean.pool, { preamble: lists, statement, proof })).toMatchObject({
      verdict: 'accepted',
      assurance: 'replayed',
    });
  });

  longTest('a lemma that a user has completed is found too', async () => {
    const delivered = ticketOf(lengths, 'by induction xs <;> simp_all [app, len] <;> omega');
    const { proofOf } = await runOf([swapped], [delivered]);
    expect(proofOf('swapped')).toContain('have t_');
  });

  longTest('an unreadable one is skipped, and without it the goal is not solved', async () => {
    const broken = ticketOf(lengths, 'by no_such_tactic');
    const { events, proofOf } = await runOf([swapped], [broken], 10);
    const refusals = notes(events).filter((text) => text.includes('swapped continues without them'));
    expect(refusals).toHaveLength(1);
    expect(proofOf('swapped')).toBeNull();
  });
});

function ticketOf({ statement, preamble }: LeanGoal, completed_proof: string): Ticket {
  return {
    ticket_id: 'lem-2026-01-01-0001',
    goal: statement,
    context: [preamble],
    suggested_name: 't',
    constraints: [],
    priority: 0.5,
    requester: 'someone',
    status: 'completed',
    dependencies: [],
    completed_proof,
  };
}

function notes(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
}

/** The goal requests no lemma: finished lemmas are its only help. */
async function nothingMissing(): Promise<MissingLemma> {
  return { request: undefined, cpuSeconds: 0 };
}

/** Goals of one run: `lengths` has the prover, the others only closers, which need it as a lemma. */
async function runOf(
  goals: readonly LeanGoal[],
  completed: readonly Ticket[] = [],
  goalCpu = 200,
): Promise<{ events: RunEvent[]; proofOf: (goal: string) => string | null | undefined }> {
  const events: RunEvent[] = [];
  const tickets = [...completed];
  const micro = microStrategy({ budget: { cpu_seconds: 40, heartbeats: 20_000 } });
  const strategy = {
    ...micro,
    arms: (...asked: Parameters<typeof micro.arms>) =>
      micro
        .arms(...asked)
        .filter(({ name }) => name === (asked[0].goal.id === lengths.id ? 'micro/relate' : 'micro/close')),
  };
  const config = { profile: 0, timeout: null, goal_cpu: goalCpu, cpu_target: 1, cores: 2, workers: 1 };
  const domain = new LeanDomain(lean.pool, new Gate(lean.pool, lean.pool));
  Object.assign(domain, { lemmas: { ...domain.lemmas, missing: nothingMissing } });
  const engine = new Engine({
    domain,
    strategies: [strategy],
    memory: {
      ...forgetful,
      newlySettled: async () => tickets.splice(0).map((ticket) => ({ ...ticket, counterexample: null })),
    },
    bus: new EventBus('run', systemClock, { append: async (batch) => events.push(...batch) }),
    clock: systemClock,
    throttle: new Throttle(1, 2),
    readMachine,
    start: {
      command: 'run',
      resumes: null,
      seed: 1,
      toolchain: 'lean',
      version: '0',
      sources: [],
      config: { ...config, max_light: 1, max_heavy: 0, escalate_threshold: 0.6 },
      strategies: [],
      learned: { arms: [], weights: firstWeights },
    },
  });
  for (const goal of goals) engine.add(goal);
  await engine.run();
  const closed = new Map(
    events.flatMap((event) => (event.type === 'goal-closed' ? [[event.goal, event.proof] as const] : [])),
  );
  return { events, proofOf: (goal) => closed.get(goal) };
}
