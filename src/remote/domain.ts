import type { Judgement } from '../core/verdict.ts';
import type { Domain, Opened, Permit, Refutation, Rows } from '../core/scheduler/domain.ts';
import type { Arm, Outcome, Strategy } from '../core/strategy.ts';
import type { CandidateJudged, EvidenceColumns, WorkerSample } from '../shared/events.ts';
import { claimLimits } from './claim.ts';
import type { Dispatch, LateAnswer } from './dispatch.ts';
import type { Inquiry } from './inquiry.ts';
import { assessAnswer, type Assessed, type Judges } from './assess-answer.ts';

/** A proof as a text: all that a worker can send. */
export interface RemoteCandidate {
  readonly proof: string;
  readonly premises: readonly string[];
}

/** What workers have said of a goal, and what it was worth; the last one is why it is no longer asked for. */
export interface RemoteWork<Goal, Evidence> {
  readonly goal: Goal;
  readonly refused: readonly Refused<Evidence>[];
  readonly last: Exclude<Assessed<Evidence>, Refused<Evidence> | { readonly kind: 'unreadable' }>;
  /** By the candidate that was judged. */
  readonly verdicts: ReadonlyMap<RemoteCandidate, Judgement<Evidence>>;
  /** By the worker that sent it. */
  readonly candidates: ReadonlyMap<string, RemoteCandidate>;
  /** The last one has had its attempt. */
  isTold: boolean;
}

type DomainRows<Goal, Evidence> = Pick<Rows<Goal, never, never, Evidence>, 'goal' | 'evidence' | 'closed'> & {
  readonly recall: { readonly strategy: string; readonly arm: string };
};

/** What an attempt leaves behind: the text that the worker sent, if it sent one. */
export interface RemoteTrace {
  readonly sent: RemoteCandidate | undefined;
}

/** A liar can take a new name for every answer; after this many the goal is given up. */
const mostRefusals = 50;

type Refused<Evidence> = Extract<Assessed<Evidence>, { readonly kind: 'refused' }>;

export interface RemoteParts<Goal, Evidence> {
  readonly dispatch: Dispatch<Goal & { readonly id: string }>;
  readonly judges: Judges<Goal, Evidence>;
  /** The rows of the goals' own domain. */
  readonly rows: DomainRows<Goal, Evidence>;
  /** A proof that came when its goal was closed already, and was accepted too. */
  readonly onAlternative: (judged: CandidateJudged) => void;
}

/**
 * Goals that others work on: to open one is to wait until the answer of a worker has been judged here and holds. What does not hold is
 * asked again, of someone else; the engine hears of every answer when the goal is open, and of the verdicts that were given meanwhile.
 */
export class RemoteDomain<Goal extends { readonly id: string }, Evidence> implements Domain<
  Goal,
  RemoteWork<Goal, Evidence>,
  RemoteCandidate,
  RemoteTrace,
  Evidence
