// Over 300 lines because it is one state machine, with all transitions of a race.
import type { ArmChoice, AttemptLimits, SlateStarted, Slot, TriedArm } from '../../shared/events.ts';
import { countsAsSolved } from '../../shared/assurance.ts';
import type { Clock } from '../clock.ts';
import { UserError } from '../errors.ts';
import type { EventBus } from '../events.ts';
import { seedFrom } from '../rng.ts';
import { effortRow, type Arm, type AttemptRun, type Outcome, type Strategy } from '../strategy.ts';
import type { Judgement } from '../verdict.ts';
import type { Domain, GoalFacts, LemmaRequest, Permit } from './domain.ts';
import { AttemptLog, spentNothing, type Emit } from './attempt-log.ts';
import type { Assembled, BlockedAttempt } from './lemma-plans.ts';
import type { Given, GoalState } from './goal-state.ts';
import { rewardFor } from './schedule.ts';
import { sha256 } from '../../core/sha256.ts';

/** A candidate that the judge accepted. */
export interface Proof<Artifact, Evidence> {
  readonly text: string;
  readonly assurance: string;
  readonly strategy: string;
  readonly arm: string;
  readonly attempt: string | null;
  readonly artifact: Artifact;
  readonly evidence: Evidence;
  /** It comes from an earlier run, which polished it. */
  readonly isPolished: boolean;
}

interface JudgedCandidate<Artifact, Evidence> {
  readonly outcome: 'solved' | 'failed' | 'timeout' | 'cancelled' | 'blocked' | 'broken';
  readonly error: string | null;
  readonly proof?: Proof<Artifact, Evidence>;
}

/** An open goal and its facts. */
export interface OpenedGoal<Work> {
  readonly id: string;
  readonly work: Work;
  readonly facts: GoalFacts;
  /** Aborted when the goal is no longer wanted, or the run ends. */
  readonly signal: AbortSignal;
}

interface RaceParts<Goal, Work, Artifact, Trace, Evidence> {
  readonly domain: Domain<Goal, Work, Artifact, Trace, Evidence>;
  readonly strategies: readonly Strategy<Work, Artifact, Trace>[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly start: { readonly seed: number };
}

/** Budget for a counterexample: false goals usually fail for the smallest values. */
const refuteLimits = { cpu_seconds: 1, heartbeats: 900 };
/** Budget for a few variants of a lemma, each checked for a counterexample. */
const askLimits = { cpu_seconds: 4, heartbeats: 2000 };
const polishLimits = { cpu_seconds: 3, heartbeats: 40_000 };

/** The attempt itself is free; the gate's work is counted with the verdict. */
const recallLimits = { cpu_seconds: 0, heartbeats: 0 };

/**
 * Races the arms of a slate on one goal. The first *accepted proof* wins and the rest are cancelled; a failure cancels nothing.
 */
export class Race<Goal, Work, Artifact, Trace, Evidence> {
  readonly #parts: RaceParts<Goal, Work, Artifact, Trace, Evidence>;
  readonly #emit: Emit;
  readonly #permit: Permit;
  readonly #log: AttemptLog;
  readonly #isLemma: (goal: string) => boolean;

