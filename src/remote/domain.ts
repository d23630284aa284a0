import { success, type Result } from '../core/result.ts';
import { countsAsSolved } from '../shared/assurance.ts';
import type {
  Domain,
  GoalFacts,
  NextArm,
  Opened,
  Permit,
  Refutation,
  Rows,
} from '../core/scheduler/domain.ts';
import type { AttemptRun } from '../core/strategy.ts';
import type { Judgement } from '../core/verdict.ts';
import type { CandidateJudged, WorkerSample } from '../shared/events.ts';
import type { Settled } from '../store/queue/queue.ts';
import { claimLimits } from './claim.ts';
import type { Dispatch, LateAnswer } from './dispatch.ts';
import type { Inquiry } from './inquiry.ts';
import type { Judges } from './judges.ts';
import { receive, type Received, type RemoteCandidate } from './received.ts';
import { remoteRows, type DomainRows, type RemoteTrace } from './rows.ts';
import { armOf } from './strategy.ts';

/** A goal that workers work on, with the answers so far. Each answer has its own arm. */
export interface RemoteWork<Goal> {
  readonly goal: Goal;
  readonly answers: Received[];
  /** Records a verdict on an answer, so that the queue asks another worker or closes the job. */
  readonly settle: (received: Received, verdict: Settled, refusal?: string) => Promise<void>;
}

interface Asked<Goal> extends RemoteWork<Goal> {
  readonly inquiry: Inquiry;
  facts?: GoalFacts;
  isSettled: boolean;
}

export interface RemoteParts<Goal, Evidence> {
  readonly dispatch: Dispatch<Goal & { readonly id: string }>;
  readonly judges: Judges<Goal, Evidence>;
  /** The rows of the goals' own domain. */
  readonly rows: DomainRows<Goal, Evidence>;
  /** A proof that arrived after its goal was closed, and was accepted too. */
  readonly onAlternative: (judged: CandidateJudged) => void;
}

/**
 * Goals that workers elsewhere work on.
 *
 *     open ──first answer──▶ its arm ──judge──▶ accepted: closed
 *                             ▲          └─ refused ─┐
 *                             └──next answer── nextArm
 *
 * Opening reads the goal on this machine: identity and features never come from a worker. Proofs are judged in `judge` and
 * counterexamples in `refute`, as in every domain.
 */
export class RemoteDomain<Goal extends { readonly id: string }, Evidence> implements Domain<
  Goal,
  RemoteWork<Goal>,
  RemoteCandidate,
  RemoteTrace,
  Evidence
