import type { EventBodies, EventType, SlateStarted } from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import { UserError } from '../errors.ts';
import type { EventBus } from '../events.ts';
import { seedFrom } from '../rng.ts';
import type { Arm, Outcome, Strategy } from '../strategy.ts';
import type { Verdict } from '../verdict.ts';
import type { Domain, GoalFacts, Permit } from './domain.ts';
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
  /** The candidate itself, for whoever wants to shorten it. */
  readonly candidate: unknown;
}

interface RaceParts<Goal, Work, Candidate> {
  readonly domain: Domain<Goal, Work, Candidate>;
  readonly strategies: readonly Strategy<Work, Candidate>[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly start: { readonly seed: number };
}

type Emit = <Type extends EventType>(type: Type, body: EventBodies[Type]) => void;

const polishLimits = { cpu_seconds: 2, heartbeats: 40_000 };

/**
 * The arms of a slate side by side on one piece of work. The first *accepted proof* wins and the rest are cancelled; a
 * failure, however fast, cancels nobody.
 */
export class Race<Goal, Work, Candidate> {
  readonly #parts: RaceParts<Goal, Work, Candidate>;
  readonly #emit: Emit;
  readonly #permit: Permit;
  #attempts = 0;

  constructor(parts: RaceParts<Goal, Work, Candidate>, emit: Emit, permit: Permit) {
    this.#parts = parts;
    this.#emit = emit;
    this.#permit = permit;
  }

  async slate(
    work: Work,
    facts: GoalFacts,
    slate: SlateStarted,
    signal: AbortSignal,
  ): Promise<Proof | undefined> {
    const won = new AbortController();
    const racing = AbortSignal.any([signal, won.signal]);
    let winner: Proof | undefined;
    const run = async (arm: string): Promise<void> => {
      const proof = await this.#attempt(work, facts, slate, arm, racing, signal);
      winner ??= proof;
      if (proof) won.abort();
    };
    await Promise.all(slate.arms.map(async ({ arm }) => await run(arm)));
    return winner;
  }

  /** Proofs of the same goal from earlier runs: hints, judged again like any other candidate. */
  async recall(
    id: string,
    work: Work,
    facts: GoalFacts,
    proofs: readonly string[],
    signal: AbortSignal,
  ): Promise<Proof | undefined> {
    for (const proof of proofs.slice(0, 2)) {
      const candidate = this.#parts.domain.recall(proof);
      const source = { attempt: null, strategy: 'cache', arm: 'cache/proved' };
      const accepted = await this.#judge(id, work, facts, candidate, source, signal);
      if (accepted.proof) return accepted.proof;
    }
    return undefined;
  }

  /** The proof in its smallest and most stable form that the gate accepts. */
  async polish(id: string, work: Work, facts: GoalFacts, proof: Proof, signal: AbortSignal): Promise<Proof> {
    if (signal.aborted) return proof;
    const run = { signal, limits: polishLimits, seed: this.#seed(id, 'polish') };
    const smaller = await this.#parts.domain.polish(work, proof.candidate as Candidate, run);
    if (smaller === undefined || this.#parts.domain.textOf(smaller.candidate).proof === proof.text)
      return proof;
    const { candidate, cpuSeconds } = smaller;
    return (await this.#judge(id, work, facts, candidate, proof, signal, cpuSeconds)).proof ?? proof;
  }

  async #attempt(
    work: Work,
    facts: GoalFacts,
    slate: SlateStarted,
    armName: string,
    racing: AbortSignal,
    signal: AbortSignal,
  ): Promise<Proof | undefined> {
    const { clock, bus, strategies } = this.#parts;
    const strategy = strategies.find((one) => armName.startsWith(`${one.name}/`));
    const arm = strategy?.arms(work).find(({ name }) => name === armName);
    if (!strategy || !arm) throw new Error(`no strategy offers the arm ${armName}`);
    const common = {
      attempt: `${bus.run}-${++this.#attempts}`,
      goal: slate.goal,
      goal_hash: facts.goalHash,
      fingerprint: facts.fingerprint,
      strategy: strategy.name,
      arm: armName,
      signature: signatureOf(arm, facts),
      parent: null,
    };
    const started = clock.date().getTime();
    const startedAt = clock.now();
    this.#emit('attempt-started', { ...common, slot: strategy.slot, limits: slate.limits });
    const run = { signal: racing, limits: slate.limits, seed: this.#seed(slate.goal, armName) };
    const outcome = await this.#try(strategy, work, arm, run);
    const judged =
      outcome.kind === 'solved'
        ? await this.#judge(slate.goal, work, facts, outcome.candidate, common, signal)
        : undefined;
    const kind = judged ? judged.outcome : outcome.kind;
    this.#emit('attempt-finished', {
      ...common,
      context: facts.context,
      params: slate.limits,
      started,
      outcome: kind,
      tactics: outcome.tactics,
      next_goals: outcome.nextGoals,
      premises: outcome.premises,
      cache_hits: outcome.cacheHits,
      cpu_seconds: outcome.cpuSeconds,
      wall_seconds: (clock.now() - startedAt) / 1000,
      peak_bytes: outcome.peakBytes,
      gpu_seconds: outcome.gpuSeconds ?? 0,
      cloud_seconds: outcome.cloudSeconds ?? 0,
      input_tokens: outcome.inputTokens ?? 0,
      output_tokens: outcome.outputTokens ?? 0,
      error: judged ? judged.error : outcome.kind === 'solved' ? null : outcome.message,
      reward: rewardFor(kind, outcome.cpuSeconds, strategy.budget.cpu_seconds),
    });
    return judged?.proof;
  }

  /** A strategy that throws has a bug; the run goes on, and the bug is told. */
  async #try(
    strategy: Strategy<Work, Candidate>,
    ...[work, arm, run]: Parameters<Strategy<Work, Candidate>['attempt']>
  ): Promise<Outcome<Candidate>> {
    try {
      return await strategy.attempt(work, arm, run);
    } catch (error) {
      if (error instanceof UserError) throw error;
      const isCancelled = run.signal.aborted && error === run.signal.reason;
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!isCancelled) this.#emit('note', { level: 'error', text: `${arm.name} has a bug: ${message}` });
      const spent = { cpuSeconds: 0, peakBytes: 0, tactics: [], nextGoals: [], premises: [], cacheHits: 0 };
      return { kind: isCancelled ? 'cancelled' : 'broken', message, ...spent };
    }
  }

  async #judge(
    id: string,
    work: Work,
    facts: GoalFacts,
    candidate: Candidate,
    source: { readonly attempt: string | null; readonly strategy: string; readonly arm: string },
    signal: AbortSignal,
    cpuBefore = 0,
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
      fingerprint: verdict.fingerprint,
      cpu_seconds: cpuBefore + verdict.cpu_seconds,
    });
    if (verdict.verdict === 'accepted' && (assurance === 'replayed' || assurance === 'second-kernel'))
      return {
        outcome: 'solved',
        error: null,
        proof: { text, assurance, strategy, arm, axioms, assumes, attempt, candidate },
      };
    return { outcome: outcomeOf(verdict), error: `the gate: ${verdict.kind}: ${verdict.message}` };
  }

  #seed(...parts: string[]): number {
    return seedFrom(this.#parts.start.seed, ...parts);
  }
}

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