  /** `isLemma`: whether another goal waits for this one. */
  constructor(
    parts: RaceParts<Goal, Work, Artifact, Trace, Evidence>,
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

  /** The first accepted proof or, failing that, an attempt that only lacks lemmas. */
  async slate(
    goal: OpenedGoal<Work>,
    slate: SlateStarted,
  ): Promise<{
    proof?: Proof<Artifact, Evidence> | undefined;
    blocked?: BlockedAttempt<Artifact> | undefined;
  }> {
    const won = new AbortController();
    let blocked: BlockedAttempt<Artifact> | undefined;
    const racing = AbortSignal.any([goal.signal, won.signal]);
    let winner: Proof<Artifact, Evidence> | undefined;
    const run = async (choice: ArmChoice): Promise<void> => {
      const { proof, lacking } = await this.#attempt(goal, slate, choice, racing);
      winner ??= proof;
      blocked ??= lacking;
      if (proof) won.abort();
    };
    await Promise.all(slate.arms.map(run));
    return { proof: winner, blocked: winner ? undefined : blocked };
  }

  /** Whether a slate searches, instead of only trying results of earlier runs. */
  isNewWork({ arms }: SlateStarted): boolean {
    return arms.some(({ arm }) => !this.#strategyOf(arm).isMemory);
  }

  /**
   * Tries proofs of the same goal from earlier runs, each as an attempt that is judged like any other. One that was rejected in this environment is not tried again.
   */
  async recall(
    goal: OpenedGoal<Work>,
    proofs: readonly string[],
    tried: readonly TriedArm[],
  ): Promise<Proof<Artifact, Evidence> | undefined> {
    const { strategy, arm, artifact } = this.#parts.domain.rows.recall;
    const refused = new Set(tried.map(({ signature }) => signature));
    const hints = proofs.map((proof) => ({ proof, signature: hashOf(proof) }));
    for (const { proof, signature } of hints.filter((hint) => !refused.has(hint.signature)).slice(0, 2)) {
      if (goal.signal.aborted) return undefined;
      const candidate = artifact(proof);
      if (candidate === null) continue;
      const found = await this.#offer(goal, { strategy, arm, candidate }, signature, true);
      if (found) return found;
    }
    return undefined;
  }

  /** Offers a plan with the proofs of its lemmas, as an attempt of the planning arm. */
  async offer(
    goal: OpenedGoal<Work>,
    assembled: Assembled<Artifact>,
  ): Promise<Proof<Artifact, Evidence> | undefined> {
    const { proof } = this.#parts.domain.rows.candidate(assembled.candidate);
    return await this.#offer(goal, assembled, hashOf(proof), false);
  }

  /** A counterexample, if a short search finds one. */
  async refute({ id, work, facts, signal }: OpenedGoal<Work>): Promise<string | null> {
    const { domain } = this.#parts;
    if (signal.aborted || !domain.refute) return null;
    const run = this.#run(refuteLimits, 'light', signal, this.#seed(id, 'refute'));
    const look = await domain.refute(work, run);
    if (!look) return null;
    const { instance, untried = [], unjudged, ...effort } = look;
    this.#emit('goal-charged', {
      goal: id,
      goal_hash: facts.goalHash,
      ...effortRow(effort),
      reason: 'refuting',
      ...(untried.length > 0 && { untried }),
      ...(unjudged !== undefined && { unjudged }),
    });
    return instance;
  }

  /** The lemma that the goal requests, if any. */
  async missing(
    goal: Goal,
    { id, work, facts, signal }: OpenedGoal<Work>,
    isLast: boolean,
  ): Promise<LemmaRequest | undefined> {
    const { lemmas } = this.#parts.domain;
    if (signal.aborted || !lemmas) return undefined;
    const run = this.#run(askLimits, 'light', signal, this.#seed(id, 'ask'));
    const { request, ...effort } = await lemmas.missing(goal, work, run, isLast);
    const cost = { goal: id, goal_hash: facts.goalHash, ...effortRow(effort) };
    this.#emit('goal-charged', { ...cost, reason: 'asking' });
    return request;
  }

  /** The shortest and most stable form of the proof that the judge accepts. */
  async polish(goal: OpenedGoal<Work>, proof: Proof<Artifact, Evidence>): Promise<Proof<Artifact, Evidence>> {
    const { domain } = this.#parts;
    const { id, work, facts, signal } = goal;
    if (proof.isPolished || signal.aborted || !domain.polish) return proof;
    const run = this.#run(polishLimits, 'light', signal, this.#seed(id, 'polish'));
    const { candidate, ...effort } = await domain.polish(work, proof.artifact, run);
    this.#emit('goal-charged', {
      goal: id,
      goal_hash: facts.goalHash,
      ...effortRow(effort),
      reason: 'polishing',
    });
    if (domain.rows.candidate(candidate).proof === proof.text) return proof;
    return (await this.#judge(goal, candidate, proof)).proof ?? proof;
  }

