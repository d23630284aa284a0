import { describe, expect, test } from 'vitest';
import { LedgerConflict } from '../../../src/store/ledger/ledger.ts';
import { hashOf, limits, start, Story } from './story.ts';
import { temporaryLedger } from './temporary.ts';

/** A whole run: one goal solved by its second attempt, one parked, one attempt lost. */
const wholeRun = (): Story =>
  new Story()
    .begin()
    .add('g1')
    .add('g2')
    .examine('g1')
    .examine('g2')
    .slate('g1', 'micro/close', 'micro/cases')
    .startAttempt('a1', 'g1')
    .finishAttempt('a1', 'g1')
    .startAttempt('a2', 'g1', 'micro/cases')
    .judge('a2', 'g1', { arm: 'micro/cases', verdict: 'rejected' })
    .judge('a2', 'g1', { arm: 'micro/cases' })
    .finishAttempt('a2', 'g1', {
      arm: 'micro/cases',
      outcome: 'solved',
      error: null,
      reward: 0.8,
      cache_hits: 2,
    })
    .closeGoal('g1')
    .sample()
    .openTicket('lem-1', { requester: 'g2' })
    .park('g2', 'lem-1')
    .startAttempt('a3', 'g2')
    .tell('note', { level: 'info', text: 'something' });