> {
  readonly rows: Rows<Goal, RemoteCandidate, RemoteTrace, Evidence>;
  readonly #parts: RemoteParts<Goal, Evidence>;
  /** Goals with an open inquiry, including those parked by the engine. */
  readonly #asked = new Map<string, Asked<Goal>>();
  readonly #hashes = new Map<string, string>();
  #late: Promise<void> = Promise.resolve();

  constructor(parts: RemoteParts<Goal, Evidence>) {
    this.#parts = parts;
    this.rows = remoteRows(parts.rows);
    parts.dispatch.onLate((late) => {
      this.#late = this.#late.then(async () => await this.#judgeLate(late));
    });
  }

  async open(goal: Goal, permit: Permit, signal: AbortSignal): Promise<Opened<RemoteWork<Goal>>> {
    try {
      return await this.#open(goal, permit, signal);
    } finally {
      if (signal.aborted) this.#end(goal);
    }
  }

  async #open(goal: Goal, permit: Permit, signal: AbortSignal): Promise<Opened<RemoteWork<Goal>>> {
    const known = this.#asked.get(goal.id);
    const asked = known ? success(known) : await this.#ask(goal);
    if (!asked.ok) return { kind: 'unreadable', message: asked.error.message, cpuSeconds: 0 };
    const work = asked.value;
    if (work.answers.length === 0 && !(await hasNext(work, signal)))
      return { kind: 'cancelled', cpuSeconds: 0 };
    if (work.facts) return { kind: 'open', work, facts: work.facts, cpuSeconds: 0 };
    await permit('light', signal);
    const { cpuSeconds, ...read } = await this.#parts.judges.examine(goal, signal);
    // the search work was done by the worker
    const effort = { cpuSeconds, workSeconds: 0 };
    if (signal.aborted) return { kind: 'cancelled', ...effort };
    if (read.kind === 'unknown') return { kind: 'broken', message: read.why, ...effort };
    if (read.kind === 'unreadable') {
      for (const received of work.answers) await work.settle(received, 'not-found');
      this.#end(goal);
      return { kind: 'unreadable', message: read.why, ...effort };
    }
    work.facts = read.facts;
    this.#hashes.set(goal.id, read.facts.goalHash);
    return { kind: 'open', work, facts: read.facts, ...effort };
  }

  /** A goal that is only parked keeps its inquiry. */
  async close({ goal }: RemoteWork<Goal>): Promise<void> {
    if (this.#asked.get(goal.id)?.isSettled === true) this.#end(goal);
  }

  async judge(
    { goal, answers, settle }: RemoteWork<Goal>,
    candidate: RemoteCandidate,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Judgement<Evidence>> {
    await permit('light');
    const judgement = await this.#parts.judges.proof(goal, candidate.proof, signal);
    // a proof from an earlier run has no answer
    const received = answers.find(({ claim }) => claim.kind === 'proof' && claim.candidate === candidate);
    if (received && countsAsSolved(judgement)) await settle(received, 'accepted');
    else if (received && !signal.aborted) await settle(received, 'refused', wordsOf(judgement));
    return judgement;
  }

  /** The counterexample claimed by a worker, if any. */
  async refute(
    { goal, answers, settle }: RemoteWork<Goal>,
    { permit, signal }: AttemptRun,
  ): Promise<Refutation | undefined> {
    for (const received of answers) {
      const { claim, refusal, answer } = received;
      if (claim.kind !== 'counterexample' || refusal !== undefined) continue;
      await permit();
      const { instance } = claim;
      const { verdict, why, cpuSeconds } = await this.#parts.judges.refutation(goal, instance, signal);
      const effort = { cpuSeconds, workSeconds: 0 };
      if (verdict === 'accepted') {
        await settle(received, 'accepted');
        return { instance, ...effort };
      }
      if (signal.aborted) return { instance: null, ...effort };
      const refused = `not a counterexample: ${why}`;
      await settle(received, 'refused', refused);
      return { instance: null, unjudged: `${answer.worker}: ${refused}`, ...effort };
    }
    return undefined;
  }

  async nextArm({ goal }: RemoteWork<Goal>, signal: AbortSignal): Promise<NextArm> {
    const work = this.#asked.get(goal.id);
    if (!work) return { kind: 'none', why: 'no longer requested' };
    const { answers, inquiry } = work;
    const notFound = answers.findLast(({ claim }) => claim.kind === 'not-found');
    const ending = notFound?.claim.kind === 'not-found' && {
      kind: 'none' as const,
      why: notFound.claim.reason,
    };
    if (ending && (await inquiry.endsWith(notFound.answer.worker))) return ending;
    work.isSettled = false;
    // a claim that could not be judged is refused too
    for (const received of answers)
      if (received.refusal === undefined && received.claim.kind !== 'not-found')
        await work.settle(received, 'refused', 'not judged');
    if (await inquiry.isHopeless()) {
      work.isSettled = true;
      return { kind: 'none', why: nobodyLeft(answers) };
    }
    if (await hasNext(work, signal)) return { kind: 'offered' };
    work.isSettled = !signal.aborted;
    return (!signal.aborted && ending) || { kind: 'none', why: 'cancelled' };
  }

  workers(): readonly Omit<WorkerSample, 'arm'>[] {
    return [];
  }

  async #ask(goal: Goal): Promise<Result<Asked<Goal>>> {
    const begun = await this.#parts.dispatch.begin(goal);
    if (!begun.ok) return begun;
    const inquiry = begun.value;
    const work: Asked<Goal> = {
      goal,
      inquiry,
      answers: [],
      isSettled: false,
      settle: async (received, verdict, refusal) => {
        if (verdict === 'refused') received.refusal = refusal ?? 'refused';
        else work.isSettled = true;
        await inquiry.settle(received.answer, verdict);
      },
    };
    this.#asked.set(goal.id, work);
    return success(work);
  }

  #end(goal: Goal): void {
    this.#asked.delete(goal.id);
    this.#parts.dispatch.end(goal);
  }

  /** A worker that lost its lease on a goal may still send another proof of it. */
  async #judgeLate({ goal, answer, settle }: LateAnswer<Goal>): Promise<void> {
    try {
      const { claim } = receive(answer);
      const goalHash = this.#hashes.get(goal.id);
      if (claim.kind !== 'proof' || goalHash === undefined) {
        await settle(claim.kind === 'none' ? 'refused' : 'not-found');
        return;
      }
      const { signal } = new AbortController();
      const judgement = await this.#parts.judges.proof(goal, claim.candidate.proof, signal);
      await settle(countsAsSolved(judgement) ? 'accepted' : 'refused');
      if (!countsAsSolved(judgement)) return;
      const { verdict, kind, message, assurance, evidence, cpuSeconds } = judgement;
      this.#parts.onAlternative({
        attempt: null,
        goal: goal.id,
        goal_hash: goalHash,
        strategy: 'remote',
        arm: armOf(answer.worker),
        ...claim.candidate,
        verdict,
        kind,
        message,
        assurance,
        ...this.rows.evidence(evidence),
        cpu_seconds: cpuSeconds,
      });
    } catch (error) {
      // the run has ended; the answer stays as it is
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** Waits for an answer; false when the goal is no longer wanted. */
async function hasNext({ inquiry, answers }: Asked<unknown>, signal: AbortSignal): Promise<boolean> {
  const answer = await inquiry.next(signal);
  if (answer) answers.push(receive(answer));
  return answer !== undefined;
}

function wordsOf({ verdict, kind, message }: Judgement<unknown>): string {
  return `${verdict}: ${kind}: ${message}`;
}

function nobodyLeft(answers: readonly Received[]): string {
  const words = answers.map(({ answer, refusal }) => `${answer.worker}: ${refusal ?? ''}`);
  return `every worker's answer was refused: ${words.join('; ').slice(0, claimLimits.text)}`;
}