> {
  readonly rows: Rows<Goal, RemoteCandidate, RemoteTrace, Evidence>;
  readonly #parts: RemoteParts<Goal, Evidence>;
  /** Goals that the engine has left without closing them: they are not asked for again. */
  readonly #left = new Map<string, RemoteWork<Goal, Evidence>>();
  #late: Promise<void> = Promise.resolve();

  constructor(parts: RemoteParts<Goal, Evidence>) {
    this.#parts = parts;
    this.rows = remoteRows(parts.rows);
    parts.dispatch.onLate((late) => {
      this.#late = this.#late.then(async () => await this.#assessLate(late));
    });
  }

  async open(goal: Goal, permit: Permit, signal: AbortSignal): Promise<Opened<RemoteWork<Goal, Evidence>>> {
    const left = this.#left.get(goal.id);
    this.#left.delete(goal.id);
    // the engine would give it another round: the worker has had all of them
    if (left?.isTold && left.last.kind === 'not-found')
      return { kind: 'unreadable', message: left.last.claim.reason, cpuSeconds: 0 };
    if (left) return opened(left);
    const inquiry = await this.#parts.dispatch.begin(goal);
    if (!inquiry.ok) return { kind: 'unreadable', message: inquiry.error.message, cpuSeconds: 0 };
    try {
      return await this.#ask(goal, inquiry.value, permit, signal);
    } finally {
      this.#parts.dispatch.end(goal);
    }
  }

  async close(work: RemoteWork<Goal, Evidence>): Promise<void> {
    if (!work.isTold || work.last.kind === 'not-found') this.#left.set(work.goal.id, work);
  }

  /** What was judged when the answer came is not judged twice; a proof of an earlier run is judged now. */
  async judge(
    work: RemoteWork<Goal, Evidence>,
    candidate: RemoteCandidate,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Judgement<Evidence>> {
    const known = work.verdicts.get(candidate);
    if (known) return known;
    await permit('light');
    return await this.#parts.judges.proof(work.goal, candidate.proof, signal);
  }

  async refute({ last }: RemoteWork<Goal, Evidence>): Promise<Refutation> {
    return last.kind === 'refuted'
      ? { instance: last.instance, cpuSeconds: last.cpuSeconds }
      : { instance: null, cpuSeconds: 0 };
  }

  workers(): readonly Omit<WorkerSample, 'arm'>[] {
    return [];
  }

  async #ask(
    goal: Goal,
    inquiry: Inquiry,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Opened<RemoteWork<Goal, Evidence>>> {
    const refused: Refused<Evidence>[] = [];
    const spent = (): number => refused.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    for (;;) {
      const answer = await inquiry.next(signal);
      if (!answer) return { kind: 'cancelled', cpuSeconds: spent() };
      await permit('light', signal);
      const assessed = await assessAnswer(this.#parts.judges, goal, answer, signal);
      if (signal.aborted) return { kind: 'cancelled', cpuSeconds: spent() + assessed.cpuSeconds };
      if (assessed.kind === 'unreadable') {
        await inquiry.settle(answer, 'not-found');
        return { kind: 'unreadable', message: assessed.why, cpuSeconds: spent() + assessed.cpuSeconds };
      }
      if (assessed.kind !== 'refused') {
        await inquiry.settle(answer, assessed.kind === 'not-found' ? 'not-found' : 'accepted');
        return opened(workOf(goal, refused, assessed));
      }
      refused.push(assessed);
      await inquiry.settle(answer, 'refused');
      if (refused.length >= mostRefusals || (await inquiry.isHopeless()))
        return { kind: 'unreadable', message: nobodyLeft(refused), cpuSeconds: spent() };
    }
  }

  /** A worker that had lost a goal and answers all the same may have another proof of it. */
  async #assessLate({ goal, answer, settle }: LateAnswer<Goal>): Promise<void> {
    try {
      const assessed = await assessAnswer(this.#parts.judges, goal, answer, new AbortController().signal);
      await settle(
        assessed.kind === 'proved' ? 'accepted' : assessed.kind === 'refused' ? 'refused' : 'not-found',
      );
      if (assessed.kind === 'proved')
        this.#parts.onAlternative(judgedEvent(goal.id, assessed, this.#parts.rows.evidence));
    } catch (error) {
      // the run has ended meanwhile; the answer stays as it is
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

function opened<Goal, Evidence>(work: RemoteWork<Goal, Evidence>): Opened<RemoteWork<Goal, Evidence>> {
  return { kind: 'open', work, facts: work.last.facts, cpuSeconds: 0 };
}

function workOf<Goal, Evidence>(
  goal: Goal,
  refused: readonly Refused<Evidence>[],
  last: RemoteWork<Goal, Evidence>['last'],
): RemoteWork<Goal, Evidence> {
  const verdicts = new Map<RemoteCandidate, Judgement<Evidence>>();
  const candidates = new Map<string, RemoteCandidate>();
  const put = (worker: string, candidate: RemoteCandidate, verdict: Judgement<Evidence>): void => {
    verdicts.set(candidate, verdict);
    candidates.set(worker, candidate);
  };
  for (const { worker, proof } of refused)
    if (proof) put(worker, { proof: proof.text, premises: [] }, proof.verdict);
  if (last.kind === 'proved')
    put(last.worker, { proof: last.claim.proof ?? '', premises: last.claim.premises }, last.verdict);
  return { goal, refused, last, verdicts, candidates, isTold: false };
}

function nobodyLeft(refused: readonly Refused<unknown>[]): string {
  const words = refused.map(({ worker, why }) => `${worker}: ${why}`);
  return `what every worker answered was refused: ${words.join('; ').slice(0, claimLimits.text)}`;
}

function judgedEvent<Evidence>(
  goal: string,
  { worker, claim, facts, verdict: judgement }: Extract<Assessed<Evidence>, { readonly kind: 'proved' }>,
  columns: (evidence: Evidence) => EvidenceColumns,
): CandidateJudged {
  const { verdict, kind, message, assurance, evidence, cpuSeconds } = judgement;
  return {
    attempt: null,
    goal,
    goal_hash: facts.goalHash,
    strategy: 'remote',
    arm: armOf(worker),
    proof: claim.proof ?? '',
    premises: claim.premises,
    verdict,
    kind,
    message,
    assurance,
    ...columns(evidence),
    cpu_seconds: cpuSeconds,
  };
}

/** A worker sends texts: the rest of a row is as the goals' own domain writes it. */
function remoteRows<Goal, Evidence>(
  rows: DomainRows<Goal, Evidence>,
): Rows<Goal, RemoteCandidate, RemoteTrace, Evidence> {
  return {
    goal: (goal) => rows.goal(goal),
    candidate: ({ proof, premises }) => ({ proof, premises }),
    recall: { ...rows.recall, artifact: (proof) => ({ proof, premises: [] }) },
    noTrace: { sent: undefined },
    traceOf: ({ proof }) => ({ sent: { proof, premises: [] } }),
    attempt: ({ sent }) => ({
      tactics: sent ? [sent.proof] : [],
      next_goals: [],
      premises: sent?.premises ?? [],
    }),
    evidence: (evidence) => rows.evidence(evidence),
    closed: (evidence) => rows.closed(evidence),
  };
}

function armOf(worker: string): string {
  return `remote/${worker}`;
}

/** An attempt of an arm costs nothing here: the worker's own run has its attempts and what they cost. */
const budget = { cpu_seconds: 1, heartbeats: 0 };

/** One arm for each worker that answered: what the ledger counts of an arm it counts of a worker. Those that were refused go first. */
export function remoteStrategy<Goal, Evidence>(): Strategy<
  RemoteWork<Goal, Evidence>,
  RemoteCandidate,
  RemoteTrace
> {
  return {
    name: 'remote',
    slot: 'light',
    tier: 0,
    budget,
    isExhaustive: true,
    ready: async () => ({ ready: true }),
    arms: ({ refused, last }): readonly Arm[] => [
      ...refused.map(({ worker, why }) => ({ name: armOf(worker), signature: why })),
      { name: armOf(last.worker), signature: signatureOf(last), stage: 1 },
    ],
    attempt: async (work, { name }): Promise<Outcome<RemoteCandidate, RemoteTrace>> => {
      const { refused, last, candidates } = work;
      const worker = name.slice(armOf('').length);
      const isLast = worker === last.worker;
      if (isLast) work.isTold = true;
      const candidate = candidates.get(worker);
      const spent = {
        cpuSeconds: 0,
        peakBytes: 0,
        sent: candidate,
        cacheHits: 0,
        ...(isLast && { cloudSeconds: last.claim.cpuSeconds }),
      };
      if (candidate) return { ...spent, kind: 'solved', candidate };
      if (isLast) return { ...spent, kind: 'exhausted', message: reasonOf(last) };
      const assessed = refused.find((one) => one.worker === worker);
      return {
        ...spent,
        cpuSeconds: assessed?.cpuSeconds ?? 0,
        kind: 'failed',
        message: assessed?.why ?? '',
      };
    },
  };
}

function signatureOf(last: RemoteWork<unknown, unknown>['last']): string {
  return `${last.worker} ${last.claim.proof ?? reasonOf(last)}`;
}

function reasonOf(last: RemoteWork<unknown, unknown>['last']): string {
  return last.kind === 'refuted' ? `false; counterexample: ${last.instance}` : last.claim.reason;
}