describe('what a run leaves behind', () => {
  test('every event comes back as it was, numbered from 1', () => {
    const { events } = wholeRun();
    const { ledger } = temporaryLedger(events);
    expect(ledger.eventsSince(0, 1000)).toEqual(events.map((event, index) => ({ ...event, seq: index + 1 })));
    expect(ledger.eventsSince(16, 1)).toMatchObject([{ seq: 17, type: 'attempt-started' }]);
    expect(ledger.samples(3)).toMatchObject([{ type: 'sample', queued: 1 }]);
  });

  test('goals know how they stand', () => {
    const { ledger } = temporaryLedger(wholeRun().events);
    expect(ledger.goalsOf('run-1')).toMatchObject([
      {
        goal: 'g1',
        goal_hash: hashOf('g1'),
        fingerprint: 'print',
        difficulty: 0.3,
        status: 'solved',
        attempts: 2,
        cpu_seconds: 1.5, // examined 0.25, two attempts of 0.5, two verdicts of 0.125
        latest_error: 'simp made no progress',
        reason: 'proved',
      },
      { goal: 'g2', status: 'parked', ticket: 'lem-1', attempts: 0 },
    ]);
    expect(ledger.goal('run-1', 'g1')).toMatchObject({
      features: { size: 5, hypotheses: 1 },
      slates: [{ round: 1, arms: [{ arm: 'micro/close' }, { arm: 'micro/cases' }] }],
      attempt_rows: [
        {
          attempt: 'a1',
          outcome: 'failed',
          params: limits,
          tactics: ['simp_all'],
          premises: ['Nat.add_zero'],
        },
        { attempt: 'a2', outcome: 'solved', reward: 0.8 },
      ],
      verdicts: [{ verdict: 'rejected' }, { verdict: 'accepted', kind: 'proved' }],
      proofs: [
        { attempt: 'a2', assurance: 'replayed', toolchain: 'lean-4.28.0-embedded', axioms: ['propext'] },
      ],
    });
    expect(ledger.goal('run-1', 'nobody')).toBeUndefined();
  });

  test('a run that has finished says so; one that goes on counts its goals', () => {
    const { ledger } = temporaryLedger([...wholeRun().events, ...new Story('run-2').begin().end().events]);
    expect(ledger.runs(10)).toMatchObject([
      { run: 'run-2', reason: 'done', utilisation: 0.48, goals_total: 2 },
      { run: 'run-1', reason: null, finished: null, goals_total: 2, goals_solved: 1, config: { profile: 0 } },
    ]);
    expect(ledger.lastRun()).toMatchObject({ run: 'run-2', reason: 'done', seed: 7, sources: ['bank'] });
  });

  test('a helper lemma is a goal of the run, but not one that the user asked for', () => {
    const story = new Story().begin().add('g1').add('helper', { requester: 'g1' });
    story.tell('goal-opened', { goal: 'helper', priority: 0.5, round: 1 }).closeGoal('g1');
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.goalsOf('run-1')).toMatchObject([
      { goal: 'g1', requester: null, status: 'solved' },
      { goal: 'helper', requester: 'g1', status: 'racing' },
    ]);
    expect(ledger.runs(1)).toMatchObject([{ goals_total: 1, goals_solved: 1 }]);
    expect(ledger.interruptedRun()).toBeUndefined();
  });

  test('strategies are counted by arm and by hour', () => {
    const { ledger, clock } = temporaryLedger(wholeRun().events);
    expect(ledger.arms(0)).toEqual([
      {
        strategy: 'micro',
        arm: 'micro/cases',
        attempts: 1,
        successes: 1,
        cpu_seconds: 0.5,
        wall_seconds: 1,
        gpu_seconds: 0,
        cloud_seconds: 0,
        input_tokens: 0,
        output_tokens: 0,
        cache_hits: 2,
        attempts_with_hits: 1,
        outcomes: { solved: 1 },
      },
      expect.objectContaining({ arm: 'micro/close', attempts: 1, successes: 0, outcomes: { failed: 1 } }),
    ]);
    const hour = 3_600_000;
    expect(ledger.arms(start + hour - 1)).toHaveLength(2);
    expect(ledger.arms(start + hour)).toEqual([]);
    clock.at = start + 30 * 24 * hour; // as seen from far away, days count
    expect(ledger.arms(start + hour)).toHaveLength(2);
    expect(ledger.arms(start + 24 * hour)).toEqual([]);
    expect(ledger.strategiesByHour(0)).toEqual([
      { hour: start, strategy: 'micro', attempts: 2, successes: 1, cpu_seconds: 1 },
    ]);
    expect(ledger.totals()).toEqual({
      successes: 1,
      goals_known: 2,
      goals_solved: 1,
      goals_refuted: 0,
      cached_goals: 1,
    });
  });

  test('a refuted goal is closed with the instance, counted apart, and open again when it is retried', async () => {
    const story = new Story()
      .begin()
      .add('g1')
      .add('g2')
      .examine('g1')
      .refute('g1', 'a := 3')
      .closeGoal('g2', false);
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.goalsOf('run-1')).toMatchObject([
      { goal: 'g1', status: 'refuted', refuted: 'a := 3', reason: 'refuted' },
      { goal: 'g2', status: 'unsolved', refuted: null },
    ]);
    expect(ledger.totals()).toMatchObject({ goals_known: 1, goals_solved: 0, goals_refuted: 1 });
    expect(ledger.lessons(9)).toMatchObject([{ solved: false }]);
    const obeyed = { request: 1, action: 'retry', goal: 'g1', value: null, refused: null } as const;
    for (const event of new Story().tell('control-obeyed', obeyed).events) ledger.append(event);
    expect(ledger.goal('run-1', 'g1')).toMatchObject({ status: 'queued', refuted: null });
    expect(await ledger.verify()).toEqual([]);
  });

  test('what attempts spent elsewhere is summed up by arm', () => {
    const spent = { gpu_seconds: 1.5, cloud_seconds: 2, input_tokens: 700, output_tokens: 30 };
    const story = new Story()
      .begin()
      .add('g1')
      .finishAttempt('a1', 'g1', spent)
      .finishAttempt('a2', 'g1', spent);
    const { ledger } = temporaryLedger(story.events);
    const twice = { gpu_seconds: 3, cloud_seconds: 4, input_tokens: 1400, output_tokens: 60 };
    expect(ledger.arms(0)).toMatchObject([twice]);
    expect(ledger.armsOf('run-1')).toMatchObject([twice]);
    expect(ledger.goal('run-1', 'g1')?.attempt_rows).toMatchObject([spent, spent]);
  });

  test('a candidate that is accepted twice is one success, one below `replayed` none', () => {
    const story = new Story()
      .begin()
      .add('g1')
      .finishAttempt('a1', 'g1', { outcome: 'solved' })
      .judge('a1', 'g1', { assurance: 'axioms-clean' })
      .judge('a1', 'g1')
      .judge('a1', 'g1')
      .judge(null, 'g1');
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.arms(0)).toMatchObject([{ attempts: 1, successes: 1 }]);
    expect(ledger.provedBefore(hashOf('g1'))).toHaveLength(3);
    expect(ledger.totals()).toEqual({
      successes: 1,
      goals_known: 1,
      goals_solved: 1,
      goals_refuted: 0,
      cached_goals: 1,
    });
  });
});

