import { createHash } from 'node:crypto';
import type { ArmChoice, AttemptLimits, SlateStarted, Slot, TriedArm } from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import { UserError } from '../errors.ts';
import type { EventBus } from '../events.ts';
import { seedFrom } from '../rng.ts';
import type { Arm, AttemptRun, Outcome, Strategy } from '../strategy.ts';
import type { Verdict } from '../verdict.ts';
import type { Domain, GoalFacts, LemmaRequest, Permit } from './domain.ts';
import { AttemptLog, spentNothing, type Emit } from './attempt-log.ts';
import type { Assembled, BlockedAttempt } from './lemma-plans.ts';
import { rewardFor } from './schedule.ts';

/** A candidate that the gate accepted. */
export interface Proof {
  readonly text: string;
  readonly assurance: string;
  readonly strategy: string;
  readonly arm: string;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  readonly attempt: string | null;
  /** The candidate itself, for polishing. */
  readonly candidate: unknown;
}

interface RaceParts<Goal, Work, Candidate> {
  readonly domain: Domain<Goal, Work, Candidate>;
  readonly strategies: readonly Strategy<Work, Candidate>[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly start: { readonly seed: number };
}

/** A goal that is false is mostly so for the smallest values. */
const refuteLimits = { cpu_seconds: 0.5, heartbeats: 400 };
/** A few ways of saying a lemma, each looked at for a counter-example. */
const askLimits = { cpu_seconds: 4, heartbeats: 2000 };
const polishLimits = { cpu_seconds: 2, heartbeats: 40_000 };

const recallArm = { strategy: 'cache', arm: 'cache/proved' };
/** What came from the cache as it was is polished already. */
export function isPolished({ arm }: Pick<Proof, 'arm'>): boolean {
  return arm === recallArm.arm || arm === 'cache/same';
}
/** It spends nothing itself; the gate's work is counted with the verdict. */
const recallLimits = { cpu_seconds: 0, heartbeats: 0 };

/**
 * The arms of a slate side by side on one piece of work. The first *accepted proof* wins and the rest are cancelled; a
 * failure, however fast, cancels nobody.
 */
export class Race<Goal, Work, Candidate> {
  readonly #parts: RaceParts<Goal, Work, Candidate>;
  readonly #emit: Emit;
  readonly #permit: Permit;
  readonly #log: AttemptLog;
  readonly #isLemma: (goal: string) => boolean;

  /** `isLemma`: whether another goal waits for this one. */
  constructor(
    parts: RaceParts<Goal, Work, Candidate>,
    emit: Emit,
    permit: Permit,
    isLemma: (goal: string) => boolean,
  ) {
    this.#parts = parts;
    this.#isLemma = isLemma;
    this.#emit = emit;
    this.#log = new AttemptLog(emit, parts);
    this.#permit = permit;
  }

  /** The first accepted proof, and where there is none, an attempt that only lacks lemmas. */
  async slate(
    work: Work,
    facts: GoalFacts,
    slate: SlateStarted,
    signal: AbortSignal,
  ): Promise<{ proof?: Proof | undefined; blocked?: BlockedAttempt<Candidate> | undefined }> {
    const won = new AbortController();
    let blocked: BlockedAttempt<Candidate> | undefined;
    const racing = AbortSignal.any([signal, won.signal]);
    let winner: Proof | undefined;
    const run = async (choice: ArmChoice): Promise<void> => {
      const { proof, lacking } = await this.#attempt(work, facts, slate, choice, racing, signal);
      winner ??= proof;
      blocked ??= lacking;
      if (proof) won.abort();
    };
    await Promise.all(slate.arms.map(run));
    return { proof: winner, blocked: winner ? undefined : blocked };
  }