  /** Judges a proof from other goals again with their proofs, as a separate attempt. No search, and the goal need not be open. */
  async settle(
    goal: Goal,
    { goal: id, goalHash, fingerprint, context }: Readonly<GoalState>,
    { proof: text, strategy, arm }: Given,
    signal: AbortSignal,
  ): Promise<Proof<Artifact, Evidence> | undefined> {
    const { domain } = this.#parts;
    const artifact = domain.rows.recall.artifact(text);
    const judgement = artifact && (await domain.settle?.(goal, text, this.#permit, signal));
    if (!artifact || !judgement) return undefined;
    const facts = { goalHash, fingerprint, context, features: {}, variant: '' };
    const named = { strategy, arm };
    const signature = hashOf(text);
    const begun = this.#log.begin({ goal: id, facts, named, signature, slot: 'light', limits: recallLimits });
    const { attempt } = begun.common;
    const { premises } = domain.rows.candidate(artifact);
    const candidate = { text, premises, artifact, ...named, attempt, isPolished: true };
    const { outcome, error, proof } = this.#judged({ id, facts }, judgement, candidate);
    const columns = domain.rows.attempt(domain.rows.traceOf(artifact));
    this.#log.end(begun, { outcome, error, reward: null, spent: { ...spentNothing, cacheHits: 1 }, columns });
    return proof;
  }

  /** Judges an existing candidate, as a separate attempt. */
  async #offer(
    goal: OpenedGoal<Work>,
    { strategy, arm, candidate }: Assembled<Artifact>,
    signature: string,
    isRecalled: boolean,
  ): Promise<Proof<Artifact, Evidence> | undefined> {
    const { rows } = this.#parts.domain;
    const begun = this.#log.begin({
      goal: goal.id,
      facts: goal.facts,
      named: { strategy, arm },
      signature,
      slot: 'light',
      limits: recallLimits,
    });
    const source = { ...begun.common, isPolished: isRecalled };
    const { outcome, error, proof } = await this.#judge(goal, candidate, source);
    this.#log.end(begun, {
      outcome,
      error,
      reward:
        isRecalled || outcome === 'blocked'
          ? null
          : rewardFor(outcome, spentNothing, 1, this.#isLemma(goal.id)),
      spent: { ...spentNothing, cacheHits: isRecalled ? 1 : 0 },
      columns: rows.attempt(rows.traceOf(candidate)),
    });
    return proof;
  }

  async #attempt(
    goal: OpenedGoal<Work>,
    slate: SlateStarted,
    { arm: armName, limits = slate.limits }: ArmChoice,
    racing: AbortSignal,
  ): Promise<{ proof?: Proof<Artifact, Evidence> | undefined; lacking?: BlockedAttempt<Artifact> }> {
    const strategy = this.#strategyOf(armName);
    const arm = strategy.arms(goal.work).find(({ name }) => name === armName);
    if (!arm) throw new Error(`no strategy offers the arm ${armName}`);
    const { slot = strategy.slot, budget = strategy.budget, isPolished = false } = arm;
    const named = { strategy: strategy.name, arm: armName };
    const { facts } = goal;
    const signature = signatureOf(arm, facts);
    const begun = this.#log.begin({ goal: slate.goal, facts, named, signature, slot, limits });
    const wallSeconds = strategy.isExhaustive ? Infinity : (strategy.wallSeconds ?? wallSecondsFor(limits));
    const run = this.#run(limits, slot, racing, this.#seed(slate.goal, armName), wallSeconds);
    const place = slate.arms.findIndex((choice) => choice.arm === armName);
    const outcome = await this.#try(strategy, goal.work, arm, { ...run, place }, racing);
    const judged =
      outcome.kind === 'solved'
        ? await this.#judge(goal, outcome.candidate, { ...begun.common, isPolished })
        : undefined;
    const kind = judged ? judged.outcome : outcome.kind;
    this.#log.end(begun, {
      outcome: kind,
      error: judged ? judged.error : outcome.kind === 'solved' ? null : outcome.message,
      // a proof from open goals is worth as much as any to the arm that found it
      reward: rewardFor(
        judged?.outcome === 'blocked' ? 'solved' : kind,
        outcome,
        budget.cpu_seconds,
        this.#isLemma(slate.goal),
      ),
      spent: outcome,
      columns: this.#parts.domain.rows.attempt(outcome),
    });
    return outcome.kind === 'blocked' ? { lacking: { ...named, outcome } } : { proof: judged?.proof };
  }

  #strategyOf(arm: string): Strategy<Work, Artifact, Trace> {
    const strategy = this.#parts.strategies.find((one) => arm.startsWith(`${one.name}/`));
    if (!strategy) throw new Error(`no strategy offers the arm ${arm}`);
    return strategy;
  }

  /** A strategy that throws has a bug: it is reported, and the run continues. */
  async #try(
    strategy: Strategy<Work, Artifact, Trace>,
    work: Work,
    arm: Arm,
    run: AttemptRun,
    racing: AbortSignal,
  ): Promise<Outcome<Artifact, Trace>> {
    const nothing = { ...spentNothing, ...this.#parts.domain.rows.noTrace };
    try {
      const outcome = await strategy.attempt(work, arm, run);
      // only the deadline cancelled it
      const isLate = outcome.kind === 'cancelled' && run.signal.aborted && !racing.aborted;
      return isLate ? { ...outcome, kind: 'timeout', message: lateMessage } : outcome;
    } catch (error) {
      if (error instanceof UserError) throw error;
      const isCut = run.signal.aborted && error === run.signal.reason;
      if (isCut && !racing.aborted) return { ...nothing, kind: 'timeout', message: lateMessage };
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!isCut) this.#emit('note', { level: 'error', text: `${arm.name} has a bug: ${message}` });
      return { ...nothing, kind: isCut ? 'cancelled' : 'broken', message };
    }
  }

  async #judge(
    { id, work, facts, signal }: OpenedGoal<Work>,
    artifact: Artifact,
    source: Pick<Proof<Artifact, Evidence>, 'attempt' | 'strategy' | 'arm' | 'isPolished'>,
  ): Promise<JudgedCandidate<Artifact, Evidence>> {
    const { domain } = this.#parts;
    const { proof: text, premises } = domain.rows.candidate(artifact);
    const judgement = await domain.judge(work, artifact, this.#permit, signal);
    return this.#judged({ id, facts }, judgement, { ...source, text, premises, artifact });
  }

  #judged(
    { id, facts }: Pick<OpenedGoal<Work>, 'id'> & { readonly facts: Pick<GoalFacts, 'goalHash'> },
    judgement: Judgement<Evidence>,
    candidate: Omit<Proof<Artifact, Evidence>, 'assurance' | 'evidence'> & {
      readonly premises: readonly string[];
    },
  ): JudgedCandidate<Artifact, Evidence> {
    const { premises, ...rest } = candidate;
    const { text, attempt, strategy, arm } = rest;
    const { verdict, kind, message, evidence, cpuSeconds, given } = judgement;
    this.#emit('candidate-judged', {
      attempt,
      goal: id,
      goal_hash: facts.goalHash,
      strategy,
      arm,
      proof: text,
      premises,
      verdict,
      kind,
      message,
      assurance: judgement.assurance,
      ...this.#parts.domain.rows.evidence(evidence),
      ...(given && { given }),
      cpu_seconds: cpuSeconds,
      // judging is not part of the search's work
      work_seconds: 0,
    });
    if (countsAsSolved(judgement)) {
      const { assurance } = judgement;
      return { outcome: 'solved', error: null, proof: { ...rest, assurance, evidence } };
    }
    if (given) return { outcome: 'blocked', error: message };
    return { outcome: outcomeOf(judgement), error: `the gate: ${kind}: ${message}` };
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
 * Wall-clock limit for requests that never return. We may have only a twentieth of the machine, and three arms share a worker, so the limit allows minutes per second of work.
 */
function wallSecondsFor({ cpu_seconds }: AttemptLimits): number {
  return 600 + 200 * cpu_seconds;
}

const lateMessage = 'wall-clock limit reached';

/** The value that the loop guard compares: the arm's signature and the lemmas it may use. */
export function signatureOf({ signature }: Arm, { variant }: GoalFacts): string {
  return variant === '' ? signature : `${signature}+${variant}`;
}

/** The outcome for a candidate that was not accepted: rejected, or undecided. */
function outcomeOf({
  verdict,
  undecided,
}: Judgement<unknown>): 'failed' | 'timeout' | 'cancelled' | 'broken' {
  return verdict === 'rejected' ? 'failed' : (undecided ?? 'timeout');
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 16);
}