describe('what the engine remembers', () => {
  test('an arm has an average that forgets, from 0.05, over the rewards that count', () => {
    const story = new Story().begin().add('g1');
    for (const [index, reward] of [1, null, 0, 0.5].entries())
      story.finishAttempt(`a${index}`, 'g1', { reward, context: index === 3 ? 'hard' : 'easy' });
    const { ledger } = temporaryLedger(story.events);
    const easy = 0.9 * (0.9 * 0.05 + 0.1 * 1);
    expect(ledger.armRecords()).toEqual([
      { arm: 'micro/close', context: '', trials: 3, mean: expect.closeTo(0.9 * easy + 0.1 * 0.5, 12) },
      { arm: 'micro/close', context: 'easy', trials: 2, mean: expect.closeTo(easy, 12) },
      { arm: 'micro/close', context: 'hard', trials: 1, mean: expect.closeTo(0.9 * 0.05 + 0.1 * 0.5, 12) },
    ]);
  });

  test('only definite failures count as tried', () => {
    const story = new Story().begin().add('g1');
    const kinds = ['solved', 'failed', 'timeout', 'exhausted', 'cancelled', 'blocked', 'broken'] as const;
    for (const outcome of kinds)
      story.finishAttempt(`a-${outcome}`, 'g1', { outcome, signature: outcome, arm: 'micro/close' });
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.tried(hashOf('g1'), 'print')).toEqual([
      { arm: 'micro/close', signature: 'exhausted', limits },
      { arm: 'micro/close', signature: 'failed', limits },
    ]);
    expect(ledger.tried(hashOf('g1'), 'another')).toEqual([]);
    expect(ledger.goalHistory(hashOf('g1'))).toEqual({
      attempts: 7,
      failures: 2,
      proofs: 0,
      cpuSeconds: 3.5,
    });
    expect(ledger.goalHistory('nobody')).toEqual({ attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 });
  });

  test('proofs come newest first, from any run', () => {
    const first = new Story('run-1').begin().add('g1').judge(null, 'g1', { proof: 'by omega' });
    const second = new Story('run-2')
      .begin()
      .add('g1')
      .judge(null, 'g1', { proof: 'rfl', fingerprint: 'new' });
    const { ledger } = temporaryLedger([...first.events, ...second.events]);
    expect(ledger.provedBefore(hashOf('g1'))).toMatchObject([
      { proof: 'rfl', fingerprint: 'new' },
      { proof: 'by omega', fingerprint: 'print' },
    ]);
  });

  test('lessons come from goals that were closed', () => {
    const story = new Story().begin();
    for (const goal of ['g1', 'g2', 'g3']) story.add(goal).examine(goal);
    const { ledger } = temporaryLedger(story.closeGoal('g1').closeGoal('g2', false).events);
    expect(ledger.lessons(10)).toEqual([
      { features: { size: 5, hypotheses: 1 }, label: 'easy', solved: false, cpuSeconds: 0.25 },
      { features: { size: 5, hypotheses: 1 }, label: 'easy', solved: true, cpuSeconds: 0.25 },
    ]);
  });

  test('an interrupted run says what is open and what was lost, until another run continues it', () => {
    const { ledger } = temporaryLedger(wholeRun().events);
    expect(ledger.interruptedRun()).toMatchObject({
      run: 'run-1',
      reason: null,
      openGoals: [{ goal: 'g2', statement: 'theorem g2 (a : Nat) : a + 0 = a', allowAxioms: [] }],
      inFlight: [{ attempt: 'a3', goal: 'g2', arm: 'micro/close' }],
    });
    for (const event of new Story('run-2').begin('run-1').events) ledger.append(event);
    expect(ledger.interruptedRun()).toBeUndefined();
  });

  test.each([
    ['drained', true],
    ['failed', true],
    ['timeout', false],
    ['done', false],
  ] as const)('a run that ended as %s can be continued: %s', (reason, can) => {
    const { ledger } = temporaryLedger(new Story().begin().add('g1').end(reason).events);
    expect(ledger.interruptedRun() !== undefined).toBe(can);
  });
});

