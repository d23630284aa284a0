import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Lean } from '../../src/app/lean.ts';
import { systemClock } from '../../src/core/clock.ts';
import { notNull } from '../../src/core/errors.ts';
import type { Verdict } from '../../src/lean/gate/verdict.ts';
import { LeanDomain } from '../../src/lean/domain.ts';
import { wholeStatement } from '../../src/lean/goals/goal.ts';
import { Market } from '../../src/lean/market/market.ts';
import { openLedger } from '../../src/store/open.ts';
import type { ClaimAttack } from './attack.ts';

/** Indirect paths to the gate: a proof submitted for a ticket, a proof from the ledger. */
export async function attackByMarket(
  { gate }: Lean,
  { preamble = '', statement, proof }: ClaimAttack,
  limits: { deadlineMs: number },
): Promise<Verdict> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-soundness-'));
  const ledger = await openLedger(path.join(folder, 'ledger.db'), { clock: systemClock });
  try {
    const market = new Market(ledger.tickets, ledger.journal, systemClock);
    const { ticket } = await market.request({
      goal: statement,
      context: [preamble],
      suggested_name: 't',
      constraints: [],
      priority: 0.5,
      requester: 'g1',
      dependencies: [],
    });
    const completed = await market.complete(ticket.ticket_id, 'forger', proof, gate, limits);
    if (completed.kind !== 'judged') throw new Error(`the ticket is ${completed.kind}`);
    if (completed.ticket.status === 'completed' && completed.verdict.verdict !== 'accepted')
      throw new Error('a ticket is completed by a proof that the gate refuses');
    return completed.verdict;
  } finally {
    await ledger.close();
    await rm(folder, { recursive: true });
  }
}

const permit = async (): Promise<void> => await Promise.resolve();

export async function attackByRecall(
  { pool, gate }: Lean,
  { preamble = '', statement, proof, allowAxioms = [] }: ClaimAttack,
): Promise<Verdict> {
  const domain = new LeanDomain(pool, gate);
  const { signal } = new AbortController();
  const goal = {
    id: 't',
    preamble,
    statement,
    holes: wholeStatement,
    topic: null,
    label: null,
    allowAxioms,
    source: null,
  };
  const opened = await domain.open(goal, permit, signal);
  if (opened.kind !== 'open') throw new Error(`the goal is ${opened.kind}`);
  try {
    const { evidence } = await domain.judge(
      opened.work,
      notNull(domain.rows.recall.artifact(proof)),
      permit,
      signal,
    );
    return evidence;
  } finally {
    await domain.close(opened.work);
  }
}
