import type { Domain, Opened, Permit } from '../../core/scheduler/domain.ts';
import type { Arm, Outcome, Strategy } from '../../core/strategy.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { GoalAdded, WorkerSample } from '../../shared/events.ts';
import type { Candidate } from '../candidate.ts';
import { describeGoal } from '../domain.ts';
import type { Gate } from '../gate/gate.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { claimSchema, type RemoteClaim } from './claim.ts';
import type { Dispatch } from './dispatch.ts';

/** A candidate is judged within this much wall-clock time; without a word in time it is unknown. */
const judgeMs = 60_000;

/** A goal that a worker somewhere has done with. */
export interface RemoteWork {
  readonly goal: LeanGoal;
  readonly worker: string;
  readonly claim: RemoteClaim;
}

/** Lean proofs that others look for: to open a goal is to wait for what a worker says of it. The gate is here. */
export class RemoteDomain implements Domain<LeanGoal, RemoteWork, Candidate> {
  readonly #dispatch: Dispatch;
  readonly #gate: Gate;
  readonly #waiting = new Set<string>();

  constructor(dispatch: Dispatch, gate: Gate) {
    this.#dispatch = dispatch;
    this.#gate = gate;
  }

  describe(goal: LeanGoal): Omit<GoalAdded, 'difficulty' | 'priority' | 'requester'> {
    return describeGoal(goal);
  }

  async open(goal: LeanGoal, _: Permit, signal: AbortSignal): Promise<Opened<RemoteWork>> {
    this.#waiting.add(goal.id);
    try {
      const answer = await this.#dispatch.ask(goal, signal);
      if (answer === undefined) return { kind: 'cancelled', cpuSeconds: 0 };
      if ('cannot' in answer) return { kind: 'unreadable', message: answer.cannot, cpuSeconds: 0 };
      const { worker } = answer;
      const read = claimSchema.safeParse(answer.body);
      if (!read.success) return { kind: 'broken', message: `${worker} gave no proper answer`, cpuSeconds: 0 };
      const { facts, cpuSeconds, reason } = read.data;
      if (facts === null) return { kind: 'unreadable', message: reason, cpuSeconds };
      const work = { goal, worker, claim: read.data };
      return { kind: 'open', work, facts: { ...facts, variant: '' }, cpuSeconds: 0 };
    } finally {
      this.#waiting.delete(goal.id);
    }
  }

  async close(): Promise<void> {}

  /** Elaborated and judged here, as if the worker had sent a text and nothing else; and so it has. */
  async judge(
    { goal: { preamble, statement, allowAxioms, environment } }: RemoteWork,
    { proof }: Candidate,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Verdict> {
    await permit('light');
    const claim = { preamble, statement, proof, allowAxioms, environment };
    return await this.#gate.check(claim, { deadlineMs: judgeMs, signal });
  }

  textOf({ proof, premises }: Candidate): Candidate {
    return { proof, premises };
  }

  recall(proof: string): Candidate {
    return { proof, premises: [] };
  }

  workers(): readonly Omit<WorkerSample, 'arm'>[] {
    return [];
  }
}

/** What an arm of a worker may claim to have cost; the worker keeps to its own limits. */
const budget = { cpu_seconds: 30, heartbeats: 0 };

/** One arm for each worker: what the ledger counts of an arm it counts of a worker. */
export const remoteStrategy: Strategy<RemoteWork, Candidate> = {
  name: 'remote',
  slot: 'light',
  tier: 0,
  budget,
  isExhaustive: true,
  ready: async () => ({ ready: true }),
  arms: ({ worker, claim }: RemoteWork): readonly Arm[] => [
    { name: `remote/${worker}`, signature: `${worker} ${claim.proof ?? claim.reason}` },
  ],
  attempt: async ({ claim }: RemoteWork): Promise<Outcome<Candidate>> => {
    const { solved, proof, premises, reason, cpuSeconds } = claim;
    const spent = {
      cpuSeconds,
      peakBytes: 0,
      tactics: proof === null ? [] : [proof],
      nextGoals: [],
      premises,
      cacheHits: 0,
    };
    if (solved && proof !== null) return { ...spent, kind: 'solved', candidate: { proof, premises } };
    return { ...spent, kind: 'exhausted', message: reason };
  },
};