describe('tickets', () => {
  test('a claim lasts until it expires; a completed one stays completed', () => {
    const { ledger, clock } = temporaryLedger(
      new Story('market').openTicket('low', { priority: 0.1 }).openTicket('high', { priority: 0.9 }).events,
    );
    expect(ledger.tickets().map(({ ticket_id }) => ticket_id)).toEqual(['high', 'low']);
    const at = clock.at + 10_000;
    for (const event of new Story('market', at).claimTicket('high', 'micro', at + 60_000).events)
      ledger.append(event);
    clock.at = at + 30_000;
    expect(ledger.tickets()).toMatchObject([
      { ticket_id: 'low', status: 'open' },
      { ticket_id: 'high', status: 'claimed', claimant: 'micro' },
    ]);
    clock.at = at + 60_001;
    expect(ledger.ticket('high')).toMatchObject({ status: 'open', claimant: null, expires: null });
    for (const event of new Story('market', clock.at).completeTicket('high').events) ledger.append(event);
    expect(ledger.ticket('high')).toMatchObject({ status: 'completed', completed_proof: 'by omega' });
    expect(ledger.ticket('nothing')).toBeUndefined();
    expect(ledger.ticketCounts()).toEqual({ open: 1, claimed: 0, completed: 1 });
  });

  test('of two completions the first counts', () => {
    const story = new Story('market').openTicket('lem-1').completeTicket('lem-1', 'first');
    const { ledger } = temporaryLedger(story.completeTicket('lem-1', 'second').events);
    expect(ledger.tickets()).toMatchObject([{ ticket_id: 'lem-1', status: 'completed', claimant: 'first' }]);
  });

  test('the ledger lets one claimant have a ticket', () => {
    const story = new Story('market').openTicket('lem-1').claimTicket('lem-1', 'first');
    const { ledger } = temporaryLedger(story.events);
    const [, , second] = story.claimTicket('lem-1', 'second').events;
    expect(() => ledger.append(second as never)).toThrow(LedgerConflict);
    expect(ledger.eventsSince(0, 10)).toHaveLength(2);
  });

  test('similar ones are found by identity and by words', () => {
    const { ledger } = temporaryLedger(
      new Story('market')
        .openTicket('lem-1', { goal_hash: 'h1' })
        .openTicket('lem-2', { goal: 'theorem t (xs : List Nat) : xs.reverse.reverse = xs' }).events,
    );
    expect(ledger.ticketsOf('h1')).toMatchObject([{ ticket_id: 'lem-1' }]);
    expect(ledger.ticketsLike('∀ xs : List α, xs.reverse.length = xs.length', 5)).toMatchObject([
      { ticket_id: 'lem-2' },
    ]);
    expect(ledger.ticketsLike('∀ "', 5)).toEqual([]);
  });
});

describe('what the ledger refuses leaves no trace', () => {
  test.each([
    ['a goal twice', new Story().begin().add('g1').add('g1')],
    ['a goal of no run', new Story().add('g1')],
    ['a run twice', new Story().begin().begin()],
    ['an attempt on no goal', new Story().begin().finishAttempt('a1', 'g1')],
    ['an attempt that starts on no goal', new Story().begin().startAttempt('a1', 'g1')],
    [
      'an attempt that ends twice',
      new Story().begin().add('g').finishAttempt('a', 'g').finishAttempt('a', 'g'),
    ],
    [
      'an attempt that starts twice',
      new Story().begin().add('g').startAttempt('a', 'g').startAttempt('a', 'g'),
    ],
    ['a verdict on no goal', new Story().begin().judge(null, 'g1')],
    ['a slate for no goal', new Story().begin().slate('g1')],
    ['the end of a goal that is not there', new Story().begin().closeGoal('g1')],
    ['the end of a run that has ended', new Story().begin().end().end()],
    ['a claim of a completed ticket', new Story().openTicket('t').completeTicket('t').claimTicket('t')],
    ['a claim of no ticket', new Story().claimTicket('t')],
  ])('%s', async (_, { events }) => {
    const last = events.at(-1);
    const { ledger } = temporaryLedger(events.slice(0, -1));
    expect(() => ledger.append(last as never)).toThrow(LedgerConflict);
    expect(ledger.eventsSince(0, 10)).toHaveLength(events.length - 1);
    expect(await ledger.verify()).toEqual([]);
    expect(() => ledger.appendAll([...new Story('other').begin().events, last as never])).toThrow(
      LedgerConflict,
    );
    expect(ledger.eventsSince(0, 10)).toHaveLength(events.length - 1);
  });
});
