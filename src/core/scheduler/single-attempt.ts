import type { AttemptLimits, OutcomeKind } from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import type { Domain, GoalFacts } from './domain.ts';
import type { Arm, Outcome, Strategy } from '../strategy.ts';
import { countsAsSolved } from '../../shared/assurance.ts';
import type { Judgement } from '../verdict.ts';

export interface AloneParts<Goal, Work, Artifact, Trace, Evidence> {
  readonly domain: Domain<Goal, Work, Artifact, Trace, Evidence>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The outcome of one isolated attempt. */
export interface AloneAttempt {
  /** `solved` only if the gate accepted the candidate. */
  readonly outcome: OutcomeKind;
  readonly message: string | null;
  readonly proof: string | null;
  readonly signature: string;
  /** Cost of the attempt, without opening and judging. */
  readonly cpuSeconds: number;
  readonly openSeconds: number;
  readonly judgeSeconds: number;
  readonly facts: GoalFacts;
}

export type Alone =
  | { readonly kind: 'attempted'; readonly attempt: AloneAttempt }
  /** The arms that are offered instead. */
  | { readonly kind: 'no-arm'; readonly offers: readonly Offered[] }
  | { readonly kind: 'not-open'; readonly message: string };

interface Offered {
  readonly name: string;
  readonly stage: number;
  /** Of its whole budget. */
  readonly limits: AttemptLimits;
}

/** How to run an arm: its budget, and the seed of its random choices. */
export interface AloneRun {
  readonly limits: AttemptLimits;
  readonly seed: number;
}

/**
 * Runs one arm on one freshly opened goal: no slate, no loop guard, no results of earlier runs, nothing
 * written. So the result is the arm's own work; in a race it could be cancelled, or be cheaper because of
 * earlier arms.
 */
export async function attemptAlone<Goal, Work, Artifact, Trace, Evidence>(
  parts: AloneParts<Goal, Work, Artifact, Trace, Evidence>,
  goal: Goal,
  strategies: readonly Strategy<Work, Artifact, Trace>[],
  armName: string,
  run: AloneRun,
): Promise<Alone> {
  const { domain, signal } = parts;
  const opened = await domain.open(goal, async () => {}, signal);
  if (opened.kind !== 'open')
    return { kind: 'not-open', message: 'message' in opened ? opened.message : 'it was cancelled' };
  const { work, facts, cpuSeconds: openSeconds } = opened;
  try {
    const offers = strategies.flatMap((strategy) => strategy.arms(work).map((arm) => ({ strategy, arm })));
    const offer = offers.find(({ arm }) => arm.name === armName);
    if (!offer)
      return {
        kind: 'no-arm',
        offers: offers.map(({ strategy, arm }) => ({
          name: arm.name,
          stage: arm.stage ?? 0,
          limits: arm.budget ?? strategy.budget,
        })),
      };
    const outcome = await tryArm(parts, work, offer.strategy, offer.arm, run);
    const verdict =
      outcome.kind === 'solved'
        ? await domain.judge(work, outcome.candidate, async () => {}, signal)
        : undefined;
    const proof = outcome.kind === 'solved' ? domain.rows.candidate(outcome.candidate).proof : null;
    const judged = { openSeconds, judgeSeconds: verdict?.cpuSeconds ?? 0, facts };
    const { signature } = offer.arm;
    return {
      kind: 'attempted',
      attempt: { ...wordOf(outcome, verdict), proof, signature, cpuSeconds: outcome.cpuSeconds, ...judged },
    };
  } finally {
    await domain.close(work);
  }
}

async function tryArm<Goal, Work, Artifact, Trace, Evidence>(
  { clock, signal }: AloneParts<Goal, Work, Artifact, Trace, Evidence>,
  work: Work,
  strategy: Strategy<Work, Artifact, Trace>,
  arm: Arm,
  { limits, seed }: AloneRun,
): Promise<Outcome<Artifact, Trace>> {
  return await strategy.attempt(work, arm, {
    signal,
    limits,
    permit: async () => {},
    deadline: clock.now() + 1000 * (strategy.wallSeconds ?? 60 + 60 * limits.cpu_seconds),
    place: 0,
    seed,
  });
}

/** A candidate counts as solved only with the gate's approval. */
function wordOf<Artifact, Trace>(
  outcome: Outcome<Artifact, Trace>,
  verdict: Judgement<unknown> | undefined,
): Pick<AloneAttempt, 'outcome' | 'message'> {
  if (outcome.kind !== 'solved') return { outcome: outcome.kind, message: outcome.message };
  if (verdict && countsAsSolved(verdict)) return { outcome: 'solved', message: null };
  const message = `the gate: ${verdict?.kind}: ${verdict?.message}`;
  return { outcome: verdict?.verdict === 'rejected' ? 'failed' : 'timeout', message };
}