  /**
   * Proofs of the same goal from earlier runs: hints, each an attempt of its own that is judged like any other. One that the
   * gate has refused in this environment is not offered to it again.
   */
  async recall(
    id: string,
    work: Work,
    facts: GoalFacts,
    proofs: readonly string[],
    tried: readonly TriedArm[],
    signal: AbortSignal,
  ): Promise<Proof | undefined> {
    const refused = new Set(tried.map(({ signature }) => signature));
    const hints = proofs.map((proof) => ({ proof, signature: hashOf(proof) }));
    for (const { proof, signature } of hints.filter((hint) => !refused.has(hint.signature)).slice(0, 2)) {
      if (signal.aborted) return undefined;
      const begun = this.#log.begin(id, facts, recallArm, signature, 'light', recallLimits);
      const candidate = this.#parts.domain.recall(proof);
      const judged = await this.#judge(id, work, facts, candidate, begun.common, signal);
      this.#log.end(begun, facts, recallLimits, judged.outcome, judged.error, null, {
        ...spentNothing,
        tactics: [proof],
        cacheHits: 1,
      });
      if (judged.proof) return judged.proof;
    }
    return undefined;
  }

  /** What a plan and the proofs of its lemmas make, as an attempt of the arm that planned. */
  async offer(
    id: string,
    work: Work,
    facts: GoalFacts,
    { strategy, arm, candidate }: Assembled<Candidate>,
    signal: AbortSignal,
  ): Promise<Proof | undefined> {
    const { proof } = this.#parts.domain.textOf(candidate);
    const begun = this.#log.begin(id, facts, { strategy, arm }, hashOf(proof), 'light', recallLimits);
    const judged = await this.#judge(id, work, facts, candidate, begun.common, signal);
    const reward = rewardFor(judged.outcome, spentNothing, 1, this.#isLemma(id));
    const spent = { ...spentNothing, tactics: [proof] };
    this.#log.end(begun, facts, recallLimits, judged.outcome, judged.error, reward, spent);
    return judged.proof;
  }

  /** An instance that shows the goal to be false, if a short look finds one. */
  async refute(id: string, work: Work, facts: GoalFacts, signal: AbortSignal): Promise<string | null> {
    const { domain } = this.#parts;
    if (signal.aborted || !domain.refute) return null;
    const run = this.#run(refuteLimits, 'light', signal, this.#seed(id, 'refute'));
    const { instance, untried = [], unjudged, cpuSeconds } = await domain.refute(work, run);
    this.#emit('goal-charged', {
      goal: id,
      goal_hash: facts.goalHash,
      cpu_seconds: cpuSeconds,
      reason: 'refuting',
      ...(untried.length > 0 && { untried }),
      ...(unjudged !== undefined && { unjudged }),
    });
    return instance;
  }

  /** The lemma that the goal asks for, where one suggests itself. */
  async missing(
    id: string,
    goal: Goal,
    work: Work,
    facts: GoalFacts,
    isLast: boolean,
    signal: AbortSignal,
  ): Promise<LemmaRequest | undefined> {
    const { lemmas } = this.#parts.domain;
    if (signal.aborted || !lemmas) return undefined;
    const run = this.#run(askLimits, 'light', signal, this.#seed(id, 'ask'));
    const { request, cpuSeconds } = await lemmas.missing(goal, work, run, isLast);
    const cost = { goal: id, goal_hash: facts.goalHash, cpu_seconds: cpuSeconds };
    this.#emit('goal-charged', { ...cost, reason: 'asking' });
    return request;
  }

  /** The proof in its smallest and most stable form that the gate accepts. */
  async polish(id: string, work: Work, facts: GoalFacts, proof: Proof, signal: AbortSignal): Promise<Proof> {
    const { domain } = this.#parts;
    if (signal.aborted || !domain.polish) return proof;
    const run = this.#run(polishLimits, 'light', signal, this.#seed(id, 'polish'));
    const { candidate, cpuSeconds } = await domain.polish(work, proof.candidate as Candidate, run);
    this.#emit('goal-charged', {
      goal: id,
      goal_hash: facts.goalHash,
      cpu_seconds: cpuSeconds,
      reason: 'polishing',
    });
    if (domain.textOf(candidate).proof === proof.text) return proof;
    return (await this.#judge(id, work, facts, candidate, proof, signal)).proof ?? proof;
  }

  async #attempt(
    work: Work,
    facts: GoalFacts,
    slate: SlateStarted,
    { arm: armName, limits = slate.limits }: ArmChoice,
    racing: AbortSignal,
    signal: AbortSignal,
  ): Promise<{ proof?: Proof | undefined; lacking?: BlockedAttempt<Candidate> }> {
    const strategy = this.#parts.strategies.find((one) => armName.startsWith(`${one.name}/`));
    const arm = strategy?.arms(work).find(({ name }) => name === armName);
    if (!strategy || !arm) throw new Error(`no strategy offers the arm ${armName}`);
    const { name } = strategy;
    const { slot = strategy.slot, budget = strategy.budget } = arm;
    const named = { strategy: name, arm: armName };
    const begun = this.#log.begin(slate.goal, facts, named, signatureOf(arm, facts), slot, limits);
    const wallSeconds = strategy.isExhaustive ? Infinity : (strategy.wallSeconds ?? wallSecondsFor(limits));
    const run = this.#run(limits, slot, racing, this.#seed(slate.goal, armName), wallSeconds);
    const place = slate.arms.findIndex((choice) => choice.arm === armName);
    const outcome = await this.#try(strategy, work, arm, { ...run, place }, racing);
    const judged =
      outcome.kind === 'solved'
        ? await this.#judge(slate.goal, work, facts, outcome.candidate, begun.common, signal)
        : undefined;
    const kind = judged ? judged.outcome : outcome.kind;
    const error = judged ? judged.error : outcome.kind === 'solved' ? null : outcome.message;
    const reward = rewardFor(kind, outcome, budget.cpu_seconds, this.#isLemma(slate.goal));
    this.#log.end(begun, facts, limits, kind, error, reward, outcome);
    return outcome.kind === 'blocked' ? { lacking: { ...named, outcome } } : { proof: judged?.proof };
  }

  /** A strategy that throws has a bug; the run continues, and the bug is reported. */
  async #try(
    strategy: Strategy<Work, Candidate>,
    work: Work,
    arm: Arm,
    run: AttemptRun,
    racing: AbortSignal,
  ): Promise<Outcome<Candidate>> {
    try {
      const outcome = await strategy.attempt(work, arm, run);
      // nobody cancelled it but the clock
      const isLate = outcome.kind === 'cancelled' && run.signal.aborted && !racing.aborted;
      return isLate ? { ...outcome, kind: 'timeout', message: lateMessage } : outcome;
    } catch (error) {
      if (error instanceof UserError) throw error;
      const isCut = run.signal.aborted && error === run.signal.reason;
      if (isCut && !racing.aborted) return { kind: 'timeout', message: lateMessage, ...spentNothing };
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!isCut) this.#emit('note', { level: 'error', text: `${arm.name} has a bug: ${message}` });
      return { kind: isCut ? 'cancelled' : 'broken', message, ...spentNothing };
    }
  }

  async #judge(
    id: string,
    work: Work,
    facts: GoalFacts,
    candidate: Candidate,
    source: { readonly attempt: string | null; readonly strategy: string; readonly arm: string },
    signal: AbortSignal,
  ): Promise<{
    outcome: 'solved' | 'failed' | 'timeout' | 'cancelled' | 'broken';
    error: string | null;
    proof?: Proof;
  }> {
    const { proof: text, premises } = this.#parts.domain.textOf(candidate);
    const verdict = await this.#parts.domain.judge(work, candidate, this.#permit, signal);
    const { attempt, strategy, arm } = source;
    const { axioms, assumes, assurance } = verdict;
    this.#emit('candidate-judged', {
      attempt,
      goal: id,
      goal_hash: facts.goalHash,
      strategy,
      arm,
      proof: text,
      premises,
      verdict: verdict.verdict,
      kind: verdict.kind,
      message: verdict.message,
      assurance,
      axioms,
      assumes,
      toolchain: verdict.toolchain,
      judge: verdict.judge,
      fingerprint: verdict.fingerprint,
      cpu_seconds: verdict.cpu_seconds,
    });
    if (verdict.verdict === 'accepted' && (assurance === 'replayed' || assurance === 'second-kernel'))
      return {
        outcome: 'solved',
        error: null,
        proof: { text, assurance, strategy, arm, axioms, assumes, attempt, candidate },
      };
    return { outcome: outcomeOf(verdict), error: `the gate: ${verdict.kind}: ${verdict.message}` };
  }

  #run(
    limits: AttemptLimits,
    slot: Slot,
    signal: AbortSignal,
    seed: number,
    wallSeconds = wallSecondsFor(limits),
  ): AttemptRun {
    const ends =
      wallSeconds === Infinity
        ? signal
        : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(1000 * wallSeconds))]);
    return {
      signal: ends,
      limits,
      permit: async () => await this.#permit(slot, ends),
      deadline: this.#parts.clock.now() + 1000 * wallSeconds,
      place: 0,
      seed,
    };
  }

  #seed(...parts: string[]): number {
    return seedFrom(this.#parts.start.seed, ...parts);
  }
}

/**
 * A net for what CPU does not count: a request that never comes back. Others may leave us a twentieth of the machine, and
 * three arms share a worker, so a minute by the clock for each CPU-second fails nobody who works.
 */
function wallSecondsFor({ cpu_seconds }: AttemptLimits): number {
  return 60 + 60 * cpu_seconds;
}

const lateMessage = 'its time by the clock was up';

/** What the loop guard compares: what the arm does, and what it may use. */
export function signatureOf({ signature }: Arm, { variant }: GoalFacts): string {
  return variant === '' ? signature : `${signature}+${variant}`;
}

/** A candidate that was not accepted: refused for good, or not decided. */
function outcomeOf({ verdict, kind }: Verdict): 'failed' | 'timeout' | 'cancelled' | 'broken' {
  if (verdict === 'rejected') return 'failed';
  if (kind === 'cancelled') return 'cancelled';
  return kind === 'crash' || kind === 'invalid-request' ? 'broken' : 'timeout';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
